//! Messages for components and subscribers that are busy: kept in the order sent, delivered as soon
//! as they are free.
//!
//! A message can be kept for several of them at once, and is shared between them; also with the
//! subscribers that receive it in a stage of their own, and with those to come. The
//! delivery that runs holds it; only after a panic, which frees several components at once, can another
//! want it meanwhile, and then it waits on.

mod keep;
mod trail;

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::caught::FirstPanic;
use crate::dispatch::call::{Frame, Posted, Resumed, Sent, Spot, Telling};
use crate::dispatch::parcel::{Boxed, Parcel, Replies};
use crate::dispatch::verdict::Verdict;
use crate::message::Facts;
use crate::room::{Peak, Shrink};
use crate::subscription::Shared;
use crate::trace::TraceId;
use crate::world::World;
pub(super) use trail::StepNumber;
use trail::Trail;

/// A message that somebody receives later.
pub(super) struct KeptSend {
    pub(super) message: Box<dyn Parcel>,
    pub(super) facts: &'static Facts,
    pub(super) sender: Sender,
    pub(super) to: Recipient,
    pub(super) place: &'static Location<'static>,
    pub(super) posted: Posted,
    telling: Telling,
    /// The step that it has left in the trail.
    step: Option<StepNumber>,
    pub(super) number: Option<TraceId>,
    /// Whom it is for, if that is one messagee.
    one: Option<MessageeId>,
    consumed: bool,
}

/// A kept message of whatever type.
pub(crate) trait Deliver: Send {
    /// Delivers it to one component or subscriber that is free.
    fn deliver(&mut self, world: &World, parent: Option<&Frame<'_>>, spot: Spot);

    /// Delivers it to the components of a messagee that has just come alive.
    fn deliver_to_newborn(&mut self, world: &World, id: MessageeId);

    /// Delivers it to a subscriber that asked for retained messages, if it passes its filter.
    fn deliver_retained(&mut self, world: &World, at: usize);
}

impl KeptSend {
    pub(super) fn new(sent: &Sent<'_>, message: Box<dyn Parcel>, step: Option<StepNumber>) -> Self {
        Self {
            message,
            facts: sent.facts,
            sender: sent.sender,
            to: *sent.to,
            place: sent.place,
            posted: sent.posted.copied().unwrap_or_else(|| Posted::now(sent)),
            telling: sent.telling(),
            number: sent.number,
            step,
            one: match *sent.to {
                Recipient::Mnemonic(mnemonic) => sent.world.addresses.bound(mnemonic),
                _ => None,
            },
            consumed: false,
        }
    }

    /// From now on it is for that messagee alone, whatever its recipient comes to stand for.
    pub(super) fn for_one(self, id: MessageeId) -> Self {
        let one = Some(id);
        Self { one, ..self }
    }

    /// What has to be known when it is delivered. `intercepted` is the number of the interceptor
    /// that it goes on with.
    pub(super) fn resumed(&self, intercepted: u64) -> Resumed {
        Resumed {
            intercepted,
            telling: self.telling,
            step: self.step,
            to: self.one,
        }
    }
}

impl Deliver for KeptSend {
    fn deliver(&mut self, world: &World, parent: Option<&Frame<'_>>, spot: Spot) {
        let resumed = self.resumed(0);
        let sent = Sent {
            parent,
            posted: Some(&self.posted),
            depth: parent.map_or(1, |frame| frame.sent.depth + 1),
            number: self.number,
            resumed: Some(&resumed),
            ..Sent::of_type(self.facts, world, self.sender, &self.to, self.place)
        };
        if self.consumed {
            if let Some(at) = spot.as_subscription() {
                world.subscriptions.return_message(at);
            }
            return;
        }
        if let Some(at) = spot.as_subscription() {
            self.consumed = world.tell_kept(&sent, at, &*self.message, false);
            return;
        }
        let table = self.facts.table();
        let Some(route) = table.and_then(|table| table.position(spot.component)) else {
            return;
        };
        let at = (world.pool(spot.component), spot.slot);
        let replies = &mut Replies::Ignore;
        let verdict = world.hand_to_one(route, at, &mut *self.message, &sent, replies);
        self.consumed = verdict == Verdict::Consumed;
    }

    fn deliver_to_newborn(&mut self, world: &World, id: MessageeId) {
        for spot in world.receivers_of(id, self.facts) {
            self.deliver(world, None, spot);
        }
    }

    fn deliver_retained(&mut self, world: &World, at: usize) {
        let sent = Sent {
            posted: Some(&self.posted),
            number: self.number,
            ..Sent::of_type(self.facts, world, self.sender, &self.to, self.place)
        };
        world.tell_kept(&sent, at, &*self.message, true);
    }
}

/// A whole send that waits for an interceptor to be free.
pub(super) struct KeptWhole {
    pub(super) send: Option<KeptSend>,
    /// The number of the interceptor.
    pub(super) interceptor: u64,
}

impl Deliver for KeptWhole {
    fn deliver(&mut self, world: &World, parent: Option<&Frame<'_>>, _: Spot) {
        let Some(kept) = self.send.take() else { return };
        let resumed = kept.resumed(self.interceptor);
        let sent = Sent {
            parent,
            posted: Some(&kept.posted),
            depth: parent.map_or(1, |frame| frame.sent.depth + 1),
            number: kept.number,
            resumed: Some(&resumed),
            ..Sent::of_type(kept.facts, world, kept.sender, &kept.to, kept.place)
        };
        world.deliver_in_full(&sent, &mut Boxed(Some(kept.message)));
    }

