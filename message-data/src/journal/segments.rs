//! The files of a journal that is being written.
//!
//! A segment is a [log](crate::log_format): the state, then inputs. When one is long enough, the next is begun while this
//! one goes on: a worker writes the state to a temporary file and syncs it, and meanwhile each input is collected for
//! both. At the next frame the collected inputs are appended, the file gets its name, and the segment before is complete.
//! So at each moment the last complete file and those before it have everything that was handed over.

use std::io;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::journal::config::{Flush, Limits};
use crate::journal::folder::{Folder, FolderFile, TEMPORARY};
use crate::journal::worker::{Crew, Job};
use crate::log::Output;

/// The number of bytes that are collected at most before they are handed over.
const MOST_COLLECTED: usize = 64 << 10;

/// The number of frames from one attempt to begin a segment to the next, if the first has failed or inputs are missed
/// again and again.
const PAUSE: u64 = 60;

/// The name of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SegmentName {
    pub(super) sequence: u64,
    /// The number of inputs before it.
    pub(super) first: u64,
}

impl SegmentName {
    pub(super) fn parse(name: &str) -> Option<Self> {
        let (sequence, first) = name.strip_suffix(".journal")?.split_once('-')?;
        let parsed = Self {
            sequence: sequence.parse().ok()?,
            first: first.parse().ok()?,
        };
        (parsed.to_string() == name).then_some(parsed)
    }
}

impl std::fmt::Display for SegmentName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:08}-{}.journal", self.sequence, self.first)
    }
}

/// How a journal is doing.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct JournalStatus {
    /// The name of the file that is being written.
    pub segment: String,
    /// The number of bytes that were handed over to the operating system since the journal was opened.
    pub bytes: u64,
    /// The number of segments that were begun since then.
    pub segments: u64,
    /// The last failure, if it was not made up for by a segment that was begun after it.
    pub failure: Option<String>,
}

/// The status, shared by the journal, the log and the worker.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<(JournalStatus, Option<String>)>>);

impl Shared {
    pub(super) fn with<T>(&self, call: impl FnOnce(&mut JournalStatus) -> T) -> T {
        call(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).0)
    }

    /// Takes note of a failure by which no input is lost yet. It is reported when the next frame begins.
    pub(super) fn warn(&self, what: String) {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *shared = (
            JournalStatus {
                failure: Some(what.clone()),
                ..std::mem::take(&mut shared.0)
            },
            Some(what),
        );
    }

    /// Takes the last warning.
    fn warning(&self) -> Option<String> {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shared.1.take()
    }
}

/// The segments of a journal, as the output of its log.
pub(super) struct Segments {
    folder: Arc<dyn Folder>,
    limits: Limits,
    crew: Crew,
    status: Shared,
    sequence: u64,
    /// The current segment, or `None` if it could not be written.
    file: Option<Arc<dyn FolderFile>>,
    /// The inputs that were not handed over yet.
    collected: Vec<u8>,
    /// The number of bytes of inputs in the segment, and of frames since its state.
    bytes: u64,
    frames: u64,
    handed_over: Instant,
    next: Option<Next>,
    /// The number of frames until a segment can be begun.
    pause: u64,
}

/// A segment whose state is being written.
struct Next {
    name: SegmentName,
    file: Receiver<io::Result<Arc<dyn FolderFile>>>,
    /// The inputs since its state.
    inputs: Vec<u8>,
}

impl Segments {
    /// Makes the output of a journal whose last segment has this number.
    pub(super) fn new(
        folder: Arc<dyn Folder>,
        limits: Limits,
        sequence: u64,
        status: Shared,
    ) -> Self {
        let crew = Crew::new(Arc::clone(&folder), limits, status.clone());
        Self {
            folder,
            limits,
            crew,
            status,
            sequence,
            file: None,
            collected: Vec::new(),
            bytes: 0,
            frames: 0,
            handed_over: Instant::now(),
            next: None,
            pause: 0,
        }
    }

    /// Hands the collected inputs over to the operating system.
    fn hand_over(&mut self) -> io::Result<()> {
        self.handed_over = Instant::now();
        let Some(file) = &self.file else {
            return Ok(());
        };
        if self.collected.is_empty() {
            return Ok(());
        }
        let written = file.append(&self.collected);
        let written = written.and_then(|()| match self.limits.sync {
            Some(_) => Ok(()),
            None => file.sync(),
        });
        let bytes = self.collected.len() as u64;
        self.collected.clear();
        match &written {
            Ok(()) => self.status.with(|status| status.bytes += bytes),
            Err(error) => {
                // Part of it may be there, so nothing can follow it. The segment that is being begun misses inputs.
                (self.file, self.next) = (None, None);
                self.fail(error);
            }
        }
        written
    }

