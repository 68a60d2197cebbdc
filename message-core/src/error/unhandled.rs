//! Messages that were sent to messagees that do not handle them.

use std::fmt;
use std::panic::Location;

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
/// let unhandled = &manager.unhandled()[0];
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

impl fmt::Display for Unhandled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (message, components) = (self.message, &self.components[..]);
        let handled_by = &self.handled_by[..];
        f.write_str("a messagee ")?;
        let reason = NotHandled {
            message,
            components,
            handled_by,
        };
        write!(f, "{reason}; sent at {}", self.place)?;
        match self.count {
            1 => Ok(()),
            count => write!(f, ", {count} times in all"),
        }
    }
}

/// The reason that a messagee does not handle a message, as a predicate: `has …; neither handles …`.
pub(crate) struct NotHandled<'a> {
    pub(crate) message: &'a str,
    pub(crate) components: &'a [&'static str],
    pub(crate) handled_by: &'a [&'static str],
}

impl fmt::Display for NotHandled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.message;
        f.write_str("has ")?;
        match self.components {
            [] => f.write_str("no components")?,
            components => write_list(f, components, "and")?,
        }
        if self.handled_by.is_empty() {
            return write!(f, "; no component in the program handles `{message}`");
        }
        match self.components {
            [] => f.write_str("; ")?,
            [_] => write!(f, ", which does not handle `{message}`; ")?,
            [_, _] => write!(f, "; neither handles `{message}`; ")?,
            _ => write!(f, "; none of them handles `{message}`; ")?,
        }
        write_list(f, self.handled_by, "or")?;
        match self.components {
            [] => write!(f, " would handle `{message}`"),
            _ => f.write_str(" would"),
        }
    }
}

/// Writes names as `A`, `B` and `C`.
fn write_list(f: &mut fmt::Formatter<'_>, names: &[&str], last: &str) -> fmt::Result {
    for (at, name) in names.iter().enumerate() {
        match at {
            0 => {}
            _ if at + 1 == names.len() => write!(f, " {last} ")?,
            _ => f.write_str(", ")?,
        }
        write!(f, "`{name}`")?;
    }
    Ok(())
}
