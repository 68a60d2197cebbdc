//! The work of a journal that waits for the disk: on a thread of its own, or in the frame.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::journal::config::Limits;
use crate::journal::folder::{Folder, FolderFile};
use crate::journal::segments::{SegmentName, Shared};

/// A job for the worker.
pub(super) enum Job {
    /// Writes the beginning of a segment to a temporary file and syncs it.
    Begin {
        temporary: String,
        bytes: Vec<u8>,
        made: Sender<io::Result<Arc<dyn FolderFile>>>,
    },
    /// Syncs the file, which is the one to be synced from then on.
    Sync {
        file: Arc<dyn FolderFile>,
        done: Sender<io::Result<()>>,
    },
    /// A segment has its name: makes that durable, and removes those that are no longer kept.
    Complete,
}

/// Does the jobs of a journal, one after the other.
pub(super) struct Worker {
    folder: Arc<dyn Folder>,
    keep: usize,
    status: Shared,
    /// The segment that is being written.
    file: Option<Arc<dyn FolderFile>>,
}

impl Worker {
    fn work(&mut self, job: Job) {
        match job {
            Job::Begin {
                temporary,
                bytes,
                made,
            } => {
                let file = self.folder.create(&temporary).and_then(|file| {
                    file.append(&bytes)?;
                    file.sync()?;
                    Ok(file)
                });
                let is_made = file.is_ok();
                // Nobody waits for it if a write has failed meanwhile.
                if made.send(file).is_err() || !is_made {
                    let _ = self.folder.remove(&temporary);
                }
            }
            Job::Sync { file, done } => {
                self.file = Some(file);
                if let Err(mpsc::SendError(synced)) = done.send(self.sync()) {
                    self.note(synced);
                }
            }
            Job::Complete => {
                let completed = self.folder.sync().and_then(|()| self.remove_old());
                self.note(completed);
            }
        }
    }

    fn sync(&self) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), |file| file.sync())
    }

    fn remove_old(&self) -> io::Result<()> {
        let names = self.folder.names()?;
        let mut segments: Vec<_> = names
            .iter()
            .filter_map(|it| SegmentName::parse(it))
            .collect();
        segments.sort_unstable();
        let old = segments.len().saturating_sub(self.keep + 1);
        let mut old = segments.iter().take(old);
        old.try_for_each(|name| self.folder.remove(&name.to_string()))
    }

    fn note(&self, done: io::Result<()>) {
        if let Err(error) = done {
            let what = "the journal cannot be synced or cleaned up, so it may grow or lose more";
            self.status.warn(format!("{what}: {error}"));
        }
    }
}

/// Does the jobs.
pub(super) enum Crew {
    /// At once.
    Here(Box<Worker>),
    /// On another thread, which also syncs the segment from time to time. It ends when the last job is done.
    Thread(Option<(Sender<Job>, JoinHandle<()>)>),
}

impl Crew {
    pub(super) fn new(folder: Arc<dyn Folder>, limits: Limits, status: Shared) -> Self {
        let mut worker = Worker {
            folder,
            keep: limits.keep,
            status,
            file: None,
        };
        let Some(interval) = limits.sync else {
            return Self::Here(Box::new(worker));
        };
        let interval = interval.max(Duration::from_millis(1));
        let (jobs, given) = mpsc::channel();
        let thread = thread::Builder::new().name("journal".to_owned());
        let thread = thread.spawn(move || {
            loop {
                match given.recv_timeout(interval) {
                    Ok(job) => worker.work(job),
                    Err(RecvTimeoutError::Timeout) => worker.note(worker.sync()),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        match thread {
            Ok(thread) => Self::Thread(Some((jobs, thread))),
            // Without a receiver, each job fails, and the journal says so.
            Err(_) => Self::Thread(None),
        }
    }

    pub(super) fn give(&mut self, job: Job) {
        match self {
            Self::Here(worker) => worker.work(job),
            Self::Thread(thread) => {
                let _ = thread.as_ref().map(|(jobs, _)| jobs.send(job));
            }
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        if let Self::Thread(thread) = self
            && let Some((jobs, thread)) = thread.take()
        {
            drop(jobs);
            let _ = thread.join();
        }
    }
}
