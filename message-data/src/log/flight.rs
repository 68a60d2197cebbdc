//! A log of the last frames, in memory.

use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use message_core::MessageManager;

use crate::log::options::{LogError, LogOptions};
use crate::log::writing::{Log, Output};

/// A log of the last frames, which is kept in memory and written to a file when something went wrong.
///
/// The log begins with the state, like each log, and begins anew from time to time. So it has the last frames, usually at
/// least as many as were asked for and at most twice as many, and a [`Replay`](crate::Replay) repeats them. It has fewer
/// after 16 MiB of inputs, and after something that a log cannot repeat. If the state cannot be saved, the log ends after
/// 32 MiB of inputs, until it can begin anew. [`Log::stop`] ends it.
///
/// It has the components as the last input has found them: a change by [`get_mut`](MessageManager::get_mut) since then is
/// missing.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{FlightRecorder, Replay};
/// use std::time::Duration;
///
/// # let path = std::env::temp_dir().join(format!("docs-flight-{}.log", std::process::id()));
/// let mut manager = MessageManager::new();
/// let flight = FlightRecorder::start(&mut manager, 60)?;
/// flight.write_on_panic(&path);
/// for _ in 0..1_000 {
///     manager.tick(Duration::from_millis(16));
/// }
/// flight.write_to(&path)?; // A player reports a mistake.
///
/// let replayed = Replay::open(&path)?.run()?;
/// assert_eq!(replayed.manager.clock().frame(), 1_000);
/// assert!((60..=120).contains(&replayed.inputs));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A program that is compiled with `panic = "abort"` writes it in a panic hook:
///
/// ```
/// use message_core::prelude::*;
/// use message_data::FlightRecorder;
///
/// let mut manager = MessageManager::new();
/// let flight = FlightRecorder::start(&mut manager, 3_600)?;
/// # let before = std::panic::take_hook();
/// std::panic::set_hook(Box::new(move |panic| {
///     eprintln!("{panic}");
///     let _ = flight.write_to("crash.log");
/// }));
/// # std::panic::set_hook(before);
/// # Ok::<(), message_data::LogError>(())
/// ```
#[derive(Clone)]
pub struct FlightRecorder(Arc<Mutex<Flight>>);

impl std::fmt::Debug for FlightRecorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("FlightRecorder").finish_non_exhaustive()
    }
}

/// The number of bytes of inputs after which the log begins anew, with the next frame. After twice as many, it ends until
/// then.
const MOST_BYTES: usize = 16 << 20;

/// The number of frames from one attempt to begin anew to the next.
const PAUSE: u64 = 60;

impl FlightRecorder {
    /// Keeps the inputs of the last frames from now on. The log begins anew after this number of frames, or after 16 MiB
    /// of inputs; the state is written then, and the one before the last is dropped.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Log::start`].
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::FlightRecorder;
    ///
    /// let mut manager = MessageManager::new();
    /// let minute = FlightRecorder::start(&mut manager, 3_600)?;
    /// # Ok::<(), message_data::LogError>(())
    /// ```
    pub fn start(manager: &mut MessageManager, frames: u64) -> Result<Self, LogError> {
        let frame = manager.clock().frame();
        let flight = Flight {
            every: frames.max(1),
            last: frame,
            begins_at: frame,
            ..Flight::default()
        };
        let flight = Self(Arc::new(Mutex::new(flight)));
        let options = LogOptions::new().digest_every(600);
        Log::begin_output(manager, Box::new(Recording(flight.clone())), options, 0)?;
        Ok(flight)
    }

    /// Writes the log to this file when a panic drops the manager, on the thread that panics.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::FlightRecorder;
    ///
    /// let mut manager = MessageManager::new();
    /// FlightRecorder::start(&mut manager, 3_600)?.write_on_panic("crash.log");
    /// # Ok::<(), message_data::LogError>(())
    /// ```
    pub fn write_on_panic(&self, file: impl Into<PathBuf>) {
        self.flight().file = Some(file.into());
    }

    /// Writes the log to a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::FlightRecorder;
    ///
    /// let mut manager = MessageManager::new();
    /// let flight = FlightRecorder::start(&mut manager, 3_600)?;
    /// assert!(flight.write_to("no/such/folder/crash.log").is_err());
    /// # Ok::<(), message_data::LogError>(())
    /// ```
    pub fn write_to(&self, file: impl AsRef<Path>) -> io::Result<()> {
        std::fs::write(file, self.bytes())
    }