    fn fail(&self, error: &io::Error) {
        let error = error.to_string();
        self.status.with(|status| status.failure = Some(error));
    }

    /// Goes on with the next segment, if its state is written. With `waits`, waits for that.
    fn install(&mut self, waits: bool) -> io::Result<()> {
        let Some(next) = &self.next else {
            return Ok(());
        };
        let made = if waits {
            next.file.recv().map_err(|_| TryRecvError::Disconnected)
        } else {
            next.file.try_recv()
        };
        let made = match made {
            Err(TryRecvError::Empty) => return Ok(()),
            Err(TryRecvError::Disconnected) => Err(io::Error::other("its worker has ended")),
            Ok(made) => made,
        };
        let Some(Next { name, inputs, .. }) = self.next.take() else {
            return Ok(());
        };
        let (temporary, name) = (format!("{name}{TEMPORARY}"), name.to_string());
        let installed = made.and_then(|file| {
            file.append(&inputs)?;
            self.folder.rename(&temporary, &name)?;
            Ok(file)
        });
        match installed {
            Ok(file) => {
                self.collected.clear();
                self.bytes = inputs.len() as u64;
                self.file = Some(Arc::clone(&file));
                self.status.with(|status| {
                    status.failure = None;
                    status.segment.clone_from(&name);
                    status.segments += 1;
                    status.bytes += inputs.len() as u64;
                });
                self.crew.give(Job::Complete { file });
                Ok(())
            }
            Err(error) => {
                let _ = self.folder.remove(&temporary);
                if self.file.is_none() {
                    self.fail(&error);
                    return Err(error);
                }
                let what = "the next segment of the journal cannot be begun, so this one goes on";
                self.status.warn(format!("{what}: {error}"));
                Ok(())
            }
        }
    }
}

impl Output for Segments {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(next) = &mut self.next {
            next.inputs.extend(bytes);
        }
        if self.file.is_none() {
            return Ok(());
        }
        self.collected.extend(bytes);
        self.bytes += bytes.len() as u64;
        if self.limits.flush == Flush::EachInput || self.collected.len() >= MOST_COLLECTED {
            self.hand_over()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.hand_over()?;
        let is_complete = self.file.is_some();
        self.install(!is_complete)
    }

    fn begin_frame(&mut self, misses_inputs: bool) -> io::Result<bool> {
        let is_time = match self.limits.flush {
            Flush::EachInput => false,
            Flush::EachFrame => true,
            Flush::Every(interval) => self.handed_over.elapsed() >= interval,
        };
        if is_time || self.next.is_some() {
            self.hand_over()?;
        }
        self.install(false)?;
        self.frames += 1;
        self.pause = self.pause.saturating_sub(1);
        let is_due = misses_inputs
            || self.frames >= self.limits.segment_frames
            || self.bytes >= self.limits.segment_bytes;
        if !is_due || self.pause > 0 || self.next.is_some() {
            return Ok(false);
        }
        self.pause = PAUSE.min(self.limits.segment_frames);
        Ok(true)
    }

    fn begin_segment(&mut self, bytes: Vec<u8>, inputs: u64) -> io::Result<()> {
        self.sequence += 1;
        let name = SegmentName {
            sequence: self.sequence,
            first: inputs,
        };
        let (made, file) = mpsc::channel();
        let temporary = format!("{name}{TEMPORARY}");
        self.crew.give(Job::Begin {
            temporary,
            bytes,
            made,
        });
        self.frames = 0;
        self.next = Some(Next {
            name,
            file,
            inputs: Vec::new(),
        });
        let is_first = self.status.with(|status| status.segments == 0);
        if is_first || self.limits.sync.is_none() {
            self.hand_over()?;
            self.install(true)?;
        }
        Ok(())
    }

    fn warning(&mut self) -> Option<String> {
        self.status.warning()
    }
}

/// Hands over what is left; the worker syncs it.
impl Drop for Segments {
    fn drop(&mut self) {
        let _ = self.hand_over();
        if let Some(file) = self.file.take() {
            self.crew.give(Job::Complete { file });
        }
    }
}
