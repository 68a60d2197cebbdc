//! The places that messages were sent from.

use std::borrow::Cow;
use std::fmt;
use std::panic::Location;

/// A place in the source of the program: the call that sent a message. In a replay, it is the call that the log has.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::trace::Traced;
/// use message_trace::Recorder;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// Recorder::new(100).start(&mut manager);
/// manager.send(Everyone, Ping)?;
/// let recorder = Recorder::stop(&mut manager).expect("it was started");
/// let places = recorder.events().filter_map(|event| match &event.what {
///     Traced::Sent { place, .. } => Some(place),
///     _ => None,
/// });
/// assert!(places.map(|place| &*place.file).eq([file!()]));
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file, as the compiler was given it. A description if the line is not known.
    pub file: Cow<'static, str>,
    /// The line, counted from 1, or 0 if it is not known.
    pub line: u32,
    /// The column, counted from 1, or 0 if it is not known.
    pub column: u32,
}

impl SourcePlace {
    /// The place of a call that was logged earlier, and is not known any more.
    ///
    /// ```
    /// use message_core::trace::SourcePlace;
    ///
    /// assert_eq!(SourcePlace::LOGGED.line, 0);
    /// ```
    pub const LOGGED: Self = Self {
        file: Cow::Borrowed("a call in the log"),
        line: 0,
        column: 0,
    };
}

impl From<&'static Location<'static>> for SourcePlace {
    fn from(place: &'static Location<'static>) -> Self {
        Self {
            file: place.file().into(),
            line: place.line(),
            column: place.column(),
        }
    }
}

/// Prints the file, the line and the column, like a [`Location`].
impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        let parts = [self.line, self.column].into_iter();
        let mut known = parts.filter(|&part| part != 0);
        known.try_for_each(|part| write!(f, ":{part}"))
    }
}

impl fmt::Debug for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