    /// Returns the bytes of the log.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{FlightRecorder, Replay};
    ///
    /// let mut manager = MessageManager::new();
    /// let flight = FlightRecorder::start(&mut manager, 3_600)?;
    /// manager.spawn(());
    /// assert_eq!(Replay::of_bytes(flight.bytes()).run()?.inputs, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let chunks = self.chunks();
        let mut bytes = Vec::with_capacity(chunks.iter().map(|it| it.len()).sum());
        for chunk in &chunks {
            bytes.extend_from_slice(chunk);
        }
        bytes
    }

    /// Returns the log in chunks. Shares all but the last ones of each segment, because the manager waits meanwhile.
    fn chunks(&self) -> Vec<Chunk> {
        let flight = self.flight();
        // The older segment leads to the state that the newest one begins with.
        let mut chunks = vec![Arc::clone(&flight.first().head)];
        for segment in flight.older.iter().chain([&flight.newest]) {
            let Inputs {
                chunks: whole,
                last,
                ..
            } = &segment.inputs;
            chunks.extend(whole.iter().cloned());
            chunks.push(Arc::new(last.clone()));
        }
        chunks
    }

    /// Returns the number of bytes of the log.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::FlightRecorder;
    ///
    /// let mut manager = MessageManager::new();
    /// let flight = FlightRecorder::start(&mut manager, 3_600)?;
    /// assert_eq!(flight.size(), flight.bytes().len());
    /// # Ok::<(), message_data::LogError>(())
    /// ```
    #[must_use]
    pub fn size(&self) -> usize {
        let flight = self.flight();
        let parts = flight.older.iter().chain([&flight.newest]);
        let sizes = parts.map(|it| it.inputs.len);
        sizes.sum::<usize>() + flight.first().head.len()
    }

    /// Returns the number of bytes of the newest state, which is saved in one go: a measure of how long that holds the
    /// manager up.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::FlightRecorder;
    ///
    /// let mut manager = MessageManager::new();
    /// let flight = FlightRecorder::start(&mut manager, 3_600)?;
    /// assert!((1..=flight.size()).contains(&flight.state_size()));
    /// # Ok::<(), message_data::LogError>(())
    /// ```
    #[must_use]
    pub fn state_size(&self) -> usize {
        self.flight().newest.head.len()
    }

    /// Returns the frames that the log can be replayed to: the one of the state that it begins with, up to the newest.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::FlightRecorder;
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// let flight = FlightRecorder::start(&mut manager, 60)?;
    /// for _ in 0..1_000 {
    ///     manager.tick(Duration::from_millis(16));
    /// }
    /// let frames = flight.frames();
    /// assert!(*frames.end() == 1_000 && (880..=940).contains(frames.start()));
    /// # Ok::<(), message_data::LogError>(())
    /// ```
    #[must_use]
    pub fn frames(&self) -> RangeInclusive<u64> {
        let flight = self.flight();
        flight.first().begun_at..=flight.last
    }

    /// Returns `true` while the inputs of a manager are kept: until the log is [stopped](Log::stop) or the manager is
    /// dropped. The log can be written even then.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::FlightRecorder;
    ///
    /// let mut manager = MessageManager::new();
    /// let flight = FlightRecorder::start(&mut manager, 3_600)?;
    /// assert!(flight.is_recording());
    /// drop(manager);
    /// assert!(!flight.is_recording());
    /// # Ok::<(), message_data::LogError>(())
    /// ```
    #[must_use]
    pub fn is_recording(&self) -> bool {
        !self.flight().has_ended
    }

    fn flight(&self) -> MutexGuard<'_, Flight> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default)]
struct Flight {
    newest: Segment,
    older: Option<Segment>,
    every: u64,
    /// The last frame that has begun.
    last: u64,
    /// The last frame before a segment that begins now.
    begins_at: u64,
    /// Whether the log has ended.
    has_ended: bool,
    /// The number of frames since the newest segment was begun.
    frames: u64,
    /// The number of frames until the next attempt to begin one.
    pause: u64,
    /// Whether inputs are missing from the newest segment.
    misses_inputs: bool,
    /// Whether the newest segment has ended, because it was too long.
    is_full: bool,
    file: Option<PathBuf>,
}

