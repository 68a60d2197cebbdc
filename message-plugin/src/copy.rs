//! The copy of a library that is checked and loaded.

use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

/// A file in a folder of its own, which is deleted when this value is dropped.
#[derive(Debug)]
pub(crate) struct Copy {
    folder: PathBuf,
    file: PathBuf,
}

impl Copy {
    /// Chooses where the copy of a file goes: in a folder that does not exist yet.
    pub(crate) fn place(of: &Path) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_nanos());
        let name = format!("message-plugin-{}-{number}-{now:x}", process::id());
        let folder = std::env::temp_dir().join(name);
        let file = folder.join(of.file_name().unwrap_or("plugin".as_ref()));
        Self { folder, file }
    }

    /// Writes the file. Nobody else can write into its folder.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt;
            builder.mode(0o700);
        }
        // Fails if the folder exists: then somebody else has created it.
        builder.create(&self.folder)?;
        fs::write(&self.file, bytes)
    }

    pub(crate) fn file(&self) -> &Path {
        &self.file
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // Where a loaded library stays in memory without its file, the file is deleted; elsewhere it remains.
        let _ = fs::remove_file(&self.file);
        let _ = fs::remove_dir(&self.folder);
    }
}
