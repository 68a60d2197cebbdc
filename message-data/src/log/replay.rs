//! Replays a log, and goes to any frame of it.

use std::cell::OnceCell;
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::sync::Arc;
use std::{fmt, fs};

use message_core::{ManagerConfig, MessageManager};

use crate::Digest;
use crate::log::difference::{Difference, changed_by_restored};
use crate::log::form::{End, Entry};
use crate::log::key_frames::{KeyFrame, KeyFrames};
use crate::log::replayed::{ReplayError, Replayed};
use crate::log::run::{From, Met, Run, Source};

/// A log to be replayed.
///
/// The state at the beginning of the log is restored, and each input is applied again. Each digest in the log is
/// compared. The same program yields the same states, bit for bit. If it does not, the error of [`run`](Self::run)
/// names the frame in which it first differs, and what differs.
///
/// Subscribers are closures, so a log does not contain them: use [`prepare`](Self::prepare) to subscribe again.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Data, Log, LogOptions, Replay};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(exact, name = "docs.Grow")]
/// struct Grow { by: u32 }
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[data(name = "docs.Tree")]
/// #[serde(default)]
/// struct Tree { height: u32 }
///
/// #[handlers]
/// impl Tree {
///     #[on_receive]
///     fn grow(&mut self, grow: &Grow) { self.height += grow.by; }
/// }
///
/// # let folder = std::env::temp_dir();
/// # let path = folder.join(format!("docs-tree-{}.log", std::process::id()));
/// let mut manager = MessageManager::new();
/// let tree = manager.spawn((Tree::default(),));
/// Log::start(&mut manager, std::fs::File::create(&path)?, LogOptions::new().digest_every(1))?;
/// manager.send(tree, Grow { by: 3 })?;
/// manager.tick(Duration::from_millis(16));
/// Log::stop(&mut manager)?;
///
/// let replayed = Replay::open(&path)?.run()?;
/// let height = replayed.manager.iter::<Tree>().map(|(_, tree)| tree.height).next();
/// assert_eq!(height, Some(3));
/// assert_eq!((replayed.inputs, replayed.digests), (2, 1));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct Replay {
    source: Arc<Source>,
    config: ManagerConfig,
    prepare: Box<dyn Fn(&mut MessageManager)>,
    read: OnceCell<Read>,
    pub(super) key_frames: KeyFrames,
    /// The frame of the first state, once it is known.
    first: Option<u64>,
    /// The manager as far as it came.
    pub(super) run: Option<Run>,
}

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replay")
            .field("file", &self.source.file)
            .field("bytes", &self.source.bytes.len())
            .field("frame", &self.run.as_ref().map(Run::frame))
            .finish_non_exhaustive()
    }
}