impl Flight {
    /// Returns the segment that the log begins with.
    fn first(&self) -> &Segment {
        self.older.as_ref().unwrap_or(&self.newest)
    }
}

/// Bytes that are not changed any more.
type Chunk = Arc<Vec<u8>>;

/// A state, and the inputs after it.
#[derive(Default)]
struct Segment {
    /// The last frame before it.
    begun_at: u64,
    head: Chunk,
    inputs: Inputs,
}

/// The most bytes of the last chunk, which is copied while the manager waits.
const LAST_BYTES: usize = 64 << 10;

/// The bytes of inputs, in chunks.
#[derive(Default)]
struct Inputs {
    chunks: Vec<Chunk>,
    last: Vec<u8>,
    len: usize,
}

impl Inputs {
    fn put(&mut self, bytes: &[u8]) {
        self.len += bytes.len();
        if self.last.len() + bytes.len() > LAST_BYTES {
            let last = std::mem::take(&mut self.last);
            self.chunks.push(Arc::new(last));
        }
        if bytes.len() > LAST_BYTES {
            self.chunks.push(Arc::new(bytes.to_vec()));
        } else {
            self.last.extend(bytes);
        }
    }
}

/// The output of the log.
struct Recording(FlightRecorder);

impl Output for Recording {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        let flight = &mut *self.0.flight();
        flight.is_full |= flight.newest.inputs.len + bytes.len() > 2 * MOST_BYTES;
        if !flight.is_full {
            flight.newest.inputs.put(bytes);
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn begin_frame(&mut self, misses_inputs: bool) -> io::Result<bool> {
        let flight = &mut *self.0.flight();
        flight.frames += 1;
        flight.pause = flight.pause.saturating_sub(1);
        flight.misses_inputs = misses_inputs;
        let is_long = flight.frames > flight.every || flight.newest.inputs.len >= MOST_BYTES;
        let is_due = flight.pause == 0 && (misses_inputs || is_long);
        if is_due {
            flight.pause = PAUSE.min(flight.every);
        }
        // A segment that begins now has the state before the frame.
        flight.begins_at = flight.last;
        flight.last += 1;
        Ok(is_due)
    }

    fn begin_segment(&mut self, head: Vec<u8>, _inputs: u64) -> io::Result<()> {
        let flight = &mut *self.0.flight();
        let newest = Segment {
            begun_at: flight.begins_at,
            head: Arc::new(head),
            inputs: Inputs::default(),
        };
        let older = std::mem::replace(&mut flight.newest, newest);
        let is_complete = !older.head.is_empty() && !flight.misses_inputs && !flight.is_full;
        flight.older = is_complete.then_some(older);
        (flight.frames, flight.misses_inputs, flight.is_full) = (0, false, false);
        Ok(())
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let mut flight = self.0.flight();
        flight.has_ended = true;
        let file = flight.file.clone();
        drop(flight);
        if std::thread::panicking()
            && let Some(file) = file
        {
            let _ = self.0.write_to(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording() -> Recording {
        Recording(FlightRecorder(Arc::new(Mutex::new(Flight::default()))))
    }

    // holds: logs.flight-copied
    #[test]
    fn the_manager_waits_while_little_is_copied_however_long_the_log_is() -> io::Result<()> {
        let mut recording = recording();
        let flight = recording.0.clone();
        let mut whole = b"the first state".to_vec();
        recording.begin_segment(whole.clone(), 0)?;
        // Also inputs that are longer than a chunk.
        for (byte, len) in [(1, 1), (2, 60_000), (3, 100_000), (4, 7)]
            .into_iter()
            .cycle()
        {
            if whole.len() > 2 * MOST_BYTES - 200_000 {
                break;
            }
            let input = vec![byte; len];
            recording.put(&input)?;
            whole.extend(input);
        }
        let [one, other] = [flight.chunks(), flight.chunks()];
        let copied = |(one, other): (&Chunk, &Chunk)| {
            if Arc::ptr_eq(one, other) {
                0
            } else {
                one.len()
            }
        };
        let copied: usize = one.iter().zip(&other).map(copied).sum();
        assert!(copied <= LAST_BYTES, "{copied} bytes are copied");
        assert!(
            one.len() <= 2 * whole.len() / LAST_BYTES + 2,
            "{} chunks",
            one.len()
        );
        assert_eq!(flight.bytes(), whole);
        assert_eq!(flight.size(), whole.len());
        Ok(())
    }
}
