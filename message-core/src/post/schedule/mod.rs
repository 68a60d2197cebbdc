//! The pending messages: posted, and not yet due or waiting for the next pass of their stage.
//!
//! For each message type there is a [queue](queue) with the messages by value in
//! [blocks](stock). A message waits on a [wheel](wheel) until it is due, and then in a run until the pass
//! of its stage, which merges the runs of all types. What many messages have in common is a
//! [stamp](stamp). A rare message, which has a recipient that is no messagee, a key, or deliveries that repeat, also
//! has a [record](Record) in a table. All that does not depend on the message type is compiled once.
//!
//! A [ticket](Ticket) tells the queue, the clock and the due time of a message, so it is found by the number
//! of its posting in one slot of a wheel, wherever it has moved meanwhile. A cancelled message is dropped
//! at once. If that does nothing and it is on a wheel, [a bit is set](cancelled), and it is left out when it falls due.
//!
//! Borrowed for moments only: no handler, and no `Drop` of a message that could reach a manager,
//! runs while it is.

mod cancel;
mod cancelled;
mod column;
mod enter;
pub(crate) mod find;
mod head;
mod held;
mod index;
mod pass;
mod queue;
pub(crate) mod repeat;
mod run;
pub(crate) mod stamp;
mod stock;
mod wheel;

use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::num::NonZeroU64;

pub(crate) use crate::time::Timeline;
pub(crate) use cancel::Unposted;
pub(in crate::post) use column::Messages;
pub(crate) use find::Found;
pub(in crate::post) use head::Head;
pub(crate) use held::Held;
pub(crate) use repeat::Series;
pub(in crate::post) use run::{Key, Line};
pub(crate) use stamp::{PostMeta, Stamps};
pub(in crate::post) use stock::Stock;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::by_field::clone_by_field;
use crate::error::Bulk;
use crate::hash::HashedMap;
use crate::header::PostKey;
use crate::identity::Identity;
use crate::message::{AnyMessage, Facts, MessageIndex};
use crate::post::{Fate, Ticket, Waiting};
use crate::send::Posted;
use crate::time::{LANES, Track};
use crate::trace::TraceId;

use head::posting;
use index::Index;
use pass::Next;
pub(in crate::post) use pass::Turn;
pub(super) use queue::slab_of;
use queue::{Queue, Spot};

/// The past of a stage.
#[derive(Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lane {
    /// The readings of the clocks at the last look: scaled, unscaled, frames.
    pub(crate) reached: [u64; 3],
    /// The last frames that have begun, and when: those since the pass before, if there are not too many.
    pub begun: VecDeque<(u64, u64)>,
}

/// The most frames that are remembered which begin without a pass of the stage.
pub const BEGUN_AT_MOST: usize = 4096;

impl Lane {
    /// Returns when a frame has begun that the clock has reached, as far as that is remembered.
    fn since(&self, frame: u64, now: u64) -> u64 {
        let at = self.begun.partition_point(|(begun, _)| *begun < frame);
        self.begun.get(at).map_or(now, |(_, begun)| *begun)
    }
}

/// The data of a pending message.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    pub number: NonZeroU64,
    pub to: Recipient,
    /// The messagee that posted it, if one did.
    pub sender: Option<MessageeId>,
    /// The due time on the clock of its timeline.
    pub due: u64,
    /// The time since which it has waited for the next pass of its stage, if it does.
    pub ready: Option<u64>,
    pub meta: PostMeta,
    /// It ends with its sender.
    pub bound: bool,
    /// The component that it ends with.
    pub until: Option<HookId>,
    pub key: Option<PostKey>,
    /// Its deliveries, if it repeats.
    pub series: Option<Series>,
}

impl Record {
    /// Returns who posted it.
    pub(crate) fn sender(&self) -> Sender {
        self.sender.map_or(Sender::Outside, Sender::Messagee)
    }

    /// Returns the ticket that the message has when it is [put in](Schedule::insert) in a box. `of` is its type.
    pub fn boxed_ticket(&self, of: MessageIndex) -> Ticket {
        Ticket(Fate::Waits(Waiting {
            number: self.number,
            queue: slab_of(of, true),
            track: self.meta.track(),
            is_plain: false,
            due: self.due,
        }))
    }

    /// Makes the message due when one that it replaces would be, if both are measured on one clock. One that is
    /// being delivered would be due again after its period.
    #[cold]
    pub(crate) fn keep_phase(&mut self, replaced: &Self, is_being_delivered: bool) {
        let timeline = self.meta.timeline;
        if replaced.meta.timeline != timeline {
            return;
        }
        self.due = replaced.due;
        self.ready = replaced.ready;
        if let Some(series) = replaced.series.filter(|_| is_being_delivered) {
            self.due = timeline.after(replaced.due, series.period);
        }
    }

    /// Returns the messagee that it is for, unless something is rare about it.
    fn messagee(&self) -> Option<MessageeId> {
        match self.to {
            Recipient::Id(to) => {
                let is_rare = self.key.is_some() || self.series.is_some() || self.until.is_some();
                (!is_rare).then_some(to)
            }
            _ => None,
        }
    }

