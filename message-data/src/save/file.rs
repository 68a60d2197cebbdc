//! Saves in files.

use std::io;
use std::path::{Path, PathBuf};

use message_core::{ManagerConfig, MessageManager};

use crate::journal::{Disk, write_atomically};
use crate::{RestoreError, RestoredManager, SaveError, SaveOptions, restore, save};

/// Why a manager cannot be saved to a file or restored from one.
///
/// ```
/// use message_core::ManagerConfig;
/// use message_data::{self as data, FileError};
///
/// let error = data::restore_from("no/such/file.sav", ManagerConfig::new()).expect_err("there is none");
/// assert!(matches!(error, FileError::File { .. }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The error.
        #[source]
        error: io::Error,
    },
    /// The manager cannot be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The content of the file cannot be restored.
    #[error("{}: {error}", file.display())]
    Restore {
        /// The file.
        file: PathBuf,
        /// The error.
        #[source]
        error: RestoreError,
    },
}

impl FileError {
    fn of(file: &Path) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_owned();
        move |error| Self::File { file, error }
    }
}

/// [Saves](save) a manager to a file. The file is complete or, after an error or a power failure, the one from before: the
/// save is written to a temporary file in the same folder and synced, and then gets the name.
///
/// # Errors
///
/// Returns an error if the manager cannot be saved, or the file cannot be written.
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](MessageManager::settle), which is called first.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, SaveOptions};
///
/// # let path = std::env::temp_dir().join(format!("docs-{}.sav", std::process::id()));
/// let mut manager = MessageManager::new();
/// manager.spawn_named("rock", ());
/// data::save_to(&mut manager, &path, &SaveOptions::new())?;
///
/// let restored = data::restore_from(&path, ManagerConfig::new())?;
/// assert_eq!(restored.manager.find("rock").count(), 1);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save_to(
    manager: &mut MessageManager,
    file: impl AsRef<Path>,
    options: &SaveOptions,
) -> Result<(), FileError> {
    let file = file.as_ref();
    let bytes = save(manager, options)?;
    write_file(file, &bytes).map_err(FileError::of(file))
}

/// Writes a file that is complete or, after an error, the one from before.
///
/// # Errors
///
/// Returns the error of the file system, or one if the path does not end in a name.
pub fn write_file(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, NO_NAME))?;
    write_atomically(&Disk::at(folder), name, bytes)
}

const NO_NAME: &str = "expected a path that ends in the name of a file, in Unicode";

/// [Restores](restore) a manager from a file.
///
/// # Errors
///
/// Returns an error if the file cannot be read, or for the same reasons as [`restore`].
///
/// # Panics
///
/// Panics if a handler that is notified of `Restored` panics.
///
/// ```
/// use message_core::ManagerConfig;
/// use message_data as data;
///
/// assert!(data::restore_from("no/such/file.sav", ManagerConfig::new()).is_err());
/// ```
#[track_caller]
pub fn restore_from(
    file: impl AsRef<Path>,
    config: ManagerConfig,
) -> Result<RestoredManager, FileError> {
    let file = file.as_ref();
    let bytes = std::fs::read(file);
    let bytes = bytes.map_err(FileError::of(file))?;
    restore(&bytes, config).map_err(|error| FileError::Restore {
        file: file.to_owned(),
        error,
    })
}
