//! A journal: a folder from which a manager is recovered after its process was killed.
//!
//! A [`Journal`] writes each input of a manager to a file before it runs, and from time to time begins a new file with the
//! whole state. [`Journal::open`] restores the newest state and repeats the inputs after it. The same inputs lead to the
//! same state, so the manager goes on exactly where it was; see [`guide::replay`](crate::guide::replay) for what a program
//! has to keep to.
//!
//! The files are [logs](crate::log_format), named after their number and the number of inputs before them, such as
//! `00000007-36512.journal`. A [`Replay`](crate::Replay) reads each of them.

mod config;
mod folder;
mod recover;
mod segments;
mod worker;

use std::io;
use std::path::Path;
use std::sync::Arc;

use message_core::MessageManager;

use crate::{Log, LogError, LogOptions};

pub use config::{Flush, JournalConfig};
use folder::LOCK;
pub(crate) use folder::{Disk, write_atomically};
pub use folder::{Folder, FolderFile};
pub use recover::{JournalError, Reached, Recovery};
pub use segments::JournalStatus;

#[doc(hidden)]
pub use crate::save::write_file;

use recover::{Recovered, clear, recover};
use segments::{Segments, Shared};

/// The journal of a manager, which is being written.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_data::journal::{Journal, JournalConfig, Opened};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[data(name = "docs.journal.Tree")]
/// #[serde(default)]
/// struct Tree { rings: u32 }
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.journal.Grow", exact)]
/// struct Grow;
///
/// #[handlers]
/// impl Tree {
///     #[on_receive]
///     fn grow(&mut self, _: &Grow) { self.rings += 1; }
/// }
///
/// # let folder = std::env::temp_dir().join(format!("docs-journal-{}", std::process::id()));
/// let Opened { mut manager, journal, recovery } = Journal::open(&folder, &JournalConfig::new())?;
/// if recovery.is_new {
///     manager.spawn_named("tree", (Tree::default(),));
/// }
/// manager.send(Everyone, Grow)?;
/// manager.tick(Duration::from_millis(16));
/// journal.flush(&mut manager)?;
///
/// // The process is killed. The next one goes on where it was.
/// # drop(manager);
/// let Opened { manager, recovery, .. } = Journal::open(&folder, &JournalConfig::new())?;
/// assert_eq!((recovery.frames, recovery.inputs), (1, 3));
/// assert!(manager.iter::<Tree>().map(|(_, tree)| tree.rings).eq([1]));
/// # drop(manager);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Journal(Shared);

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Journal").field(&self.status()).finish()
    }
}

/// A journal that was opened, and the manager whose inputs it writes.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs, reason = "taken apart by its callers")]
pub struct Opened {
    /// The manager.
    pub manager: MessageManager,
    /// The journal.
    pub journal: Journal,
    /// A report on the files that were found in the folder.
    pub recovery: Recovery,
}

impl Journal {
    /// Opens the folder of a journal, and recovers its manager. If there is none, makes the folder and a new manager.
    /// From then on, each input of the manager is written to the journal.
    ///
    /// A folder belongs to one manager at a time: its file `lock` is locked until the manager is dropped, the journal is
    /// [closed](Self::close), or the process ends in any way.
    ///
    /// Messagees have other ids in each process. Inside components and messages they become those of the new manager;
    /// outside of it, find messagees by name or mnemonic.
    ///
    /// # Errors
    ///
    /// Returns an error if another manager or process has the journal open, if a file cannot be read or written, if no state can be restored, or if a file is damaged before
    /// its end. An input that is incomplete at the end of the newest file is no damage.
    ///
    /// # Panics
    ///
    /// Panics if the function that [prepares](JournalConfig::prepare) the manager panics.
    pub fn open(folder: impl AsRef<Path>, config: &JournalConfig) -> Result<Opened, JournalError> {
        Self::open_until(folder, config, u64::MAX)
    }

