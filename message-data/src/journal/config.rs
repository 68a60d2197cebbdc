//! The configuration of a journal.

use std::fmt;
use std::time::Duration;

use message_core::{ManagerConfig, MessageManager};

/// When the inputs that a journal has collected are handed over to the operating system.
///
/// Inputs that were handed over survive the process, killed or not. They survive a power failure once they were
/// [synced](JournalConfig::sync_every).
///
/// ```
/// use message_data::journal::{Flush, JournalConfig};
///
/// let config = JournalConfig::new().flush(Flush::EachInput);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Flush {
    /// Before each input runs. The input that kills the process is in the journal, unless the disk has failed and the next
    /// segment is still being begun.
    EachInput,
    /// When a frame begins: what came before it. At most one frame is lost.
    #[default]
    EachFrame,
    /// At the first frame that begins that long after the last time.
    Every(Duration),
}

/// The configuration of a [`Journal`](super::Journal).
///
/// ```
/// use message_core::prelude::*;
/// use message_data::journal::{Flush, JournalConfig};
/// use std::time::Duration;
///
/// let config = JournalConfig::new()
///     .manager(ManagerConfig::new().max_depth(40))
///     .prepare(|manager| {
///         manager.subscribe(Filter::all(), |_, _| {});
///     })
///     .flush(Flush::Every(Duration::from_millis(50)))
///     .segment_frames(3_600)
///     .keep(3);
/// ```
#[must_use]
pub struct JournalConfig {
    pub(super) manager: ManagerConfig,
    pub(super) prepare: Box<dyn Fn(&mut MessageManager)>,
    pub(super) limits: Limits,
    pub(super) digest_every: u64,
    pub(super) accepts_loss: bool,
    pub(super) skips_after: Option<u32>,
    pub(super) stops_on_failure: bool,
}

/// The part of the configuration that concerns the files.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) flush: Flush,
    /// How often the file is synced; in the frame itself if `None`.
    pub(super) sync: Option<Duration>,
    pub(super) segment_frames: u64,
    pub(super) segment_bytes: u64,
    pub(super) keep: usize,
}

impl JournalConfig {
    /// Creates the default configuration.
    ///
    /// ```
    /// use message_data::journal::JournalConfig;
    ///
    /// let config = JournalConfig::new();
    /// ```
    pub fn new() -> Self {
        Self {
            manager: ManagerConfig::new(),
            prepare: Box::new(|_| {}),
            limits: Limits {
                flush: Flush::default(),
                sync: Some(Duration::from_secs(1)),
                segment_frames: 36_000,
                segment_bytes: 16 << 20,
                keep: 2,
            },
            digest_every: 600,
            accepts_loss: false,
            skips_after: None,
            stops_on_failure: false,
        }
    }

    /// Sets the configuration of the manager.
    ///
    /// ```
    /// use message_core::ManagerConfig;
    /// use message_data::journal::JournalConfig;
    ///
    /// let config = JournalConfig::new().manager(ManagerConfig::new().max_depth(40));
    /// ```
    pub fn manager(mut self, config: ManagerConfig) -> Self {
        self.manager = config;
        self
    }

    /// Sets a function that prepares the manager: it is called with a new one, and with a restored one before the inputs
    /// after the save are repeated. Subscribe in it. It should not spawn or send, since a restored manager has what was
    /// there.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::journal::JournalConfig;
    ///
    /// let config = JournalConfig::new().prepare(|manager| {
    ///     manager.subscribe(Filter::all(), |_, _| {});
    /// });
    /// ```
    pub fn prepare(mut self, prepare: impl Fn(&mut MessageManager) + 'static) -> Self {
        self.prepare = Box::new(prepare);
        self
    }

    /// Sets when inputs are handed over to the operating system: by default, with [each frame](Flush::EachFrame).
    ///
    /// ```
    /// use message_data::journal::{Flush, JournalConfig};
    ///
    /// let config = JournalConfig::new().flush(Flush::EachInput);
    /// ```
    pub fn flush(mut self, flush: Flush) -> Self {
        self.limits.flush = flush;
        self
    }

    /// Sets how often what was handed over is synced to the disk, on a thread of the journal: every second by default. A
    /// power failure loses at most that much, or what came while a state was being written, if that takes longer.
    ///
    /// ```
    /// use message_data::journal::JournalConfig;
    /// use std::time::Duration;
    ///
    /// let config = JournalConfig::new().sync_every(Duration::from_millis(200));
    /// ```
    pub fn sync_every(mut self, interval: Duration) -> Self {
        self.limits.sync = Some(interval);
        self
    }

