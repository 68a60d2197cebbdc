//! The thread of an open log.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use message_core::MessageManager;
use message_core::report::ReportTo;
use message_data::{Replay, ReplayError};
use message_trace::Recorder;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::delivery::Wanted;
use super::{ORDERS, Order, Room, Told, Travel, change};
use crate::builder::Builder;
use crate::flight::Flight;
use crate::history::event::name_of;
use crate::shared::{Batch, Refusal, Shared, Slot, lock};
use crate::world::World;

/// The frames between two key frames, and the bytes of all key frames.
const KEY_FRAMES: (u64, usize) = (60, 32 << 20);
/// How many frames before the wanted one are replayed with it when a replay goes back, so that causes are known.
const CONTEXT: u64 = 60;
/// How long a replay goes on before it answers pages again.
const SLICE: Duration = Duration::from_millis(20);
/// The longest time without a look at the requests of pages.
const REST: Duration = Duration::from_millis(10);
/// The time of a frame after the log, if the log does not tell.
const FRAME: Duration = Duration::from_millis(16);
/// The longest time between two frames after the log.
const SLOWEST: Duration = Duration::from_secs(1);

/// The manager that is shown.
enum Shown {
    /// The one of the replay, before the next frame begins.
    Log,
    /// The replay's, in the middle of a frame.
    Held(MessageManager),
    /// One that goes on by itself; the time of its next frame.
    Fork(MessageManager, Instant),
}

struct Traveller {
    replay: Replay,
    shown: Shown,
    world: World,
    slot: Arc<Slot>,
    settings: Builder,
    batches: mpsc::Sender<Batch>,
    told: Told,
    /// The delivery that is read when the replay has come to its frame.
    wanted: Option<Wanted>,
}

/// Opens a log as a world. Returns the number of the world, once its first state is restored.
pub(crate) fn open(
    shared: &Arc<Shared>,
    batches: mpsc::Sender<Batch>,
    name: String,
    log: Vec<u8>,
    room: Room,
) -> Result<oneshot::Receiver<Result<usize, Refusal>>, Refusal> {
    let (opened, answer) = oneshot::channel();
    let shared = Arc::clone(shared);
    let thread = thread::Builder::new().name("message-inspector replay".to_owned());
    let run = move || {
        let _room = room;
        let settings = shared.settings.clone();
        let mut replay = replay_of(log, &settings);
        let frames = match replay.frames() {
            Ok(frames) => frames,
            Err(error) => {
                let text = format!("the log cannot be replayed: {error}");
                // The requester may be gone, here and below.
                let _ = opened.send(Err(Refusal::bad(text)));
                return;
            }
        };
        let (orders, ordered) = sync_channel(ORDERS);
        let travel = Travel {
            orders,
            told: Mutex::default(),
        };
        let flight = Flight::Off("it is a replay".to_owned());
        let id = shared.next_world();
        let (slot, asked, spare) = shared.list(id, name, flight, Some(travel));
        let mut traveller = Traveller {
            replay,
            shown: Shown::Log,
            world: World::new(Arc::clone(&slot), 0, asked, spare),
            slot,
            settings,
            batches,
            told: Told {
                first: *frames.start(),
                last: *frames.end(),
                frame: *frames.start(),
                goal: Some(*frames.end()),
                ..Told::default()
            },
            wanted: None,
        };
        traveller.publish();
        let _ = opened.send(Ok(traveller.slot.id));
        // A page sees that the world has ended.
        let _ = catch_unwind(AssertUnwindSafe(|| traveller.run(&ordered)));
        traveller.slot.attached.store(false, Ordering::Release);
    };
    let wrong = |error| {
        Refusal::new(
            503,
            "busy",
            format!("the thread of the replay cannot be started: {error}"),
        )
    };
    thread.spawn(run).map_err(wrong)?;
    Ok(answer)
}

/// Returns the change of a delivery that cannot be read.
fn unread(error: &str) -> Value {
    json!({ "error": error, "messagee": "", "component": "", "field": "" })
}

/// Returns the replay of a log, whose managers record what happens.
fn replay_of(log: Vec<u8>, settings: &Builder) -> Replay {
    let (every, bytes) = KEY_FRAMES;
    let (history, contents) = (settings.history, settings.contents);
    let prepare = settings.prepare.clone();
    // A failure that repeats was reported when it was recorded.
    let config = settings.replays_with.clone().report_to(ReportTo::Nobody);
    let replay = Replay::of_bytes(log).config(config);
    replay.key_frames(every, bytes).prepare(move |manager| {
        if let Some(prepare) = &prepare {
            prepare(manager);
        }
        let recorder = Recorder::new(history);
        let recorder = if contents {
            recorder.with_contents()
        } else {
            recorder
        };
        recorder.start(manager);
    })
}

