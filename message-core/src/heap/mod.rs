//! The delay heap: posted messages that are not yet due, and those that wait for the next pass of
//! their stage.
//!
//! The messages stand by value in one [slab] for each type. What is ordered are small entries that
//! point at them: for each stage a [wheel] for each clock, and the list of those that are ready. A
//! pass takes everything out that is due, sorts it, and works through it; what is posted meanwhile
//! waits for the next pass. A message that is cancelled is dropped at once and leaves its slot
//! marked, until its entry comes out; when such entries are many, all of them are taken out.
//!
//! Borrowed for moments only: no handler, and no `Drop` of a message that could reach a manager,
//! runs while it is.

mod bulk;
mod cancel;
mod lane;
mod list;
mod postmark;
mod record;
mod slab;
mod traced;
mod wheel;

use std::collections::HashMap;
use std::num::NonZeroU64;

pub(crate) use cancel::Taken;
pub(crate) use postmark::{Postmark, Timeline};
pub(crate) use record::Record;
pub(crate) use traced::TracedPost;

use crate::address::MessageeId;
use crate::hash::HashedMap;
use crate::key::ManagerNumber;
use crate::message::{Message, MessageIndex};
use crate::post::{Header, PostKey, Repeat, Ticket};
use crate::time::{Stage, Time};
use crate::trace::TraceId;

use bulk::Counted;
use lane::Lane;
use postmark::Postmarks;
use slab::{AnySlab, DeliverDue, Slab};

/// Where a pending message is, and when it is due on the clock of the queue it stands in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) due: u64,
    pub(crate) slab: u32,
    pub(crate) slot: u32,
}

/// An entry of a pass. Ordered by due time, then by the order of posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DueEntry {
    pub(crate) due: u64,
    /// The number of the posting; zero before it is known, and for one that was cancelled.
    pub(crate) number: u64,
    pub(crate) slab: u32,
    pub(crate) slot: u32,
}

impl DueEntry {
    fn waiting(self) -> Entry {
        Entry {
            due: self.due,
            slab: self.slab,
            slot: self.slot,
        }
    }
}

/// How far the clocks have come: what a pass delivers is due by then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) now: u64,
    pub(crate) unscaled: u64,
    pub(crate) frame: u64,
}

/// What few messages have.
#[derive(Clone, Copy, Debug)]
struct Rare {
    key: Option<PostKey>,
    /// How a message goes on that repeats; the number of deliveries counts down.
    repeat: Option<Repeat>,
}

/// When a message is to be delivered, on the clock of its timeline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct When {
    pub(crate) due: u64,
    /// The time since which it is ready, if it is for the next pass.
    pub(crate) ready_at: Option<u64>,
}

/// The slab of a message type, and the function that delivers from it.
struct Place {
    slab: Box<dyn AnySlab>,
    deliver: DeliverDue,
}

/// So many cancelled messages leave their slots marked, however few are pending.
const CANCELLED_AT_LEAST: usize = 1024;

pub(crate) struct DelayHeap {
    lanes: [Lane; Stage::WAITING.len()],
    /// By message index.
    places: Vec<Option<Place>>,
    postmarks: Postmarks,
    rare: HashedMap<NonZeroU64, Rare>,
    /// The numbers of those that were posted while the manager was traced.
    traced: HashedMap<NonZeroU64, TraceId>,
    keys: HashMap<PostKey, Ticket>,
    /// The messages that end with their sender, and perhaps some that have been delivered.
    bound: HashedMap<MessageeId, Vec<Ticket>>,
    pending: usize,
    /// Messages that were cancelled and whose entries have not come out.
    cancelled: usize,
    /// How many of these there have to be for their entries to be taken out.
    sweep_at: usize,
    next_number: NonZeroU64,
    /// What most of the messages were when that was counted last.
    counted: Option<Counted>,
}

impl DelayHeap {
    pub(crate) fn new(manager: ManagerNumber) -> Self {
        Self {
            lanes: Default::default(),
            places: Vec::new(),
            postmarks: Postmarks::default(),
            rare: HashedMap::default(),
            traced: HashedMap::default(),
            keys: HashMap::new(),
            bound: HashedMap::default(),
            pending: 0,
            cancelled: 0,
            sweep_at: CANCELLED_AT_LEAST,
            next_number: manager.high_bits(),
            counted: None,
        }
    }

    pub(crate) fn pending(&self) -> usize {
        self.pending
    }