    /// Like [`open`](Self::open), but recovers at most that many inputs, counted from the first one of the journal. What
    /// follows them is given up: segments that begin after them are removed.
    ///
    /// Use it to open several journals at a moment that all of them have.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`open`](Self::open).
    ///
    /// # Panics
    ///
    /// Panics like [`open`](Self::open).
    ///
    /// ```
    /// use message_data::journal::{Journal, JournalConfig, Opened};
    ///
    /// # let folder = std::env::temp_dir().join(format!("docs-until-{}", std::process::id()));
    /// let Opened { mut manager, journal, .. } = Journal::open(&folder, &JournalConfig::new())?;
    /// let first = manager.spawn_named("first", ());
    /// let before = journal.flush(&mut manager)?;
    /// manager.spawn_named("second", ());
    /// # drop(manager);
    ///
    /// let Opened { manager, .. } = Journal::open_until(&folder, &JournalConfig::new(), before)?;
    /// assert_eq!(manager.len(), 1);
    /// # drop(manager);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_until(
        folder: impl AsRef<Path>,
        config: &JournalConfig,
        inputs: u64,
    ) -> Result<Opened, JournalError> {
        let path = folder.as_ref();
        let disk = Disk::open(path);
        let disk = disk.map_err(|error| JournalError::File {
            file: path.to_owned(),
            error,
        })?;
        let opened = Self::recover(&(Arc::new(disk) as Arc<dyn Folder>), config, inputs);
        opened.map_err(|error| match error {
            JournalError::File { file, error } => {
                let file = path.join(file);
                JournalError::File { file, error }
            }
            error => error,
        })
    }

    /// Like [`open`](Self::open), in a folder of any kind.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`open`](Self::open).
    ///
    /// # Panics
    ///
    /// Panics like [`open`](Self::open).
    pub fn open_in(
        folder: &Arc<dyn Folder>,
        config: &JournalConfig,
    ) -> Result<Opened, JournalError> {
        Self::recover(folder, config, u64::MAX)
    }

    fn recover(
        folder: &Arc<dyn Folder>,
        config: &JournalConfig,
        inputs: u64,
    ) -> Result<Opened, JournalError> {
        let lock = folder.lock().map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => JournalError::InUse(error.to_string()),
            _ => JournalError::of(LOCK)(error),
        })?;
        let Recovered {
            mut manager,
            report,
            sequence,
        } = recover(&**folder, config, inputs)?;
        let shared = Shared::default();
        let folder = Arc::clone(folder);
        let segments = Segments::new(
            Arc::clone(&folder),
            config.limits,
            sequence,
            shared.clone(),
            lock,
        );
        let mut options = LogOptions::new().digest_every(config.digest_every);
        options.refuses = config.stops_on_failure;
        let output = Box::new(segments);
        let begun = Log::begin_output(&mut manager, output, options, report.inputs);
        begun.map_err(|error| match error {
            LogError::Save(error) => JournalError::Save(error),
            LogError::Write(error) => JournalError::of("")(error),
            LogError::Started => unreachable!("the manager was just made"),
        })?;
        clear(&*folder).map_err(JournalError::of(""))?;
        Ok(Opened {
            manager,
            journal: Self(shared),
            recovery: report,
        })
    }

    /// Returns how the journal is doing.
    #[must_use]
    pub fn status(&self) -> JournalStatus {
        self.0.with(|status| status.clone())
    }

    /// Hands everything that was logged over to the operating system, as the end of an important step. If the journal has
    /// [stopped](JournalConfig::stop_on_failure) the manager, tries to begin a segment. Returns the number of inputs in the
    /// journal, from the first one on.
    ///
    /// # Errors
    ///
    /// Returns the error of the file system, or an error if the manager has no journal.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`settle`](MessageManager::settle), which is called first.
    pub fn flush(&self, manager: &mut MessageManager) -> io::Result<u64> {
        manager.settle();
        let mut log = Log::detach(manager).ok_or_else(no_journal)?;
        let flushed = log.flush(manager);
        let inputs = log.inputs();
        manager.set_input_sink(Some(log));
        flushed.map(|()| inputs)
    }

    /// Ends the journal: everything is written and synced. The manager goes on without it.
    ///
    /// A manager that is dropped ends its journal, too, but for components that were changed by `get_mut` since the last
    /// input, and for inputs that could not be logged.
    ///
    /// # Errors
    ///
    /// Returns the error of the file system, or an error if the manager has no journal.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`settle`](MessageManager::settle), which is called first.
    pub fn close(self, manager: &mut MessageManager) -> io::Result<()> {
        manager.settle();
        let mut log = Log::detach(manager).ok_or_else(no_journal)?;
        log.complete(manager);
        log.end()?;
        match self.status().failure {
            Some(failure) => Err(io::Error::other(failure)),
            None => Ok(()),
        }
    }
}

fn no_journal() -> io::Error {
    io::Error::other("the inputs of this manager are not written to a journal")
}