    /// Returns what its header adds to it when it is delivered.
    pub(crate) fn posted(&self, now: u64) -> Posted {
        Posted {
            mark: self.meta,
            due: self.due,
            since: now,
        }
    }
}

/// A message that repeats and is being delivered: it is in no queue meanwhile.
#[derive(Clone, Copy)]
struct Away {
    queue: usize,
    head: Head,
}

/// The place of a queue that does not exist.
const NOWHERE: u32 = u32::MAX;

pub struct Schedule {
    /// The queues, in the order in which the first messages of their types were posted.
    queues: Vec<Queue>,
    /// The places of the queues by their numbers, or [`NOWHERE`].
    places: Vec<u32>,
    pub lanes: [Lane; LANES],
    /// The runs of the pass under way by their next messages: the one whose turn it is first.
    pass: BinaryHeap<Next>,
    /// The lane of the pass under way, or else of the last one.
    lane: usize,
    stamps: Stamps,
    /// The messages with a recipient that is no messagee, a key, or deliveries that repeat.
    rare: HashedMap<NonZeroU64, Record>,
    /// The numbers of those that were posted while the manager was traced.
    pub(crate) traced: HashedMap<NonZeroU64, TraceId>,
    keys: HashMap<PostKey, Ticket>,
    /// The messages that end with a component, by their numbers.
    tied: HashedMap<HookId, BTreeMap<NonZeroU64, Ticket>>,
    index: Option<Index>,
    away: Option<Away>,
    /// A message was taken out of a run of the pass under way.
    pub(in crate::post) is_disturbed: bool,
    /// The number of the next message that is posted.
    pub next_number: NonZeroU64,
    /// The clocks, by [`Timeline`], when the pass under way or else the last one began: what it delivers was due by
    /// then.
    bounds: [u64; 4],
    /// The number of times that a repeating message can be delivered in a frame.
    max_repeats: u32,
    /// The number of deliveries beyond that, which were left out, in all frames.
    pub skipped_repeats: u64,
    /// The largest group of messages when that was last counted, and the number of the next posting then.
    counted: Option<(Option<Bulk>, NonZeroU64)>,
    /// Numbers below this one may have been given out in another future, too. It is never rewound.
    unique_from: u64,
}

clone_by_field!(Schedule {
    queues, places, lanes, pass, lane, stamps, rare, traced, keys, tied, away, is_disturbed, next_number, bounds,
    max_repeats, skipped_repeats, counted, unique_from
} new { index });

impl Schedule {
    pub(crate) fn new(manager: &Identity, max_repeats: u32) -> Self {
        let mut stamps = Stamps::default();
        let first_post = manager.number.0;
        stamps.cancelled.begin(first_post.get());
        Self {
            queues: Vec::new(),
            places: Vec::new(),
            lanes: Default::default(),
            pass: BinaryHeap::new(),
            lane: 0,
            stamps,
            rare: HashedMap::default(),
            traced: HashedMap::default(),
            keys: HashMap::new(),
            tied: HashedMap::default(),
            index: None,
            away: None,
            is_disturbed: false,
            next_number: first_post,
            bounds: [0; 4],
            max_repeats: max_repeats.max(1),
            skipped_repeats: 0,
            counted: None,
            unique_from: 0,
        }
    }

    /// Goes back to an earlier schedule. Returns the one that was here, to be dropped.
    pub(crate) fn rewind(&mut self, to: Self) -> Self {
        let unique_from = self.unique_from.max(self.next_number.get());
        std::mem::replace(self, Self { unique_from, ..to })
    }

    /// Returns the number of messages that are pending.
    #[inline]
    pub(crate) fn pending(&self) -> usize {
        self.stamps.messages - self.stamps.cancelled.waiting
    }

    fn reached(&self, track: Track) -> u64 {
        self.lanes[track.lane()].reached[track.clock()]
    }

    /// Returns the message that is replaced by one under that key.
    #[cold]
    pub(crate) fn would_replace(&self, key: Option<PostKey>) -> Option<Found> {
        self.found(*self.keys.get(&key?)?)
    }

    /// Returns the data of a pending message. `ready` is given if it waits for the next pass of its stage.
    fn record(&self, head: &Head, ready: Option<u64>) -> Record {
        let number = posting(self.stamps.number(head));
        let Some(to) = head.to() else {
            let record = self.rare[&number];
            return Record { ready, ..record };
        };
        let stamp = self.stamps.get(head.stamp);
        Record {
            number,
            to: Recipient::Id(to),
            sender: head.sender(),
            due: self.stamps.due(head),
            ready,
            meta: stamp.meta,
            bound: stamp.bound,
            until: None,
            key: None,
            series: None,
        }
    }

    /// Returns the ticket of a pending message. `waits` tells that it is on a wheel.
    fn ticket(&self, queue: usize, head: &Head, waits: bool) -> Ticket {
        let stamp = self.stamps.get(head.stamp);
        Ticket(Fate::Waits(Waiting {
            number: posting(self.stamps.number(head)),
            queue: self.queues[queue].slab,
            track: stamp.meta.track(),
            is_plain: waits && head.to().is_some() && !stamp.bound,
            due: self.stamps.due(head),
        }))
    }