    /// Whether a message with that header would be one more.
    #[cold]
    pub(crate) fn would_grow(&self, header: &Header, sender: Option<MessageeId>) -> bool {
        let key = header.key_for(sender);
        key.is_none_or(|key| !self.keys.contains_key(&key))
    }

    /// Puts a message in; one that is pending under the same key goes.
    ///
    /// What few headers have is read only when they have it: a header is wide, and was often
    /// written a moment ago.
    #[inline]
    pub(crate) fn insert<M: Message>(
        &mut self,
        of: MessageIndex,
        header: &Header,
        sender: Option<MessageeId>,
        postmark: Postmark,
        When { due, ready_at }: When,
        message: M,
    ) -> Ticket {
        let number = self.next_number;
        self.next_number = number
            .checked_add(1)
            .expect("fewer than 2^52 messages are posted in the life of a manager");
        let timeline = postmark.timeline;
        let postmark = self.postmarks.enter(postmark);
        // What is due in one frame, or within 17 milliseconds, lies together.
        let neighbours = match timeline {
            Timeline::Frames => due,
            Timeline::Scaled | Timeline::Unscaled => due >> 24 | 1 << 63,
        };
        let record = Record::new(number, header, sender, due, postmark);
        let slot = self.slab::<M>(of).insert(neighbours, record, message);
        self.pending += 1;
        let entry = Entry {
            due: ready_at.unwrap_or(due),
            slab: of.0,
            slot,
        };
        let lane = &mut self.lanes[lane_of(header.stage)];
        match ready_at {
            Some(_) => lane.ready(entry, timeline),
            None => lane.wait(entry, timeline),
        }
        let ticket = Ticket {
            number: Some(number),
            slab: of.0,
            slot,
        };
        if header.is_rare() {
            self.register(ticket, number, header, sender);
        }
        ticket
    }

    #[cold]
    fn register(
        &mut self,
        ticket: Ticket,
        number: NonZeroU64,
        header: &Header,
        sender: Option<MessageeId>,
    ) {
        let key = header.key_for(sender);
        self.rare.insert(
            number,
            Rare {
                key,
                repeat: header.repeat,
            },
        );
        let replaced = key.and_then(|key| self.keys.insert(key, ticket));
        if let Some(sender) = sender.filter(|_| header.bound) {
            let mut own = self.bound.remove(&sender).unwrap_or_default();
            if own.len() == own.capacity() {
                own.retain(|&ticket| self.is_pending(ticket));
                // So that the next search is as far away as this one was long.
                own.reserve(own.len() + 1);
            }
            own.push(ticket);
            self.bound.insert(sender, own);
        }
        // Last, since a `Drop` may panic.
        if let Some(replaced) = replaced {
            self.discard(replaced);
        }
    }

    #[inline]
    fn slab<M: Message>(&mut self, of: MessageIndex) -> &mut Slab<M> {
        let at = of.get();
        if !matches!(self.places.get(at), Some(Some(_))) {
            self.make_place::<M>(at);
        }
        let place = self.places[at].as_mut();
        Slab::of(&mut *place.expect("it was made a moment ago").slab)
    }

    #[cold]
    fn make_place<M: Message>(&mut self, at: usize) {
        if at >= self.places.len() {
            self.places.resize_with(at + 1, || None);
        }
        self.places[at] = Some(Place {
            slab: Box::new(Slab::<M>::new()),
            deliver: slab::delivery::<M>(),
        });
    }

    #[inline]
    fn place_mut(&mut self, slab: u32) -> &mut Place {
        let place = self.places[slab as usize].as_mut();
        place.expect("the message type of what is pending has a slab")
    }

    fn record(&self, ticket: Ticket) -> Option<&Record> {
        let number = ticket.number?;
        let place = self.places.get(ticket.slab as usize)?.as_ref()?;
        let record = place.slab.record(ticket.slot)?;
        (record.number == Some(number)).then_some(record)
    }

    pub(crate) fn is_pending(&self, ticket: Ticket) -> bool {
        self.record(ticket).is_some()
    }

    /// A frame begins: what waited for it falls due at that time.
    pub(crate) fn begin_frame(&mut self, frame: u64, now: u64) {
        for lane in &mut self.lanes {
            lane.begin_frame(frame, now);
        }
    }