    // Nobody has received it, and it waits as a whole.
    fn deliver_to_newborn(&mut self, _: &World, _: MessageeId) {}

    fn deliver_retained(&mut self, _: &World, _: usize) {}
}

pub(super) struct Entry {
    /// The number of messages that had been kept before.
    number: u64,
    pub(super) message: Shared,
}

/// The kept messages of a manager.
#[derive(Default)]
pub(crate) struct Kept {
    queues: RefCell<HashMap<Spot, VecDeque<Entry>>>,
    waiting: Cell<usize>,
    /// The number of deliveries that have been kept since the outermost send began.
    accepted: Cell<usize>,
    count: Cell<u64>,
    /// The receivers whose queues are being worked off. The code that does that goes on with the
    /// next message, so that a long queue takes no more of the stack than a short one, and keeps its
    /// order.
    draining: RefCell<Vec<Spot>>,
    pub(super) trail: Trail,
    /// How many receivers had something kept for them at once.
    most: Peak,
}

/// A queue that is being worked off; after a panic it is not.
pub(super) struct Draining<'k>(&'k Kept, Spot);

impl Drop for Draining<'_> {
    fn drop(&mut self) {
        self.0.draining.borrow_mut().retain(|spot| *spot != self.1);
    }
}

impl Kept {
    /// Begins to work off a queue, unless somebody does already.
    pub(super) fn drain(&self, spot: Spot) -> Option<Draining<'_>> {
        let mut draining = self.draining.borrow_mut();
        if draining.contains(&spot) {
            return None;
        }
        draining.push(spot);
        Some(Draining(self, spot))
    }

    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.waiting.get() != 0
    }

    /// Returns the number of messages that have been kept so far: taken down when a send begins, it
    /// tells which of the messages kept by then were sent before it.
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        self.count.get()
    }

    /// A new outermost send begins.
    pub(crate) fn restart_count(&self) {
        self.accepted.set(0);
        self.trail.clear();
    }

    /// Accepts some more deliveries. Returns how many may still be kept after them; `None` when
    /// these are too many.
    pub(super) fn accept(&self, deliveries: usize, limit: usize) -> Option<usize> {
        let accepted = self.accepted.get() + deliveries;
        let left = limit.checked_sub(accepted)?;
        self.accepted.set(accepted);
        Some(left)
    }

    /// Keeps a message behind those that were kept when its send began. What was kept since then
    /// was sent by its receivers, and so after it.
    pub(super) fn push(&self, spot: Spot, begun: u64, message: Shared) {
        let number = self.count.replace(self.count.get() + 1);
        let mut queues = self.queues.borrow_mut();
        let queue = queues.entry(spot).or_default();
        let since = queue.iter().rev();
        let since = since.take_while(|entry| entry.number >= begun);
        let at = queue.len() - since.count();
        queue.insert(at, Entry { number, message });
        self.most.note(queues.len());
        self.waiting.set(self.waiting.get() + 1);
    }

    pub(super) fn pop(&self, spot: Spot) -> Option<Entry> {
        let mut queues = self.queues.borrow_mut();
        let queue = queues.get_mut(&spot)?;
        let entry = queue.pop_front();
        if queue.is_empty() {
            queues.remove(&spot);
        }
        if entry.is_some() {
            self.waiting.set(self.waiting.get() - 1);
        }
        entry
    }

    pub(super) fn put_back(&self, spot: Spot, entry: Entry) {
        let mut queues = self.queues.borrow_mut();
        queues.entry(spot).or_default().push_front(entry);
        self.waiting.set(self.waiting.get() + 1);
    }

    /// Returns `true` if something is kept for a component or a subscriber.
    pub(super) fn waits_for(&self, spot: Spot) -> bool {
        self.queues.borrow().contains_key(&spot)
    }

    /// Gives back memory.
    pub(crate) fn shrink(&mut self, how: Shrink) {
        let queues = self.queues.get_mut();
        // A queue goes with its last message; one with room is left by a panic.
        for queue in queues.values_mut() {
            how.room(queue, 0);
        }
        how.room(queues, self.most.take());
        how.room(self.draining.get_mut(), 0);
    }

    /// Drops what is kept, one by one.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        for queue in self.queues.get_mut().values_mut() {
            panics.drop_each(queue.drain(..));
        }
    }

    /// The components that something is kept for, the one that has waited longest first.
    pub(super) fn spots(&self) -> Vec<Spot> {
        let queues = self.queues.borrow();
        let mut spots: Vec<Spot> = queues.keys().copied().collect();
        spots.sort_by_key(|spot| queues[spot].front().map(|entry| entry.number));
        spots
    }

    /// The component that has waited longest.
    pub(crate) fn first(&self) -> Option<Spot> {
        let queues = self.queues.borrow();
        let fronts = queues.iter();
        let oldest = fronts.min_by_key(|(_, queue)| queue.front().map(|entry| entry.number))?;
        Some(*oldest.0)
    }
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kept")
            .field("waiting", &self.waiting.get())
            .finish_non_exhaustive()
    }
}
