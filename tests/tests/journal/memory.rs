//! A folder in memory that fails as disks do: writes that end early, files that lose what was not synced, sectors that were
//! written in part, renamings that are lost.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use message_data::journal::{Folder, FolderFile};

use crate::world::mix;

#[derive(Clone, Debug, Default)]
pub(crate) struct Content {
    pub(crate) bytes: Vec<u8>,
    /// The number of bytes that have reached the disk.
    synced: usize,
}

type Shared = Arc<Mutex<Content>>;

#[derive(Default)]
struct State {
    files: BTreeMap<String, Shared>,
    /// The names that have reached the disk.
    durable: BTreeMap<String, Shared>,
    /// The number of bytes that can still be written; then the disk is full.
    left: Option<usize>,
    /// The number of operations until one fails.
    until_failure: Option<u32>,
}

/// A folder in memory. Its clones are the same folder.
#[derive(Clone, Default)]
pub(crate) struct Memory(Arc<Mutex<State>>);

struct MemoryFile(Memory, Shared);

impl Memory {
    fn with<T>(&self, call: impl FnOnce(&mut State) -> T) -> T {
        call(&mut self.0.lock().expect("no test panics in it"))
    }

    /// Lets an operation fail after that many, and all after it until it is set again.
    pub(crate) fn fail_after(&self, operations: Option<u32>) {
        self.with(|state| state.until_failure = operations);
    }

    /// Sets how many bytes can be written before the disk is full.
    pub(crate) fn set_room(&self, bytes: Option<usize>) {
        self.with(|state| state.left = bytes);
    }

    pub(crate) fn total(&self) -> usize {
        self.with(|state| {
            let files = state.files.values();
            files
                .map(|file| file.lock().expect("unlocked").bytes.len())
                .sum()
        })
    }

    pub(crate) fn file_names(&self) -> Vec<String> {
        self.with(|state| state.files.keys().cloned().collect())
    }

    /// Changes the bytes of a file.
    pub(crate) fn change(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        self.with(|state| change(&mut state.files[name].lock().expect("unlocked").bytes));
    }

    /// Returns the folder as it is found after the power has failed.
    pub(crate) fn after_power_failure(&self, seed: u64) -> Self {
        let dice = |salt: u64| mix(seed ^ salt.wrapping_mul(0x1234_5678_9abc_def1));
        self.with(|state| {
            // Either all changes of names have reached the disk, or none since the last sync.
            let names = if dice(1).is_multiple_of(2) {
                &state.files
            } else {
                &state.durable
            };
            let files = names.iter().enumerate().map(|(at, (name, file))| {
                let Content { bytes, synced } = file.lock().expect("unlocked").clone();
                let unsynced = bytes.len() - synced;
                let dice = dice(at as u64 + 2);
                let kept = usize::try_from(dice).unwrap_or(usize::MAX) % (unsynced + 1);
                let mut bytes = bytes[..synced + kept].to_vec();
                if dice >> 20 & 1 == 1 && kept < unsynced {
                    // A sector that was only claimed.
                    let torn = usize::try_from(dice >> 21 & 511).expect("small");
                    let filler = if dice >> 40 & 1 == 1 { 0 } else { 0xa5 };
                    bytes.extend(std::iter::repeat_n(filler, torn));
                }
                let synced = bytes.len();
                (
                    name.clone(),
                    Arc::new(Mutex::new(Content { bytes, synced })),
                )
            });
            let files: BTreeMap<String, Shared> = files.collect();
            let durable = files.clone();
            let state = State {
                files,
                durable,
                ..State::default()
            };
            Self(Arc::new(Mutex::new(state)))
        })
    }

    /// Counts an operation. Returns an error if it fails.
    fn operate(&self) -> io::Result<()> {
        self.with(|state| match &mut state.until_failure {
            Some(0) => Err(io::Error::other("the disk does not answer")),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        })
    }

    pub(crate) fn folder(&self) -> Arc<dyn Folder> {
        Arc::new(self.clone())
    }
}

impl Folder for Memory {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.file_names())
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let file = self.with(|state| state.files.get(name).cloned());
        let file = file.ok_or(io::ErrorKind::NotFound)?;
        let bytes = file.lock().expect("unlocked").bytes.clone();
        Ok(bytes)
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn FolderFile>> {
        self.operate()?;
        let file = Shared::default();
        self.with(|state| state.files.insert(name.to_owned(), Arc::clone(&file)));
        Ok(Arc::new(MemoryFile(self.clone(), file)))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.operate()?;
        self.with(|state| {
            let file = state.files.remove(from).ok_or(io::ErrorKind::NotFound)?;
            state.files.insert(to.to_owned(), file);
            Ok(())
        })
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.operate()?;
        self.with(|state| {
            if let Some(file) = state.files.remove(name) {
                let freed = file.lock().expect("unlocked").bytes.len();
                state.left = state.left.map(|left| left + freed);
            }
        });
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.operate()?;
        self.with(|state| state.durable = state.files.clone());
        Ok(())
    }
}

impl FolderFile for MemoryFile {
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let failed = self.0.operate();
        let mut file = self.1.lock().expect("unlocked");
        let room = self.0.with(|state| state.left);
        let fits = room.map_or(bytes.len(), |left| left.min(bytes.len()));
        // A write that fails has written some of it.
        let written = if failed.is_err() { fits / 2 } else { fits };
        file.bytes.extend(&bytes[..written]);
        self.0
            .with(|state| state.left = room.map(|left| left - written));
        failed?;
        if fits < bytes.len() {
            return Err(io::Error::new(
                io::ErrorKind::StorageFull,
                "the disk is full",
            ));
        }
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.0.operate()?;
        let mut file = self.1.lock().expect("unlocked");
        file.synced = file.bytes.len();
        Ok(())
    }
}