    /// A pass of a lane begins, with everything that is due by now.
    pub(crate) fn begin_pass(&mut self, lane: usize, bounds: Bounds) {
        let due = self.lanes[lane].take_due(bounds);
        let mut due: Vec<DueEntry> = due
            .into_iter()
            .map(|Entry { due, slab, slot }| DueEntry {
                due,
                number: 0,
                slab,
                slot,
            })
            .collect();
        // This also brings what the pass is about to read nearer.
        let mut cancelled = 0;
        for of_one_type in due.chunk_by_mut(|this, next| this.slab == next.slab) {
            let slab = of_one_type[0].slab;
            cancelled += self.place_mut(slab).slab.number(of_one_type);
        }
        if cancelled > 0 {
            self.cancelled -= cancelled;
            self.sweep_at = CANCELLED_AT_LEAST;
            due.retain(|entry| entry.number != 0);
        }
        self.lanes[lane].begin_pass(due);
    }

    /// The next entry of the pass under way, and the function that delivers it.
    #[inline]
    pub(crate) fn next(&mut self, lane: usize) -> Option<(DueEntry, DeliverDue)> {
        let entry = self.lanes[lane].next()?;
        Some((entry, self.place_mut(entry.slab).deliver))
    }

    /// Takes the message of an entry that is due, if it was not cancelled.
    #[inline]
    pub(crate) fn take<M: Message>(&mut self, entry: DueEntry) -> Option<(Record, Postmark, M)> {
        let slab = Slab::<M>::of(&mut *self.place_mut(entry.slab).slab);
        let Some((record, message)) = slab.take(entry.slot) else {
            self.sweep(entry);
            return None;
        };
        let postmark = *self.postmarks.get(record.postmark);
        if !record.repeats {
            self.left(&record);
        }
        Some((record, postmark, message))
    }

    /// A message is not pending any more.
    #[inline]
    fn left(&mut self, record: &Record) {
        self.pending -= 1;
        self.postmarks.leave(record.postmark);
        if record.rare {
            self.forget_rare(record);
        }
        if !self.traced.is_empty() {
            self.forget_number(record);
        }
    }

    #[cold]
    fn forget_rare(&mut self, record: &Record) {
        let rare = record.number.and_then(|number| self.rare.remove(&number));
        if let Some(key) = rare.and_then(|rare| rare.key)
            && self
                .keys
                .get(&key)
                .is_some_and(|ticket| ticket.number == record.number)
        {
            self.keys.remove(&key);
        }
    }

    /// Puts the message of an entry back that repeats, to wait for its next time. `bounds` are
    /// the readings up to which the pass under way delivers. A message that was cancelled while
    /// it was delivered is returned.
    #[cold]
    pub(crate) fn put_back<M: Message>(
        &mut self,
        entry: DueEntry,
        message: M,
        bounds: Bounds,
    ) -> Option<M> {
        let number = NonZeroU64::new(entry.number)?;
        let slab = Slab::<M>::of(&mut *self.place_mut(entry.slab).slab);
        if let Some(cancelled) = slab.put_back(entry.slot, number, message) {
            return Some(cancelled);
        }
        let rare = self.rare.get_mut(&number);
        let repeat = rare.and_then(|rare| rare.repeat.as_mut());
        let repeat = repeat.expect("a message that repeats has a period");
        repeat.times = repeat.times.map(|left| left - 1);
        let Repeat { period, times } = *repeat;
        let record = self.place_mut(entry.slab).slab.record_mut(entry.slot);
        let record = record.expect("a message was put there a moment ago");
        let due = record.due;
        record.repeats = times != Some(1);
        let postmark = record.postmark;
        let Postmark {
            stage, timeline, ..
        } = *self.postmarks.get(postmark);
        let next = match timeline {
            Timeline::Scaled | Timeline::Unscaled => Time::after(due, period),
            Timeline::Frames => due.saturating_add(period),
        };
        if next == due {
            // There is no later time: it would be due again for ever.
            let slab = Slab::<M>::of(&mut *self.place_mut(entry.slab).slab);
            let (record, message) = slab.take_last(entry.slot)?;
            self.left(&record);
            return Some(message);
        }
        if let Some(record) = self.place_mut(entry.slab).slab.record_mut(entry.slot) {
            record.due = next;
        }
        self.lanes[lane_of(stage)].again(DueEntry { due: next, ..entry }, timeline, bounds);
        None
    }
}

/// The lane of a stage that messages wait for.
fn lane_of(stage: Stage) -> usize {
    stage.lane().expect("a message that waits has a stage")
}
