//! The state shared by the server thread and the simulation threads.
//!
//! A simulation's thread never waits here: flags are atomic, and both queues between the threads are
//! bounded and accessed without blocking. The list of worlds has a lock, which is only taken when a world is

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use message_core::MessageeId;
use message_core::trace::TraceEvent;
use message_trace::Recorder;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::builder::Builder;
use crate::flight::Flight;
use crate::history::History;
use crate::token::Token;
use crate::travel::Travel;

/// How many requests of pages can be queued for a world.
pub(crate) const JOBS: usize = 64;
/// How many detached worlds remain listed.
const DETACHED: usize = 8;
/// How many batches can be queued for the server.
pub(crate) const BATCHES: usize = 64;

/// Locks a mutex. Poisoning does not matter here.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A request to a world.
#[derive(Debug)]
pub(crate) enum Ask {
    Messagees {
        parent: Option<String>,
        search: Option<String>,
        after: Option<String>,
        limit: usize,
    },
    Messagee(String),
    Later {
        search: Option<String>,
        limit: usize,
    },
    Cancel(u64),
    Deliver(u64),
    Complete(String),
    Console(String),
    Change(Change),
    Clock {
        paused: Option<bool>,
        scale: Option<f64>,
        step: Option<u64>,
    },
    Startup,
    Unhandled,
    /// Starts the flight recorder, if none is on.
    Record,
    Breaks,
    Break {
        message: String,
        messagee: String,
    },
    Unbreak(u64),
}

/// A change of a component.
#[derive(Debug)]
pub(crate) struct Change {
    /// The ids of the messagee and of the component.
    pub(crate) messagee: String,
    pub(crate) hook: String,
    /// The field, or nothing for the whole component.
    pub(crate) field: String,
    /// The value as text.
    pub(crate) value: String,
}

impl Ask {
    /// Returns `true` if it changes the world.
    pub(crate) fn changes(&self) -> bool {
        match self {
            Self::Messagees { .. }
            | Self::Messagee(_)
            | Self::Later { .. }
            | Self::Complete(_)
            | Self::Startup
            | Self::Unhandled
            | Self::Breaks => false,
            Self::Cancel(_)
            | Self::Deliver(_)
            | Self::Console(_)
            | Self::Change(_)
            | Self::Clock { .. }
            | Self::Record
            | Self::Break { .. }
            | Self::Unbreak(_) => true,
        }
    }
}

/// The reason for refusing a request: status, code, text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) code: &'static str,
    pub(crate) text: String,
}

impl Refusal {
    pub(crate) fn new(status: u16, code: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { status, code, text }
    }

    pub(crate) fn bad(text: impl Into<String>) -> Self {
        Self::new(400, "bad", text)
    }

    pub(crate) fn unknown(text: impl Into<String>) -> Self {
        Self::new(404, "unknown", text)
    }
}

pub(crate) type Answer = Result<Value, Refusal>;

/// A request that waits for the next update of its world.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) ask: Ask,
    pub(crate) answer: oneshot::Sender<Answer>,
}

/// The report of the simulation about a frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) frame: u64,
    pub(crate) time: f64,
    pub(crate) scale: f64,
    pub(crate) paused: bool,
    pub(crate) stepping: u64,
    pub(crate) messagees: usize,
    pub(crate) pending: usize,
    pub(crate) failures: u64,
    pub(crate) dead_letters: u64,
    pub(crate) skipped_repeats: u64,
    pub(crate) every: u64,
    pub(crate) budget: usize,
    pub(crate) complete: bool,
    pub(crate) foreign: bool,
    /// The delivery that has paused the world.
    pub(crate) broke: Option<Value>,
}

/// The events that a world has recorded.
#[derive(Debug)]
pub(crate) enum Recorded {
    Nothing,
    /// A recorder of the inspector, and how many frames its counts represent.
    Own(Recorder, u64),
    /// All events of a world that is in another state than before, and the number of that state.
    Anew(Vec<TraceEvent>, u64),
    /// Events of the program's own recorder, and how many were left out.
    Foreign(Vec<TraceEvent>, u64),
}

