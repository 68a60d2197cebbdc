//! The result of a replay, and why it could not go on.

use std::io;

use message_core::MessageManager;
use message_format::DataError;

use crate::log::difference::Difference;
use crate::save::RestoreError;

/// The result of a replay.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Log, LogOptions, Replay};
///
/// # let folder = std::env::temp_dir();
/// # let path = folder.join(format!("docs-replayed-{}.log", std::process::id()));
/// let mut manager = MessageManager::new();
/// Log::start(&mut manager, std::fs::File::create(&path)?, LogOptions::new())?;
/// manager.spawn(());
/// Log::stop(&mut manager)?;
/// let replayed = Replay::open(&path)?.run()?;
/// assert_eq!((replayed.manager.len(), replayed.inputs), (1, 1));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Replayed {
    /// The manager in its final state.
    pub manager: MessageManager,
    /// The number of inputs replayed.
    pub inputs: u64,
    /// The number of digests compared.
    pub digests: u64,
    /// `true` if the log is cut off in the middle of an input, as can happen when a program crashes.
    pub is_cut: bool,
    /// The text of the panic, if the last input has panicked. The manager is as the panic has left it.
    pub panicked: Option<String>,
}

/// Why a log cannot be replayed, or not to its end. The manager is there as far as it came: see
/// [`Replay::run_on`](crate::Replay::run_on).
///
/// ```
/// use message_data::{Replay, ReplayError};
///
/// let error = Replay::of_bytes(b"no log".to_vec()).run().expect_err("it is none");
/// assert!(matches!(error, ReplayError::Read(_)));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The file cannot be read.
    #[error("{file}: {error}")]
    File {
        /// The file.
        file: String,
        /// The error.
        #[source]
        error: io::Error,
    },
    /// The bytes are not a log, or the log was changed.
    #[error(transparent)]
    Read(#[from] DataError),
    /// The state that the log begins with cannot be restored.
    #[error("the state at the beginning of the log: {0}")]
    Restore(#[from] RestoreError),
    /// The log has an input that could not be written.
    #[error(
        "input {input} could not be written to the log, so what follows cannot be replayed: {what} ({place})"
    )]
    Impure {
        /// The number of inputs replayed before it.
        input: u64,
        /// A description of the input.
        what: String,
        /// The place of the call.
        place: String,
    },
    /// The replay reached another state.
    #[error(transparent)]
    Differs(Box<Difference>),
}