    /// Returns the place of the queue that a message is or was in.
    #[inline]
    fn place_of(&self, waiting: &Waiting) -> Option<usize> {
        let place = *self.places.get(waiting.queue as usize)?;
        (place != NOWHERE).then_some(place as usize)
    }

    /// Continues behind this number of posts and of skipped repeats.
    pub fn restore(&mut self, next: NonZeroU64, skipped: u64, lanes: [Lane; LANES]) {
        self.next_number = next;
        self.stamps.cancelled.begin(next.get());
        self.skipped_repeats = skipped;
        self.lanes = lanes;
    }

    /// Returns a pending message.
    pub fn message(&self, ticket: Ticket) -> Option<&dyn AnyMessage> {
        let (queue, spot) = self.find(ticket)?;
        self.queues[queue].stock.message(spot.block, spot.at)
    }

    /// Finds a pending message, unless it is being delivered. Returns the place of its queue.
    fn find(&self, ticket: Ticket) -> Option<(usize, Spot)> {
        let waiting = ticket.waiting()?;
        let at = self.place_of(&waiting)?;
        // One that repeats waits for another time.
        let rare = self.rare.get(&waiting.number);
        let (track, due) = (waiting.track, rare.map_or(waiting.due, |rare| rare.due));
        let (number, reached) = (waiting.number.get(), self.reached(track));
        let spot = self.queues[at].find(track, due, number, reached, &self.stamps)?;
        Some((at, spot))
    }

    /// Returns `true` if it is the ticket of a message that repeats and is being delivered.
    pub(crate) fn is_away(&self, ticket: Ticket) -> bool {
        self.lent(ticket).is_some()
    }

    /// Returns a message that repeats and is being delivered.
    fn lent(&self, ticket: Ticket) -> Option<Away> {
        let number = self.stamps.number(&self.away.as_ref()?.head);
        self.away
            .filter(|_| ticket.number() == Some(posting(number)))
    }

    /// A message that bears its stamp is not pending any more.
    #[inline]
    fn leave(&mut self, head: &Head) {
        if head.to().is_none() || !self.traced.is_empty() {
            self.forget(head);
        }
        self.stamps.leave(head.stamp, 1);
    }

    #[cold]
    fn forget(&mut self, head: &Head) {
        let number = posting(self.stamps.number(head));
        self.traced.remove(&number);
        let Some(Record { key, until, .. }) = self.rare.remove(&number) else {
            return;
        };
        if let Some(key) = key {
            self.keys.remove(&key);
        }
        if let Some(hook) = until
            && let Some(tied) = self.tied.get_mut(&hook)
        {
            tied.remove(&number);
            if tied.is_empty() {
                self.tied.remove(&hook);
            }
        }
    }

    /// A frame begins: what waited for it falls due at that time.
    pub(crate) fn begin_frame(&mut self, frame: u64, now: u64) {
        for at in 0..LANES {
            let begun = &mut self.lanes[at].begun;
            if begun.len() == BEGUN_AT_MOST {
                begun.pop_front();
            }
            begun.push_back((frame, now));
            self.advance(at, Timeline::Frames, frame, Some(now));
        }
    }

    /// Moves on a clock of a lane. What falls due is ready for the next pass: since `since`, if its due time does not
    /// tell that.
    fn advance(&mut self, lane: usize, clock: Timeline, to: u64, since: Option<u64>) {
        let track = Track::new(lane, clock);
        let lane = &mut self.lanes[lane];
        let reached = &mut lane.reached[clock as usize];
        let from = std::mem::replace(reached, to.max(*reached));
        for queue in &mut self.queues {
            queue.advance(track, from, to, since, &mut self.stamps);
        }
    }

    /// Returns the first type of which a message is pending that cannot be cloned.
    pub(crate) fn first_not_cloned(&mut self) -> Option<(&'static Facts, Recipient)> {
        if self.queues.iter().any(|queue| !queue.facts.is_cloned) {
            // Cancelled messages may still be there.
            self.sweep();
        }
        let mut queues = self.queues.iter().filter(|queue| !queue.facts.is_cloned);
        queues.find_map(|queue| {
            let (head, ready) = queue.heads(&self.stamps).next()?;
            Some((queue.facts, self.record(head, ready).to))
        })
    }

    /// Frees the memory that is not used.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.sweep();
        self.index = None;
        for queue in &mut self.queues {
            queue.shrink_to_fit();
        }
        for lane in &mut self.lanes {
            lane.begun.shrink_to_fit();
        }
        self.pass.shrink_to_fit();
        if self.pending() == 0 {
            self.stamps.cancelled.begin(self.next_number.get());
        }
        self.stamps.shrink_to_fit();
        self.rare.shrink_to_fit();
        self.keys.shrink_to_fit();
        self.tied.shrink_to_fit();
        self.traced.shrink_to_fit();
    }

    /// Drops every message, one by one. Nothing else is updated.
    pub(crate) fn drop_all(&mut self, panics: &mut crate::caught::FirstPanic) {
        for queue in &mut self.queues {
            queue.stock.column().drop_all(panics);
        }
    }
}