impl Traveller {
    /// Carries out orders and answers pages until the world is closed.
    fn run(&mut self, ordered: &Receiver<Order>) {
        while self.slot.is_attached() && !self.batches.is_closed() {
            match ordered.recv_timeout(self.rest()) {
                Ok(order) => {
                    self.caught(|this| this.obey(order));
                    self.publish();
                    let travel = self.slot.travel.as_ref().expect("it is one");
                    lock(&travel.told).orders -= 1;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.caught(Self::go_on);
            self.caught(Self::tick);
            self.caught(Self::show);
            self.publish();
        }
    }

    /// Runs code of the program. If it panics, the replay begins anew.
    fn caught(&mut self, run: impl FnOnce(&mut Self)) {
        if catch_unwind(AssertUnwindSafe(|| run(self))).is_err() {
            self.told.trouble = Some("the program panicked here".to_owned());
            (self.told.goal, self.told.forked_at) = (None, None);
            (self.shown, self.wanted) = (Shown::Log, None);
            // Whatever the panic has left is not shown, and may panic again.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(self.replay.run_on())));
            self.told.frame = self.told.first;
            self.arrive();
        }
    }

    /// Returns how long to wait for an order.
    fn rest(&self) -> Duration {
        match &self.shown {
            _ if self.told.goal.is_some() => Duration::ZERO,
            Shown::Fork(_, next) => next.saturating_duration_since(Instant::now()).min(REST),
            _ => REST,
        }
    }

    /// Tells pages where the replay is.
    fn publish(&mut self) {
        self.told.is_known = self.world.is_known();
        let travel = self.slot.travel.as_ref().expect("it is one");
        let mut told = lock(&travel.told);
        let orders = told.orders;
        *told = Told {
            orders,
            ..self.told.clone()
        };
    }

    fn obey(&mut self, order: Order) {
        (self.told.trouble, self.wanted) = (None, None);
        match order {
            Order::Go(frame) => self.begin_to_go(frame),
            Order::Who {
                messagee,
                component,
                field,
            } => {
                let found = self.who(&messagee, &component, &field);
                let mut change = found.unwrap_or_else(|error| json!({ "error": error }));
                change["messagee"] = messagee.into();
                change["component"] = component.into();
                change["field"] = field.into();
                self.told.change = Some(change);
            }
            Order::Delivery(id) => {
                if let Err(error) = self.begin_to_read(id) {
                    self.told.change = Some(unread(&error));
                }
            }
            Order::RunOn => self.run_on(),
        }
    }

    /// Makes a frame the goal. If it is behind, goes back first.
    fn begin_to_go(&mut self, frame: u64) {
        let frame = frame.clamp(self.told.first, self.told.last);
        let is_ahead = matches!(self.shown, Shown::Log) && frame >= self.told.frame;
        (self.shown, self.told.forked_at, self.told.change) = (Shown::Log, None, None);
        self.told.goal = Some(frame);
        if !is_ahead {
            self.go_back(frame);
        }
    }

    /// Goes back to a state from some frames before this one, so that causes are known.
    fn go_back(&mut self, frame: u64) {
        match self.replay.back(frame.saturating_sub(CONTEXT)) {
            Ok(manager) => {
                self.told.frame = manager.clock().frame();
                self.arrive();
            }
            Err(error) => self.hold(&error),
        }
    }

    /// Goes towards the goal for a while.
    fn go_on(&mut self) {
        let begun = Instant::now();
        while let Some(goal) = self.told.goal {
            if self.told.frame >= goal {
                self.told.goal = None;
                if let Some(wanted) = self.wanted.take() {
                    let read = self
                        .read(&wanted)
                        .unwrap_or_else(|error| Err(self.text(&error)));
                    self.told.change = Some(read.unwrap_or_else(|error| unread(&error)));
                }
                self.arrive();
            } else if begun.elapsed() > SLICE {
                return;
            } else if !self.until(self.told.frame + 1) {
                self.told.last = self.told.frame;
                self.told.goal = None;
                self.arrive();
            }
        }
    }

    /// Replays the log until a frame. Returns `false` if it ends before it.
    fn until(&mut self, frame: u64) -> bool {
        match self.replay.until(frame) {
            Ok(manager) => {
                self.told.frame = manager.clock().frame();
                self.told.frame >= frame
            }
            Err(error) => {
                self.hold(&error);
                false
            }
        }
    }

    /// Shows the replay where an error has stopped it. The log ends there.
    fn hold(&mut self, error: &ReplayError) {
        self.told.trouble = Some(self.text(error));
        if let Ok(manager) = self.replay.run_on() {
            self.told.frame = manager.clock().frame();
            self.told.last = self.told.frame;
            self.shown = Shown::Held(manager);
        }
    }

    /// Returns the text of an error. It has no values if a type is hidden: a field could be of that type.
    fn text(&self, error: &ReplayError) -> String {
        match error {
            ReplayError::Differs(difference) if !self.settings.hidden.is_empty() => {
                let mut difference = difference.clone();
                difference.field = None;
                ReplayError::Differs(difference).to_string()
            }
            error => error.to_string(),
        }
    }

    /// Shows another state.
    fn arrive(&mut self) {
        let is_fork = matches!(self.shown, Shown::Fork(..));
        self.world.begin_anew(is_fork);
    }

    fn run_on(&mut self) {
        if self.told.forked_at.is_some() {
            return;
        }
        let shown = std::mem::replace(&mut self.shown, Shown::Log);
        let manager = match shown {
            Shown::Held(manager) | Shown::Fork(manager, _) => Ok(manager),
            Shown::Log => self.replay.run_on(),
        };
        match manager {
            Ok(mut manager) => {
                manager.set_paused(false);
                (self.told.goal, self.told.forked_at) = (None, Some(self.told.frame));
                self.told.change = None;
                self.shown = Shown::Fork(manager, Instant::now());
                self.arrive();
            }
            Err(error) => self.told.trouble = Some(self.text(&error)),
        }
    }

    /// Runs the next frame of a fork, if it is due.
    fn tick(&mut self) {
        let Shown::Fork(manager, next) = &mut self.shown else {
            return;
        };
        let now = Instant::now();
        if now < *next {
            return;
        }
        let delta = match manager.clock().unscaled_delta() {
            Duration::ZERO => FRAME,
            delta => delta.min(SLOWEST),
        };
        manager.tick(delta);
        *next = now + delta;
        self.told.frame = manager.clock().frame();
    }

    /// Reports the state to the server, and answers pages.
    fn show(&mut self) {
        let manager = match &mut self.shown {
            Shown::Held(manager) | Shown::Fork(manager, _) => manager,
            Shown::Log => match self.replay.until(self.told.frame) {
                Ok(manager) => manager,
                Err(error) => return self.hold(&error),
            },
        };
        self.world.update(manager, &self.settings, &self.batches);
    }

    /// Makes the frame of a delivery the goal, in which its component is read.
    fn begin_to_read(&mut self, id: u64) -> Result<(), String> {
        if self.told.forked_at.is_some() {
            return Err(
                "the log has no deliveries after the frame in which it was left".to_owned(),
            );
        }
        let wanted = match &mut self.shown {
            Shown::Held(manager) | Shown::Fork(manager, _) => {
                Wanted::of(manager, &self.settings, id)
            }
            Shown::Log => match self.replay.until(self.told.frame) {
                Ok(manager) => Wanted::of(manager, &self.settings, id),
                Err(error) => Err(self.text(&error)),
            },
        }?;
        (self.shown, self.told.change) = (Shown::Log, None);
        self.told.goal = Some(wanted.frame.saturating_sub(1));
        self.go_back(wanted.frame);
        self.wanted = Some(wanted);
        Ok(())
    }

    /// Repeats the frame of a delivery, and reads its component around it.
    fn read(&mut self, wanted: &Wanted) -> Result<Result<Value, String>, ReplayError> {
        let before = if self.told.frame < wanted.frame {
            self.replay.until(self.told.frame)?
        } else {
            // The log begins in this frame.
            self.replay.back(wanted.frame)?
        };
        let watched = wanted.watch(before);
        let manager = self.replay.until(wanted.frame)?;
        let told = watched.and_then(|()| wanted.told(manager));
        self.told.frame = manager.clock().frame();
        Ok(told)
    }

    /// Goes to the last change of a component before this frame ends.
    fn who(&mut self, messagee: &str, component: &str, field: &str) -> Result<Value, String> {
        if self.told.forked_at.is_some() {
            return Err("the log has no changes after the frame in which it was left".to_owned());
        }
        self.shown = Shown::Log;
        self.told.goal = None;
        let found = self.find_change(messagee, component, field);
        self.arrive();
        found.unwrap_or_else(|error| Err(self.text(&error)))
    }

    fn find_change(
        &mut self,
        messagee: &str,
        component: &str,
        field: &str,
    ) -> Result<Result<Value, String>, ReplayError> {
        let manager = self.replay.until(self.told.frame)?;
        let id = match change::shown(manager, &self.settings, messagee, component) {
            Ok(id) => id,
            Err(why) => return Ok(Err(why)),
        };
        let name = name_of(id);
        let Some(found) = self.replay.who_changed(id, component, field)? else {
            return Ok(Ok(json!({ "found": false, "name": name })));
        };
        let manager = self.replay.run_on()?;
        self.told.frame = manager.clock().frame();
        self.shown = Shown::Held(manager);
        let mut told = change::told(&found);
        told["name"] = name.into();
        Ok(Ok(told))
    }
}
