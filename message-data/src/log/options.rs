//! Options for writing a log, and the report at its end.

use std::panic::Location;
use std::{fmt, io};

use crate::save::SaveError;

/// How inputs are written.
///
/// ```
/// use message_data::LogOptions;
///
/// let options = LogOptions::new().digest_every(60); // About once a second.
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct LogOptions {
    pub(super) digest_every: u64,
    pub(super) keep_states: bool,
    /// Whether an input is refused unless everything before it and the input itself are written.
    pub(crate) refuses: bool,
}

impl LogOptions {
    /// Creates options that write a digest every 60 frames.
    ///
    /// ```
    /// use message_data::LogOptions;
    ///
    /// let options = LogOptions::new();
    /// ```
    pub const fn new() -> Self {
        Self {
            digest_every: 60,
            keep_states: false,
            refuses: false,
        }
    }

    /// Writes a [digest](crate::Digest) every `frames` frames, at the beginning of the frame, so that a replay
    /// finds the frame in which it diverges. With 0, no digests are written. Each digest visits all components.
    ///
    /// ```
    /// use message_data::LogOptions;
    ///
    /// let options = LogOptions::new().digest_every(1); // Finds the very frame.
    /// ```
    pub const fn digest_every(mut self, frames: u64) -> Self {
        self.digest_every = frames;
        self
    }

    /// Writes the state itself together with each digest, so that the error of a replay that differs names the
    /// messagee and the field. Each state has the size of a save.
    ///
    /// ```
    /// use message_data::LogOptions;
    ///
    /// let options = LogOptions::new().digest_every(1).keep_states(true);
    /// ```
    pub const fn keep_states(mut self, keep: bool) -> Self {
        self.keep_states = keep;
        self
    }
}

impl Default for LogOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// A summary of what was written to a log.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Log, LogOptions};
///
/// let mut manager = MessageManager::new();
/// Log::start(&mut manager, std::io::sink(), LogOptions::new())?;
/// manager.tick(std::time::Duration::ZERO);
/// let report = Log::stop(&mut manager)?.expect("a log was being written");
/// assert_eq!((report.inputs, report.impure.len()), (1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LogReport {
    /// The number of inputs written.
    pub inputs: u64,
    /// The size of the log in bytes.
    pub bytes: u64,
    /// The inputs that could not be written, up to a thousand. A replay stops at the first of them.
    pub impure: Vec<Impurity>,
}

/// An input that could not be written to a log.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Log, LogOptions};
///
/// #[derive(Message)]
/// struct Secret; // Has no data.
///
/// let mut manager = MessageManager::new();
/// Log::start(&mut manager, std::io::sink(), LogOptions::new())?;
/// let _ = manager.send(Everyone, Secret);
/// let report = Log::stop(&mut manager)?.expect("a log was being written");
/// assert!(report.impure[0].what.contains("Secret"));
/// assert_eq!(report.impure[0].place.file(), file!());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Impurity {
    /// A description of the input.
    pub what: String,
    /// The place of the call.
    pub place: &'static Location<'static>,
}

impl fmt::Display for Impurity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.what, self.place)
    }
}

/// Why a log cannot be started.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Log, LogError, LogOptions};
///
/// let mut manager = MessageManager::new();
/// Log::start(&mut manager, std::io::sink(), LogOptions::new())?;
/// let again = Log::start(&mut manager, std::io::sink(), LogOptions::new());
/// assert!(matches!(again, Err(LogError::Started)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// A log of this manager is being written already, or another [sink](message_core::input) receives its inputs.
    #[error("a log or another sink already receives the inputs of this manager: end it first")]
    Started,
    /// The state cannot be saved, and a log begins with it.
    #[error("a log begins with a save of the state, which failed: {0}")]
    Save(#[from] SaveError),
    /// The writer failed.
    #[error("the log cannot be written: {0}")]
    Write(#[from] io::Error),
}
