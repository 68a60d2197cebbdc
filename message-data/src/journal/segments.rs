//! The files of a journal that is being written.
//!
//! A segment is a [log](crate::log_format): the state, then inputs. When one is long enough, the next is begun while this
//! one goes on: a worker writes the state to a temporary file and syncs it, and meanwhile each input is collected for
//! both. Then the collected inputs are appended and synced, too, and at the next frame the file gets its name. So the
//! newest file that has a name lacks nothing that was handed over to the one before it and synced.

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

/// The number of bytes of inputs that wait at most for a segment that is being begun.
const MOST_WAITING: usize = 64 << 20;

/// The number of frames from one attempt to begin a segment to the next, if the first has failed or inputs are missed
/// again and again.
const PAUSE: u64 = 60;

type SharedFile = Arc<dyn FolderFile>;

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
    file: Option<SharedFile>,
    /// The inputs that were not handed over yet.
    collected: Vec<u8>,
    /// The number of bytes of inputs in the segment, and of frames since its state.
    bytes: u64,
    frames: u64,
    handed_over: Instant,
    next: Option<Next>,
    /// The number of frames until a segment can be begun.
    pause: u64,
    /// Keeps others from opening the folder. It is dropped last.
    _lock: Box<dyn Send + Sync>,
}

/// A segment that is being begun.
struct Next {
    name: SegmentName,
    /// The file with the state, when it is synced.
    made: Receiver<io::Result<SharedFile>>,
    /// The file with the inputs until it was made, and the answer when these are synced as well.
    file: Option<(SharedFile, Receiver<io::Result<()>>)>,
    /// The inputs that are not in the file yet.
    inputs: Vec<u8>,
}

impl Next {
    fn temporary(&self) -> String {
        format!("{}{TEMPORARY}", self.name)
    }
}

impl Segments {
    /// Makes the output of a journal whose last segment has this number.
    pub(super) fn new(
        folder: Arc<dyn Folder>,
        limits: Limits,
        sequence: u64,
        status: Shared,
        lock: Box<dyn Send + Sync>,
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
            _lock: lock,
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
            // Part of it may be there, so nothing can follow it.
            Err(_) => self.give_up(),
        }
        written
    }

    /// Goes on with the next segment if it has everything that this one has. With `waits`, waits for that.
    fn advance(&mut self, waits: bool) -> io::Result<()> {
        while let Some(next) = &mut self.next {
            let done = match &next.file {
                None => receive(&next.made, waits).map(|made| made.map(Some)),
                Some((_, synced)) => receive(synced, waits).map(|synced| synced.map(|()| None)),
            };
            let made = match done {
                None => return Ok(()),
                Some(Ok(made)) => made,
                Some(Err(error)) => return self.abandon(error),
            };
            let Some(file) = made else {
                return self.install();
            };
            if let Err(error) = file.append(&std::mem::take(&mut next.inputs)) {
                return self.abandon(error);
            }
            let (done, synced) = mpsc::channel();
            next.file = Some((Arc::clone(&file), synced));
            self.crew.give(Job::Sync { file, done });
        }
        Ok(())
    }

    fn install(&mut self) -> io::Result<()> {
        let Some(next) = &self.next else {
            return Ok(());
        };
        let (temporary, name) = (next.temporary(), next.name.to_string());
        let installed = next.file.as_ref().map_or(Ok(None), |(file, _)| {
            file.append(&next.inputs)?;
            self.folder.rename(&temporary, &name)?;
            Ok(Some(Arc::clone(file)))
        });
        match installed {
            Ok(file) => {
                (self.file, self.next) = (file, None);
                self.collected.clear();
                self.status.with(|status| {
                    status.failure = None;
                    status.segment = name;
                    status.segments += 1;
                });
                self.crew.give(Job::Complete);
                Ok(())
            }
            Err(error) => self.abandon(error),
        }
    }

    /// Gives up the segment that is being begun. The current one goes on, if there is one.
    fn abandon(&mut self, error: io::Error) -> io::Result<()> {
        self.forget_next();
        if self.file.is_none() {
            return Err(error);
        }
        let what = "the next segment of the journal cannot be begun, so this one continues";
        self.status.warn(format!("{what}: {error}"));
        Ok(())
    }

    fn forget_next(&mut self) {
        // If the worker has not made the file yet, it removes it itself.
        if let Some(next) = self.next.take()
            && (next.file.is_some() || matches!(next.made.try_recv(), Ok(Ok(_))))
        {
            let _ = self.folder.remove(&next.temporary());
        }
    }
}

/// Returns the answer of the worker, or `None` if it is still at work.
fn receive<T>(from: &Receiver<io::Result<T>>, waits: bool) -> Option<io::Result<T>> {
    let ended = || Err(io::Error::other("its worker has ended"));
    if waits {
        return Some(from.recv().unwrap_or_else(|_| ended()));
    }
    match from.try_recv() {
        Err(TryRecvError::Empty) => None,
        Err(TryRecvError::Disconnected) => Some(ended()),
        Ok(answer) => Some(answer),
    }
}

impl Output for Segments {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(next) = &mut self.next {
            next.inputs.extend(bytes);
            if next.inputs.len() > MOST_WAITING {
                self.abandon(io::Error::other("writing its state takes too long"))?;
            }
        }
        if self.file.is_none() {
            return match self.next {
                Some(_) => Ok(()),
                None => Err(no_segment()),
            };
        }
        self.collected.extend(bytes);
        self.bytes += bytes.len() as u64;
        if self.limits.flush == Flush::EachInput || self.collected.len() >= MOST_COLLECTED {
            self.hand_over()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hand_over()?;
        self.advance(self.file.is_none())?;
        if self.file.is_none() {
            return Err(no_segment());
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.hand_over()?;
        self.advance(true)?;
        self.flush()
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
        self.advance(false)?;
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
        self.forget_next();
        self.sequence += 1;
        let name = SegmentName {
            sequence: self.sequence,
            first: inputs,
        };
        let (answer, made) = mpsc::channel();
        let next = Next {
            name,
            made,
            file: None,
            inputs: Vec::new(),
        };
        self.crew.give(Job::Begin {
            temporary: next.temporary(),
            bytes,
            made: answer,
        });
        (self.frames, self.bytes, self.next) = (0, 0, Some(next));
        let is_first = self.status.with(|status| status.segments == 0);
        if is_first || self.limits.sync.is_none() {
            self.hand_over()?;
            self.advance(true)?;
        }
        Ok(())
    }

    fn give_up(&mut self) {
        self.file = None;
        self.collected.clear();
        self.forget_next();
    }

    fn note(&mut self, failure: &str) {
        let failure = Some(failure.to_owned());
        self.status.with(|status| status.failure = failure);
    }

    fn warning(&mut self) -> Option<String> {
        self.status.warning()
    }
}

fn no_segment() -> io::Error {
    io::Error::other("the journal has no segment that can be written")
}

/// Hands over what is left. The worker syncs it.
impl Drop for Segments {
    fn drop(&mut self) {
        let _ = self.finish();
        if let Some(file) = self.file.take() {
            let (done, _) = mpsc::channel();
            self.crew.give(Job::Sync { file, done });
        }
    }
}