/// The data that is sent to the server after a frame.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) world: Arc<Slot>,
    pub(crate) reading: Reading,
    pub(crate) recorded: Recorded,
    pub(crate) seen: Seen,
}

/// A messagee as it was after a frame: the text of each component, or the reason that there is none.
#[derive(Debug)]
pub(crate) struct Glimpse {
    pub(crate) id: MessageeId,
    pub(crate) name: Option<String>,
    pub(crate) values: Vec<(String, Result<String, String>)>,
}

/// The receivers of a frame, and those that are gone.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) seen: Vec<Glimpse>,
    pub(crate) gone: Vec<MessageeId>,
}

/// A world, as seen by both sides.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) id: usize,
    pub(crate) name: String,
    pub(crate) attached: AtomicBool,
    /// Whether anybody looks at it.
    pub(crate) watched: AtomicBool,
    pub(crate) jobs: SyncSender<Job>,
    /// Recorders whose events have been read, to be used again.
    pub(crate) used: SyncSender<Recorder>,
    pub(crate) dropped_batches: AtomicU64,
    pub(crate) dropped_jobs: AtomicU64,
    /// The simulation's thread takes this lock when recording begins and ends, and now and then in between.
    pub(crate) flight: Mutex<Flight>,
    /// The replay, if this is an open log.
    pub(crate) travel: Option<Travel>,
    /// Only the server takes this lock.
    pub(crate) history: Mutex<History>,
}

impl Slot {
    pub(crate) fn is_attached(&self) -> bool {
        self.attached.load(Ordering::Acquire)
    }

    /// Queues a request, or returns the reason why it cannot be queued.
    pub(crate) fn queue(&self, job: Job) -> Result<(), Refusal> {
        self.jobs.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => {
                self.dropped_jobs.fetch_add(1, Ordering::Relaxed);
                Refusal::new(429, "busy", "too many requests wait for this world")
            }
            TrySendError::Disconnected(_) => detached(),
        })
    }
}

pub(crate) fn detached() -> Refusal {
    Refusal::new(410, "detached", "this world is no longer attached")
}

/// The state shared by all threads.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) settings: Builder,
    pub(crate) token: Option<Token>,
    pub(crate) worlds: Mutex<Vec<Arc<Slot>>>,
    /// How many worlds there were.
    pub(crate) made: AtomicUsize,
    /// How many logs are open.
    pub(crate) open_logs: Arc<AtomicUsize>,
}

impl Shared {
    /// Lists another world. Returns it with the ends of its queues: of requests, and of recorders to be used again.
    pub(crate) fn list(
        &self,
        id: usize,
        name: String,
        flight: Flight,
        travel: Option<Travel>,
    ) -> (Arc<Slot>, Receiver<Job>, Receiver<Recorder>) {
        let (jobs, asked) = sync_channel(JOBS);
        let (used, spare) = sync_channel(4);
        let slot = Arc::new(Slot {
            id,
            name,
            attached: AtomicBool::new(true),
            watched: AtomicBool::new(false),
            jobs,
            used,
            dropped_batches: AtomicU64::new(0),
            dropped_jobs: AtomicU64::new(0),
            flight: Mutex::new(flight),
            travel,
            history: Mutex::new(History::new(self.settings.history)),
        });
        let mut listed = lock(&self.worlds);
        listed.push(Arc::clone(&slot));
        // Logs that are closed do not take the places of worlds that have ended.
        for is_log in [false, true] {
            let has_ended = |it: &Slot| !it.is_attached() && it.travel.is_some() == is_log;
            let ended = listed.iter().filter(|it| has_ended(it)).count();
            let mut surplus = ended.saturating_sub(DETACHED);
            listed.retain(|it| {
                let goes = surplus > 0 && has_ended(it);
                surplus -= usize::from(goes);
                !goes
            });
        }
        drop(listed);
        (slot, asked, spare)
    }

    /// Returns the number of the next world.
    pub(crate) fn next_world(&self) -> usize {
        self.made.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn world(&self, id: usize) -> Option<Arc<Slot>> {
        lock(&self.worlds).iter().find(|it| it.id == id).cloned()
    }

    pub(crate) fn all(&self) -> Vec<Arc<Slot>> {
        lock(&self.worlds).clone()
    }
}
