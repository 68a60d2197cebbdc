//! Messages that were sent to messagees that do not handle them.

use std::fmt;
use std::panic::Location;

use crate::name::listed;

/// A message type that was sent to messagees of which no component handles it.
///
/// Prints the components of the messagees, and the component types that would handle the message.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// #[message(name = "Open")]
/// struct Open;
///
/// struct Hinge;
///
/// #[handlers]
/// impl Hinge {
///     #[on_receive]
///     fn open(&self, _: &Open) {}
/// }
///
/// struct Frame;
///
/// let mut manager = MessageManager::new();
/// let door = manager.spawn((Frame,));
/// manager.send(door, Open)?;
/// let unhandled = &manager.inspect().unhandled()[0];
/// let (frame, hinge) = (std::any::type_name::<Frame>(), std::any::type_name::<Hinge>());
/// assert_eq!((unhandled.message, unhandled.count), ("Open", 1));
/// assert_eq!((&unhandled.components[..], &unhandled.handled_by[..]), (&[frame][..], &[hinge][..]));
/// let why = format!("a messagee has `{frame}`, which does not handle `Open`; `{hinge}` would; sent at ");
/// assert!(unhandled.to_string().starts_with(&why));
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unhandled {
    /// Names the message type.
    pub message: &'static str,
    /// Names the types of the messagee's components, in hook order.
    pub components: Vec<&'static str>,
    /// Names up to three component types of the program that handle the message, sorted by name.
    pub handled_by: Vec<&'static str>,
    /// Counts the sends.
    pub count: u64,
    /// Points to the line that sent it last.
    pub place: &'static Location<'static>,
}

impl Unhandled {
    /// Returns the reason that a messagee with these components does not handle a message, as a predicate.
    ///
    /// ```
    /// use message_core::error::Unhandled;
    ///
    /// let why = Unhandled::reason("Open", &["Frame", "Lock"], &["Hinge"]);
    /// assert_eq!(why, "has `Frame` and `Lock`; neither handles `Open`; `Hinge` would");
    /// ```
    #[must_use]
    pub fn reason(message: &str, components: &[&str], handled_by: &[&str]) -> String {
        let has = match components {
            [] => "no components".to_owned(),
            names => listed(names.iter().copied(), "and"),
        };
        let would = listed(handled_by.iter().copied(), "or");
        match (components, handled_by) {
            (_, []) => format!("has {has}; no component in the program handles `{message}`"),
            ([], _) => format!("has {has}; {would} would handle `{message}`"),
            ([_], _) => format!("has {has}, which does not handle `{message}`; {would} would"),
            ([_, _], _) => format!("has {has}; neither handles `{message}`; {would} would"),
            _ => format!("has {has}; none of them handles `{message}`; {would} would"),
        }
    }
}

impl fmt::Display for Unhandled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = Self::reason(self.message, &self.components, &self.handled_by);
        write!(f, "a messagee {reason}; sent at {}", self.place)?;
        match self.count {
            1 => Ok(()),
            count => write!(f, ", {count} times in all"),
        }
    }
}