impl Replay {
    /// Reads a log from a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read. Its content is checked by [`run`](Self::run).
    ///
    /// ```
    /// use message_data::{Replay, ReplayError};
    ///
    /// let error = Replay::open("no/such/file.log").expect_err("there is none");
    /// assert!(matches!(error, ReplayError::File { .. }));
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReplayError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        match fs::read(path) {
            Ok(log) => Ok(Self::of_source(log, Some(file.into()))),
            Err(error) => Err(ReplayError::File { file, error }),
        }
    }

    /// Takes the bytes of a log.
    ///
    /// ```
    /// use message_data::Replay;
    ///
    /// assert!(Replay::of_bytes(Vec::new()).run().is_err());
    /// ```
    pub fn of_bytes(log: Vec<u8>) -> Self {
        Self::of_source(log, None)
    }

    fn of_source(bytes: Vec<u8>, file: Option<Arc<str>>) -> Self {
        Self {
            source: Arc::new(Source { bytes, file }),
            config: ManagerConfig::default(),
            prepare: Box::new(|_| {}),
            read: OnceCell::new(),
            key_frames: KeyFrames::new(300, 64 << 20),
            first: None,
            run: None,
        }
    }

    /// Sets the limits of the manager. They should be those of the recorded manager, because limits can affect what
    /// happens. The default is [`ManagerConfig::default`].
    ///
    /// ```
    /// use message_core::ManagerConfig;
    /// use message_data::Replay;
    ///
    /// let mut replay = Replay::of_bytes(Vec::new()).config(ManagerConfig::new().max_depth(20));
    /// assert!(replay.run().is_err());
    /// ```
    pub fn config(mut self, config: ManagerConfig) -> Self {
        self.config = config;
        self
    }

    /// Sets a function that is called after a state is restored: the first one, and a [key frame](Self::key_frames).
    /// Subscribe in it, or start a recorder. [`is_replaying`](MessageManager::is_replaying) is still false in it, and when
    /// components receive [`Restored`](message_core::lifecycle::Restored).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Replay;
    ///
    /// let mut replay = Replay::of_bytes(Vec::new()).prepare(|manager| {
    ///     manager.subscribe(Filter::all(), |_, _| {});
    /// });
    /// assert!(replay.run().is_err());
    /// ```
    pub fn prepare(mut self, prepare: impl Fn(&mut MessageManager) + 'static) -> Self {
        self.prepare = Box::new(prepare);
        self
    }

    /// Sets how often [`until`](Self::until) keeps a save, from which it goes back: every `frames` frames, 300 by
    /// default. While all saves take more than `bytes`, 64 MiB by default, every other one is dropped. With 0 frames, none
    /// is kept, and going back begins with the log.
    ///
    /// A save does not have subscriptions. A frame in which they are not as [`prepare`](Self::prepare) has left them is not
    /// kept, and neither is one in which a message waits in a stage for a closure.
    ///
    /// ```
    /// use message_data::Replay;
    ///
    /// let replay = Replay::of_bytes(Vec::new()).key_frames(60, 16 << 20);
    /// ```
    pub fn key_frames(mut self, frames: u64, bytes: usize) -> Self {
        self.key_frames = KeyFrames::new(frames, bytes);
        self
    }

    /// Replays the log to its end, from where it is, and takes the manager.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a log, if the log was changed, if it has an input that could not be
    /// written, or if the state differs from a digest. In the last case, the state is compared with the one in the
    /// log if the log keeps states. Otherwise, the log is replayed a second time up to that point, and the two states
    /// are compared. The error names the messagee and the field that differ, and another call goes on behind it. After
    /// any other error, [`run_on`](Self::run_on) takes the manager as far as it came.
    ///
    /// ```
    /// use message_data::Replay;
    ///
    /// assert!(Replay::of_bytes(b"MSGCLOG".to_vec()).run().is_err());
    /// ```
    pub fn run(&mut self) -> Result<Replayed, ReplayError> {
        self.go(|_| Ok(false), false)?;
        self.taken()
    }

    /// Goes to a frame: replays the log up to the input that begins the next one, or goes back to the last key frame
    /// before it. Returns the manager in this state. If the log does not have the frame, this is its first or its last
    /// state.
    ///
    /// Forward, it is the same manager as before; back, another one is restored, which has only what
    /// [`prepare`](Self::prepare) has given it. Whatever else is changed in it makes the replay another one.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`run`](Self::run). The replay stays where the error is.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{Log, LogOptions, Replay};
    /// use std::time::Duration;
    ///
    /// # let folder = std::env::temp_dir();
    /// # let path = folder.join(format!("docs-until-{}.log", std::process::id()));
    /// let mut manager = MessageManager::new();
    /// Log::start(&mut manager, std::fs::File::create(&path)?, LogOptions::new())?;
    /// for _ in 0..100 {
    ///     manager.tick(Duration::from_millis(16));
    ///     manager.spawn(());
    /// }
    /// Log::stop(&mut manager)?;
    ///
    /// let mut replay = Replay::open(&path)?;
    /// assert_eq!(replay.until(70)?.len(), 70);
    /// assert_eq!(replay.until(20)?.len(), 20);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn until(&mut self, frame: u64) -> Result<&mut MessageManager, ReplayError> {
        if self.run.as_ref().is_none_or(|run| run.frame() > frame) {
            self.run = Some(self.begin(self.key_frames.before(frame))?);
        }
        let is_there = |run: &Run| Ok(run.frame() >= frame && run.begins_frame()?);
        self.go(is_there, true)?;
        Ok(&mut self.run_mut()?.manager)
    }

    /// Goes back to the last state that is kept from before a frame: that of a [key frame](Self::key_frames), or the first
    /// state of the log. Nothing is replayed, so [`until`](Self::until) can be called for one frame after the other from
    /// there. Returns a manager that is restored.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a log, or if the state cannot be restored.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{FlightRecorder, Replay};
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// let flight = FlightRecorder::start(&mut manager, 3_600)?;
    /// for _ in 0..100 {
    ///     manager.tick(Duration::from_millis(16));
    /// }
    /// let mut replay = Replay::of_bytes(flight.bytes()).key_frames(30, 1 << 20);
    /// replay.until(100)?;
    /// assert_eq!(replay.back(70)?.clock().frame(), 60);
    /// assert_eq!(replay.back(0)?.clock().frame(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn back(&mut self, frame: u64) -> Result<&mut MessageManager, ReplayError> {
        let before = frame.checked_sub(1);
        let key = before.and_then(|before| self.key_frames.before(before));
        let run = self.begin(key)?;
        Ok(&mut self.run.insert(run).manager)
    }

    /// Returns the frames that [`until`](Self::until) can go to: the one of the first state, up to the last that the log
    /// begins. Nothing is replayed.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a log, or if the first state cannot be restored.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{FlightRecorder, Replay};
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.tick(Duration::from_millis(16));
    /// let flight = FlightRecorder::start(&mut manager, 3_600)?;
    /// for _ in 0..100 {
    ///     manager.tick(Duration::from_millis(16));
    /// }
    /// assert_eq!(Replay::of_bytes(flight.bytes()).frames()?, 1..=101);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frames(&mut self) -> Result<RangeInclusive<u64>, ReplayError> {
        if self.first.is_none() {
            let run = self.begin(None)?;
            self.first = Some(run.frame());
            self.run.get_or_insert(run);
        }
        let (first, bytes) = (self.first.unwrap_or_default(), &self.source.bytes);
        let entries = self.read()?.entries.iter();
        let frames = entries.filter(|it| it.begins_frame(bytes)).count() as u64;
        Ok(first..=first.saturating_add(frames))
    }

    /// Takes the manager as far as it came, for a program that goes on from there: a fork. It hears other threads
    /// again, and does not [replay](MessageManager::is_replaying). The log keeps the other future, and
    /// [`until`](Self::until) goes back into it.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing was replayed yet and the first state cannot be restored.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{Log, LogOptions, Replay};
    /// use std::time::Duration;
    ///
    /// # let folder = std::env::temp_dir();
    /// # let path = folder.join(format!("docs-run-on-{}.log", std::process::id()));
    /// let mut manager = MessageManager::new();
    /// Log::start(&mut manager, std::fs::File::create(&path)?, LogOptions::new())?;
    /// for _ in 0..10 {
    ///     manager.tick(Duration::from_millis(16));
    ///     manager.spawn(());
    /// }
    /// Log::stop(&mut manager)?;
    ///
    /// let mut replay = Replay::open(&path)?;
    /// replay.until(4)?;
    /// let mut other = replay.run_on()?;
    /// other.spawn_named("only here", ());
    /// assert_eq!((other.len(), replay.until(10)?.len()), (5, 10));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_on(&mut self) -> Result<MessageManager, ReplayError> {
        self.run_mut()?;
        Ok(self.taken()?.manager)
    }

    /// Takes the manager. The next call begins with a state that was kept.
    fn taken(&mut self) -> Result<Replayed, ReplayError> {
        let is_cut = self.read()?.is_cut;
        let run = self.run.take().expect("it was begun");
        Ok(run.into_replayed(is_cut))
    }

    fn read(&self) -> Result<&Read, ReplayError> {
        if let Some(read) = self.read.get() {
            return Ok(read);
        }
        let parts = self.source.parts()?;
        let is_cut = match parts.end {
            End::Damaged(error) => return Err(self.source.in_file(error)),
            end => matches!(end, End::Cut(_)),
        };
        let read = Read {
            start: parts.start.map_err(|error| self.source.in_file(error))?,
            entries: parts.inputs.into(),
            is_cut,
        };
        Ok(self.read.get_or_init(|| read))
    }

    /// Restores the first state, or that of a key frame.
    pub(super) fn begin(&self, key: Option<&KeyFrame>) -> Result<Run, ReplayError> {
        let read = self.read()?;
        let first = From {
            save: self.source.bytes[read.start.clone()].into(),
            next: 0,
            inputs: 0,
            digests: 0,
        };
        let from = key.map_or(&first, |key| &key.from);
        Run::from(
            &self.source,
            &read.entries,
            from,
            &self.config,
            &*self.prepare,
        )
    }

    /// Returns the run, and begins it if necessary.
    pub(super) fn run_mut(&mut self) -> Result<&mut Run, ReplayError> {
        let run = match self.run.take() {
            Some(run) => run,
            None => self.begin(None)?,
        };
        Ok(self.run.insert(run))
    }

    /// Replays the log up to a place. Keeps key frames, if that is asked for.
    fn go(
        &mut self,
        is_there: impl Fn(&Run) -> Result<bool, ReplayError>,
        keeps: bool,
    ) -> Result<(), ReplayError> {
        self.run_mut()?;
        while let Some(run) = &mut self.run
            && !run.is_at_end()
            && !is_there(run)?
        {
            if keeps && self.key_frames.is_due(run.frame()) && run.begins_frame()? {
                self.key_frames.keep(run);
            }
            if let Some(met) = run.step()? {
                let difference = self.explain(&met)?;
                return Err(ReplayError::Differs(Box::new(difference)));
            }
        }
        Ok(())
    }

    /// Finds the difference, as precisely as possible.
    fn explain(&self, met: &Met) -> Result<Difference, ReplayError> {
        let first = self.run.as_ref().expect("it has met the difference");
        let mut difference = self.find_difference(first, met)?;
        let start = &self.source.bytes[self.read()?.start.clone()];
        difference.restored = changed_by_restored(start, &self.config);
        Ok(difference)
    }

    fn find_difference(&self, first: &Run, met: &Met) -> Result<Difference, ReplayError> {
        let part = Digest::of(&first.manager).difference(&met.recorded);
        let mut difference = Difference::new(met.recorded.frame(), part, first.repeated);
        if let Some(state) = &met.state {
            // The recorded state itself is at hand.
            let recorded = crate::restore(&state.0, self.config.clone())?;
            difference.find(&recorded.manager, &first.manager, true);
            return Ok(difference);
        }
        let mut second = self.begin(None)?;
        second.up_to(first.next)?;
        difference.find(&first.manager, &second.manager, false);
        Ok(difference)
    }
}

/// A log that was divided into its parts.
struct Read {
    start: Range<usize>,
    entries: Arc<[Entry]>,
    is_cut: bool,
}
