//! A manager as its inspector sees it on the simulation's thread: how it is sampled, and how requests of pages
//! are answered.
//!
//! Everything here runs in [`Inspector::update`](crate::Inspector::update). Each update does a bounded amount of
//! work.

mod breaks;
mod change;
mod clock;
mod complete;
mod console;
mod later;
mod line;
mod messagees;
mod pace;
mod sampling;
mod seen;
mod startup;
mod unhandled;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use message_core::MessageManager;
use message_trace::Recorder;
use tokio::sync::mpsc;

use crate::builder::Builder;
use crate::flight::Flight;
use crate::shared::{Answer, Ask, Batch, Job, Reading, Recorded, Refusal, Slot, lock};
use breaks::Breaks;
use clock::Steps;
use later::Numbers;
use sampling::Sampling;
use seen::Watch;

pub(crate) use messagees::cut;

/// How many requests are answered in one update within `JOBS_TIME`. At least one is always answered.
const JOBS_AT_ONCE: usize = 8;
const JOBS_TIME: Duration = Duration::from_micros(500);
/// A paused world is reported once in this many updates.
const IDLE: u32 = 16;
/// How many updates pass from one look at the size of the recorded state to the next.
const CHECK: u32 = 64;
/// The minimum time between reports of frames in which nothing is recorded: waking the server takes longer
/// than everything else that such a frame costs, and pages are updated only ten times per second.
const APART: Duration = Duration::from_millis(10);

pub(crate) struct World {
    slot: Arc<Slot>,
    serial: u64,
    asked: Receiver<Job>,
    sampling: Sampling,
    watch: Watch,
    steps: Steps,
    breaks: Breaks,
    numbers: Numbers,
    /// The last reported frame, and how many updates have passed since.
    told: Option<u64>,
    idle: u32,
    /// When the server was last woken, and whether a frame has passed that it does not know of.
    woken: Option<Instant>,
    is_behind: bool,
    /// Whether the next report replaces all that was reported before.
    begins_anew: bool,
    /// How often a manager in another state was shown.
    states: u64,
    updates: u32,
    /// Whether nothing can be changed, because it is a replay.
    is_fixed: bool,
}

impl World {
    pub(crate) fn new(
        slot: Arc<Slot>,
        serial: u64,
        asked: Receiver<Job>,
        spare: Receiver<Recorder>,
    ) -> Self {
        Self {
            slot,
            serial,
            asked,
            sampling: Sampling::new(spare),
            watch: Watch::default(),
            steps: Steps::default(),
            breaks: Breaks::default(),
            numbers: Numbers::default(),
            told: None,
            idle: 0,
            woken: None,
            is_behind: false,
            begins_anew: false,
            states: 0,
            updates: 0,
            is_fixed: false,
        }
    }

    /// Forgets the state so far: the next update is with a manager in another state.
    pub(crate) fn begin_anew(&mut self, can_change: bool) {
        self.sampling.forget();
        (self.steps, self.numbers) = (Steps::default(), Numbers::default());
        self.breaks = Breaks::default();
        (self.told, self.idle, self.woken) = (None, 0, None);
        (self.begins_anew, self.is_fixed) = (true, !can_change);
        self.states += 1;
    }

    /// Returns `true` if the server knows the state that is shown.
    pub(crate) fn is_known(&self) -> bool {
        lock(&self.slot.history).state == self.states
    }

    pub(crate) fn serial(&self) -> u64 {
        self.serial
    }

    /// Stops recording and answering.
    pub(crate) fn end(mut self, manager: &mut MessageManager) {
        self.sampling.stop(manager);
        self.breaks.pass(manager, false);
        if self.breaks.met().is_some() {
            manager.set_paused(false);
        }
        lock(&self.slot.flight).stop(manager);
        self.slot.attached.store(false, Ordering::Release);
    }

    pub(crate) fn update(
        &mut self,
        manager: &mut MessageManager,
        settings: &Builder,
        batches: &mpsc::Sender<Batch>,
    ) {
        let frame = manager.clock().frame();
        self.updates = self.updates.wrapping_add(1);
        if self.updates.is_multiple_of(CHECK) {
            lock(&self.slot.flight).check(manager);
        }
        self.steps.pass(manager, frame);
        let is_looked_at = self.slot.watched.load(Ordering::Relaxed);
        if self.breaks.pass(manager, is_looked_at) {
            self.steps = Steps::default();
            manager.set_paused(true);
            self.told = None;
        }
        if is_looked_at {
            self.tell(manager, settings, batches, frame);
        } else if self.sampling.is_on() {
            self.sampling.stop(manager);
            self.told = None;
            // The events of its recorder are reported again.
            self.begins_anew |= self.slot.travel.is_some();
        }
        let mut begun = None;
        for _ in 0..JOBS_AT_ONCE {
            if begun.is_some_and(|begun: Instant| begun.elapsed() > JOBS_TIME) {
                break;
            }
            let Ok(job) = self.asked.try_recv() else {
                break;
            };
            begun.get_or_insert_with(Instant::now);
            if !job.answer.is_closed() {
                let answer = self.answer(manager, settings, job.ask);
                // The requester may be gone.
                let _ = job.answer.send(answer);
            }
        }
    }

