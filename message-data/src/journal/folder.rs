//! The folder of a journal: the few operations on files that it needs, and those of the file system.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder in which a journal keeps its files: a folder of the file system, or anything that works like one.
///
/// Implement it to keep a journal elsewhere, or to test what a program does when its disk fails.
///
/// ```
/// use message_data::journal::{Folder, FolderFile};
/// use std::collections::BTreeMap;
/// use std::io;
/// use std::sync::{Arc, Mutex};
///
/// type Bytes = Arc<Mutex<Vec<u8>>>;
///
/// /// A folder in memory.
/// #[derive(Default)]
/// struct Memory(Mutex<BTreeMap<String, Bytes>>);
///
/// struct MemoryFile(Bytes);
///
/// impl FolderFile for MemoryFile {
///     fn append(&self, bytes: &[u8]) -> io::Result<()> {
///         self.0.lock().unwrap().extend(bytes);
///         Ok(())
///     }
///     fn sync(&self) -> io::Result<()> { Ok(()) }
/// }
///
/// impl Folder for Memory {
///     fn names(&self) -> io::Result<Vec<String>> {
///         Ok(self.0.lock().unwrap().keys().cloned().collect())
///     }
///     fn read(&self, name: &str) -> io::Result<Vec<u8>> {
///         let files = self.0.lock().unwrap();
///         Ok(files.get(name).ok_or(io::ErrorKind::NotFound)?.lock().unwrap().clone())
///     }
///     fn create(&self, name: &str) -> io::Result<Arc<dyn FolderFile>> {
///         let bytes = Bytes::default();
///         self.0.lock().unwrap().insert(name.to_owned(), Arc::clone(&bytes));
///         Ok(Arc::new(MemoryFile(bytes)))
///     }
///     fn rename(&self, from: &str, to: &str) -> io::Result<()> {
///         let mut files = self.0.lock().unwrap();
///         let file = files.remove(from).ok_or(io::ErrorKind::NotFound)?;
///         files.insert(to.to_owned(), file);
///         Ok(())
///     }
///     fn remove(&self, name: &str) -> io::Result<()> {
///         self.0.lock().unwrap().remove(name);
///         Ok(())
///     }
///     fn sync(&self) -> io::Result<()> { Ok(()) }
/// }
/// ```
pub trait Folder: Send + Sync + 'static {
    /// Returns the names of all files.
    ///
    /// # Errors
    ///
    /// Returns the error of the file system, like the other functions.
    fn names(&self) -> io::Result<Vec<String>>;

    /// Returns the content of a file.
    #[allow(clippy::missing_errors_doc, reason = "the same for all")]
    fn read(&self, name: &str) -> io::Result<Vec<u8>>;

    /// Creates a file, or makes it empty.
    #[allow(clippy::missing_errors_doc, reason = "the same for all")]
    fn create(&self, name: &str) -> io::Result<Arc<dyn FolderFile>>;

    /// Renames a file. Replaces one that has that name, at once.
    #[allow(clippy::missing_errors_doc, reason = "the same for all")]
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file.
    #[allow(clippy::missing_errors_doc, reason = "the same for all")]
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Returns when the names of all files have reached the disk.
    #[allow(clippy::missing_errors_doc, reason = "the same for all")]
    fn sync(&self) -> io::Result<()>;

    /// Locks the folder until what is returned is dropped or the process ends. By default, nothing is locked.
    ///
    /// # Errors
    ///
    /// Returns an error of the kind [`ResourceBusy`](io::ErrorKind::ResourceBusy), whose text says who has locked it, if the
    /// folder is locked already, or the error of the file system.
    fn lock(&self) -> io::Result<Box<dyn Send + Sync>> {
        Ok(Box::new(()))
    }
}

/// A file in a [`Folder`] that is being written.
pub trait FolderFile: Send + Sync + 'static {
    /// Appends bytes. After an error, any number of them may have been written.
    ///
    /// # Errors
    ///
    /// Returns the error of the file system.
    fn append(&self, bytes: &[u8]) -> io::Result<()>;

    /// Returns when everything has reached the disk.
    ///
    /// # Errors
    ///
    /// Returns the error of the file system.
    fn sync(&self) -> io::Result<()>;
}

impl FolderFile for File {
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = self;
        file.write_all(bytes)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }
}

/// A folder of the file system.
pub(crate) struct Disk(PathBuf);

impl Disk {
    pub(crate) fn at(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Opens a folder, and creates it if necessary.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        Ok(Self::at(path))
    }
}

impl Folder for Disk {
    fn names(&self) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(&self.0)?;
        let names = entries.map(|entry| Ok(entry?.file_name().into_string().ok()));
        names.filter_map(Result::transpose).collect()
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        fs::read(self.0.join(name))
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn FolderFile>> {
        Ok(Arc::new(File::create(self.0.join(name))?))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    fn sync(&self) -> io::Result<()> {
        // Elsewhere a folder cannot be opened, and renaming is durable by itself.
        if cfg!(unix) {
            File::open(&self.0)?.sync_all()?;
        }
        Ok(())
    }

    fn lock(&self) -> io::Result<Box<dyn Send + Sync>> {
        let path = self.0.join(LOCK);
        let Some(mut file) = locked(&path)? else {
            let owner = fs::read_to_string(&path).unwrap_or_default();
            let owner = match owner.trim() {
                "" => "another process",
                owner => owner,
            };
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, owner));
        };
        // For the error of those who find it locked.
        let program = std::env::current_exe().unwrap_or_default();
        let program = program.file_name().unwrap_or_default().display();
        file.set_len(0)?;
        writeln!(file, "process {}, `{program}`", std::process::id())?;
        Ok(Box::new(file))
    }
}

/// Opens a file that one process can have open at a time. Returns `None` if it is open already. The lock ends with the
/// process, however that ends.
#[cfg(unix)]
fn locked(path: &Path) -> io::Result<Option<nix::fcntl::Flock<File>>> {
    use nix::errno::Errno;
    use nix::fcntl::{Flock, FlockArg};

    let mut options = File::options();
    let file = options
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)?;
    match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
        Ok(file) => Ok(Some(file)),
        Err((_, Errno::EWOULDBLOCK)) => Ok(None),
        Err((_, error)) => Err(error.into()),
    }
}

/// Like the function for Unix: others can read the file while it is open, and not write it.
#[cfg(windows)]
fn locked(path: &Path) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;

    const FILE_SHARE_READ: u32 = 1;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    let mut options = File::options();
    let options = options.create(true).truncate(false).write(true);
    match options.share_mode(FILE_SHARE_READ).open(path) {
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
        file => file.map(Some),
    }
}

/// Elsewhere there are no other processes.
#[cfg(not(any(unix, windows)))]
fn locked(path: &Path) -> io::Result<Option<File>> {
    File::create(path).map(Some)
}

/// Writes a file so that it is there as a whole or not at all: under another name first, which is then changed.
pub(crate) fn write_atomically(folder: &dyn Folder, name: &str, bytes: &[u8]) -> io::Result<()> {
    let temporary = format!("{name}{TEMPORARY}");
    let written = folder.create(&temporary).and_then(|file| {
        file.append(bytes)?;
        file.sync()
    });
    let renamed = written.and_then(|()| folder.rename(&temporary, name));
    if renamed.is_err() {
        let _ = folder.remove(&temporary);
    }
    renamed?;
    folder.sync()
}

/// The name of the file that is locked.
pub(super) const LOCK: &str = "lock";

/// The end of the names of files that are not complete yet.
pub(super) const TEMPORARY: &str = ".tmp";
