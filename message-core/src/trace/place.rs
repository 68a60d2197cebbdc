//! The places that messages were sent from.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

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
/// assert!(places.map(|place| place.file()).eq([file!()]));
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SourcePlace(Of);

#[derive(Clone, PartialEq, Eq)]
enum Of {
    Code(&'static Location<'static>),
    Log(Arc<(Box<str>, u32, u32)>),
}

impl SourcePlace {
    /// Returns a place that was read from a log: the file, the line and the column.
    ///
    /// ```
    /// use message_core::trace::SourcePlace;
    ///
    /// assert_eq!(SourcePlace::logged("src/orc.rs", 3, 9).to_string(), "src/orc.rs:3:9");
    /// ```
    #[must_use]
    pub fn logged(file: &str, line: u32, column: u32) -> Self {
        Self(Of::Log(Arc::new((file.into(), line, column))))
    }

    /// Returns the place of a call that was logged earlier, and is not known any more.
    ///
    /// ```
    /// use message_core::trace::SourcePlace;
    ///
    /// assert_eq!(SourcePlace::of_a_log().line(), 0);
    /// ```
    #[must_use]
    pub fn of_a_log() -> Self {
        Self::logged("a call in the log", 0, 0)
    }

    /// Returns the file, as the compiler was given it.
    ///
    /// ```
    /// use message_core::trace::SourcePlace;
    ///
    /// assert_eq!(SourcePlace::logged("src/orc.rs", 3, 9).file(), "src/orc.rs");
    /// ```
    #[must_use]
    pub fn file(&self) -> &str {
        match &self.0 {
            Of::Code(place) => place.file(),
            Of::Log(place) => &place.0,
        }
    }

    /// Returns the line, counted from 1, or 0 if it is not known. The file is a description then.
    ///
    /// ```
    /// use message_core::trace::SourcePlace;
    ///
    /// assert_eq!(SourcePlace::logged("src/orc.rs", 3, 9).line(), 3);
    /// ```
    #[must_use]
    pub fn line(&self) -> u32 {
        match &self.0 {
            Of::Code(place) => place.line(),
            Of::Log(place) => place.1,
        }
    }

    /// Returns the column, counted from 1, or 0 if it is not known.
    ///
    /// ```
    /// use message_core::trace::SourcePlace;
    ///
    /// assert_eq!(SourcePlace::logged("src/orc.rs", 3, 9).column(), 9);
    /// ```
    #[must_use]
    pub fn column(&self) -> u32 {
        match &self.0 {
            Of::Code(place) => place.column(),
            Of::Log(place) => place.2,
        }
    }
}

impl From<&'static Location<'static>> for SourcePlace {
    fn from(place: &'static Location<'static>) -> Self {
        Self(Of::Code(place))
    }
}

/// Prints the file, the line and the column, like a [`Location`].
impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file())?;
        let parts = [self.line(), self.column()].into_iter();
        let mut known = parts.filter(|&part| part != 0);
        known.try_for_each(|part| write!(f, ":{part}"))
    }
}

impl fmt::Debug for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