    fn tell(
        &mut self,
        manager: &mut MessageManager,
        settings: &Builder,
        batches: &mpsc::Sender<Batch>,
        frame: u64,
    ) {
        self.idle += 1;
        let is_new = self.told != Some(frame) || self.sampling.has_news(manager);
        if !is_new && !self.is_behind && self.idle < IDLE {
            return;
        }
        (self.told, self.idle) = (Some(frame), 0);
        let Ok(room) = batches.try_reserve() else {
            self.slot.dropped_batches.fetch_add(1, Ordering::Relaxed);
            self.sampling.skip(manager);
            return;
        };
        let recorded = if is_new || !self.is_behind {
            self.sampling.frame(manager, settings)
        } else {
            Recorded::Nothing
        };
        let recorded = match recorded {
            Recorded::Foreign(events, _) if self.begins_anew => {
                self.begins_anew = false;
                Recorded::Anew(events, self.states)
            }
            other => other,
        };
        let now = Instant::now();
        let lately = |woken| now.duration_since(woken) < APART;
        self.is_behind = matches!(recorded, Recorded::Nothing) && self.woken.is_some_and(lately);
        if self.is_behind {
            return;
        }
        self.woken = Some(now);
        let seen = self.watch.look(manager, settings, &recorded);
        let reading = self.reading(manager, settings);
        room.send(Batch {
            world: Arc::clone(&self.slot),
            reading,
            recorded,
            seen,
        });
    }

    fn reading(&self, manager: &MessageManager, settings: &Builder) -> Reading {
        let clock = manager.clock();
        Reading {
            frame: clock.frame(),
            time: clock.now().as_secs_f64(),
            scale: clock.time_scale(),
            paused: clock.is_paused() && !self.steps.are_left(),
            stepping: self.steps.left(),
            messagees: manager.len(),
            pending: manager.inspect().pending_len(),
            failures: manager.inspect().failure_count(),
            dead_letters: manager.inspect().dead_letter_count(),
            skipped_repeats: manager.inspect().skipped_repeats(),
            every: self.sampling.every(),
            budget: settings.budget,
            complete: self.sampling.is_complete(),
            foreign: self.sampling.is_foreign(),
            broke: self.breaks.met().cloned(),
        }
    }

    fn answer(&mut self, manager: &mut MessageManager, settings: &Builder, ask: Ask) -> Answer {
        if self.is_fixed && ask.changes() {
            let text = "this is a replay, which cannot be changed: run on from this frame first";
            return Err(Refusal::new(409, "replay", text));
        }
        match ask {
            Ask::Messagees {
                parent,
                search,
                after,
                limit,
            } => messagees::list(manager, parent.as_deref(), search, after.as_deref(), limit),
            Ask::Messagee(id) => messagees::one(manager, settings, &mut self.numbers, &id),
            Ask::Later { search, limit } => Ok(later::list(
                manager,
                settings,
                &mut self.numbers,
                search.as_deref(),
                limit,
            )),
            Ask::Cancel(post) => later::cancel(manager, &self.numbers, post),
            Ask::Deliver(post) => later::deliver(manager, &self.numbers, post),
            Ask::Complete(line) => Ok(complete::complete(manager, &line)),
            Ask::Console(line) => {
                self.sampling.catch(manager, settings);
                Ok(console::obey(manager, &mut self.numbers, &line))
            }
            Ask::Change(change) => change::obey(manager, settings, &change),
            Ask::Clock {
                paused,
                scale,
                step,
            } => {
                clock::set(manager, &mut self.steps, paused, scale, step)?;
                if paused.is_some() || step.is_some() {
                    self.breaks.go_on(manager);
                }
                let reading = self.reading(manager, settings);
                Ok(clock::told(&reading))
            }
            Ask::Startup => Ok(startup::report(manager)),
            Ask::Unhandled => Ok(unhandled::report(manager)),
            Ask::Breaks => Ok(self.breaks.told()),
            Ask::Break { message, messagee } => self.breaks.add(&message, &messagee),
            Ask::Unbreak(id) => self.breaks.remove(id),
            Ask::Record => {
                let mut flight = lock(&self.slot.flight);
                if !flight.is_recording() {
                    *flight = Flight::start(manager, settings, &self.slot.name, self.slot.id, true);
                }
                Ok(flight.told(settings))
            }
        }
    }
}