    /// Syncs on the thread of the manager whenever inputs are handed over, and writes segments there. A frame waits for
    /// the disk then, and there is no other thread.
    ///
    /// ```
    /// use message_data::journal::JournalConfig;
    ///
    /// let config = JournalConfig::new().sync_in_frame();
    /// ```
    pub fn sync_in_frame(mut self) -> Self {
        self.limits.sync = None;
        self
    }

    /// Sets after how many frames a new segment begins with the state: 36 000 by default, ten minutes at 60 Hz. Recovery
    /// repeats at most that many frames.
    ///
    /// ```
    /// use message_data::journal::JournalConfig;
    ///
    /// let config = JournalConfig::new().segment_frames(3_600);
    /// ```
    pub fn segment_frames(mut self, frames: u64) -> Self {
        self.limits.segment_frames = frames.max(1);
        self
    }

    /// Sets after how many bytes of inputs a new segment begins with the state: 16 MiB by default.
    ///
    /// ```
    /// use message_data::journal::JournalConfig;
    ///
    /// let config = JournalConfig::new().segment_bytes(1 << 20);
    /// ```
    pub fn segment_bytes(mut self, bytes: u64) -> Self {
        self.limits.segment_bytes = bytes.max(1);
        self
    }

    /// Sets how many complete segments are kept besides the one that is being written: 2 by default, and at least 1.
    ///
    /// ```
    /// use message_data::journal::JournalConfig;
    ///
    /// let config = JournalConfig::new().keep(10);
    /// ```
    pub fn keep(mut self, segments: usize) -> Self {
        self.limits.keep = segments.max(1);
        self
    }

    /// Sets after how many frames a [digest](crate::Digest) is written, which recovery compares: 600 by default, and none
    /// with 0.
    ///
    /// ```
    /// use message_data::journal::JournalConfig;
    ///
    /// let config = JournalConfig::new().digest_every(60);
    /// ```
    pub fn digest_every(mut self, frames: u64) -> Self {
        self.digest_every = frames;
        self
    }

    /// Recovers what can be recovered: damage in the middle of a file, and an input that cannot be repeated, end the
    /// recovery instead of failing it. The inputs behind are lost, as the [report](super::Recovery) says.
    ///
    /// ```
    /// use message_data::journal::JournalConfig;
    ///
    /// let config = JournalConfig::new().accept_loss();
    /// ```
    pub fn accept_loss(mut self) -> Self {
        self.accepts_loss = true;
        self
    }

    /// Stops the manager when its inputs cannot be logged: each call that would be an input panics, without having done
    /// anything, and the panic says why. By default the manager goes on, and the journal misses what comes until it begins
    /// a segment with the state.
    ///
    /// Before the call panics, a segment with the state is begun, which may succeed where an append has failed. While the
    /// manager stands still, each frame that is asked for tries that again. So a manager whose disk is full goes on when
    /// there is room again, and nothing is lost.
    ///
    /// Changes by [`get_mut`](MessageManager::get_mut) and the like are made, and the next input is refused.
    ///
    /// An input that can never be logged, such as a message without data or a subscriber, is refused alone. Only what other
    /// threads have posted cannot be refused, because the frame has begun. It runs, and the next input waits for a segment.
    /// An input that was refused because of the disk may have reached the journal nevertheless.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::journal::{Journal, JournalConfig};
    /// use std::panic::{AssertUnwindSafe, catch_unwind};
    ///
    /// # let folder = std::env::temp_dir().join(format!("docs-stops-{}", std::process::id()));
    /// let config = JournalConfig::new().stop_on_failure();
    /// let mut manager = Journal::open(&folder, &config)?.manager;
    /// let subscribed = catch_unwind(AssertUnwindSafe(|| {
    ///     manager.subscribe(Filter::all(), |_, _| {})
    /// }));
    /// assert!(subscribed.is_err(), "a closure cannot be logged: use `prepare`");
    /// manager.spawn(());
    /// # drop(manager);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stop_on_failure(mut self) -> Self {
        self.stops_on_failure = true;
        self
    }

    /// Leaves out the last input when that many recoveries in a row have not come to an end. Without this, an input that
    /// kills the process kills it again at each recovery.
    ///
    /// ```
    /// use message_data::journal::JournalConfig;
    ///
    /// let config = JournalConfig::new().skip_after(3);
    /// ```
    pub fn skip_after(mut self, recoveries: u32) -> Self {
        self.skips_after = Some(recoveries);
        self
    }
}

impl Default for JournalConfig {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for JournalConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JournalConfig")
            .field("manager", &self.manager)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
