//! The delay heap: posted messages that are not yet due, and those that wait for the next pass of
//! their stage.
//!
//! The messages stand by value in one [slab] for each type. What is ordered are small entries that
//! point at them: for each stage a [wheel] for each clock, and the list of those that are ready. A
//! pass takes everything out that is due, sorts it, and works through it; what is posted meanwhile
//! waits for the next pass. A message that is cancelled leaves its slot at once and its entry
//! behind, which finds another posting in the slot, or none, and is passed over; when such entries
//! are many, all of them are dropped.
//!
//! Borrowed for moments only: no handler, and no `Drop` of a message that could reach a manager,
//! runs while it is.

mod lane;
mod slab;
mod wheel;

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::time::Duration;

pub(crate) use lane::Lane;
pub(crate) use slab::{Rare, Record, Slab, Timeline};

use crate::address::{MessageeId, Sender};
use crate::hash::HashedMap;
use crate::key::ManagerNumber;
use crate::message::{AnyMessage, Message, MessageIndex};
use crate::post::{Due, PendingPost, PostKey, Posts, Ticket};
use crate::time::{Moment, Stage};
use crate::world::World;

use slab::AnySlab;

/// Where a pending message is, and when it is due on the clock of the queue it stands in. Ordered
/// by due time, then by the order of posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) due: u64,
    /// The number of the posting.
    pub(crate) id: u64,
    pub(crate) slab: u32,
    pub(crate) slot: u32,
}

impl Entry {
    pub(crate) fn number(self) -> NonZeroU64 {
        NonZeroU64::new(self.id).expect("the manager's bits are never zero")
    }
}

/// So many entries of cancelled messages are left where they are, however few are pending.
const STALE_AT_LEAST: usize = 1024;

pub(crate) struct DelayHeap {
    lanes: [Lane; Stage::WAITING.len()],
    slabs: Vec<Option<Box<dyn AnySlab>>>,
    keys: HashMap<PostKey, Ticket>,
    /// The messages that end with their sender, and perhaps some that have been delivered.
    bound: HashedMap<MessageeId, Vec<Ticket>>,
    pending: usize,
    /// Entries whose message was cancelled.
    stale: usize,
    next_number: NonZeroU64,
}

impl DelayHeap {
    pub(crate) fn new(manager: ManagerNumber) -> Self {
        Self {
            lanes: Default::default(),
            slabs: Vec::new(),
            keys: HashMap::new(),
            bound: HashedMap::default(),
            pending: 0,
            stale: 0,
            next_number: manager.high_bits(),
        }
    }

    pub(crate) fn pending(&self) -> usize {
        self.pending
    }

    /// The lane of a stage other than `Immediate`.
    pub(crate) fn lane_mut(&mut self, lane: usize) -> &mut Lane {
        &mut self.lanes[lane]
    }

    /// Whether a message under that key would be one more.
    pub(crate) fn would_grow(&self, key: Option<PostKey>) -> bool {
        key.is_none_or(|key| !self.keys.contains_key(&key))
    }

    /// Puts a message in; one that is pending under the same key goes.
    #[inline]
    pub(crate) fn insert<M: Message>(
        &mut self,
        index: MessageIndex,
        mut record: Record,
        message: M,
        ready_at: Option<u64>,
    ) -> Ticket {
        let number = self.next_number;
        self.next_number = number
            .checked_add(1)
            .expect("fewer than 2^52 messages are posted in the life of a manager");
        record.number = Some(number);
        let (due, stage, timeline) = (record.due, record.stage, record.timeline);
        let registration = record.rare.as_deref().map(|rare| (rare.key, rare.bound));
        let sender = record.sender;
        let slot = self.slab::<M>(index).insert(record, message);
        self.pending += 1;
        let ticket = Ticket {
            number: Some(number),
            slab: index.0,
            slot,
        };
        let entry = Entry {
            due: ready_at.unwrap_or(due),
            id: number.get(),
            slab: index.0,
            slot,
        };
        let lane = stage.lane().expect("a message that waits has a stage");
        match ready_at {
            Some(_) => self.lanes[lane].ready(entry, timeline),
            None => self.lanes[lane].wait(entry, timeline),
        }
        if let Some((key, bound)) = registration {
            self.register(ticket, key, sender.filter(|_| bound));
        }
        ticket
    }

    fn register(&mut self, ticket: Ticket, key: Option<PostKey>, bound_to: Option<MessageeId>) {
        if let Some(key) = key
            && let Some(replaced) = self.keys.insert(key, ticket)
        {
            self.discard(replaced);
            self.keys.insert(key, ticket);
        }
        if let Some(sender) = bound_to {
            let mut own = self.bound.remove(&sender).unwrap_or_default();
            if own.len() == own.capacity() {
                own.retain(|&ticket| self.is_pending(ticket));
            }
            own.push(ticket);
            self.bound.insert(sender, own);
        }
    }

    #[inline]
    fn slab<M: Message>(&mut self, index: MessageIndex) -> &mut Slab<M> {
        let at = index.get();
        if at >= self.slabs.len() {
            self.slabs.resize_with(at + 1, || None);
        }
        let slab = self.slabs[at].get_or_insert_with(|| Box::new(Slab::<M>::new()));
        Slab::of(&mut **slab)
    }

    fn slab_at(&mut self, at: u32) -> Option<&mut Box<dyn AnySlab>> {
        self.slabs.get_mut(at as usize)?.as_mut()
    }

    fn record(&self, ticket: Ticket) -> Option<&Record> {
        let number = ticket.number?;
        let slab = self.slabs.get(ticket.slab as usize)?.as_ref()?;
        let record = slab.record(ticket.slot)?;
        (record.number == Some(number)).then_some(record)
    }

    pub(crate) fn is_pending(&self, ticket: Ticket) -> bool {
        self.record(ticket).is_some()
    }

    /// The function that delivers the message of an entry.
    pub(crate) fn delivery_of(&self, entry: Entry) -> fn(&mut World, Entry) -> bool {
        let slab = self.slabs[entry.slab as usize].as_deref();
        slab.expect("an entry's message type has a slab").deliver()
    }

    /// Takes the message of an entry that is due, if it was not cancelled.
    #[inline]
    pub(crate) fn take<M: Message>(&mut self, entry: Entry) -> Option<(Record, M)> {
        let slab = self.slabs[entry.slab as usize].as_deref_mut();
        let slab = Slab::<M>::of(slab.expect("an entry's message type has a slab"));
        let Some((record, message)) = slab.take(entry.slot, entry.number()) else {
            self.stale -= 1;
            return None;
        };
        let ended = record
            .rare
            .as_deref()
            .is_none_or(|rare| rare.period.is_none() || rare.left == Some(1));
        if ended {
            self.pending -= 1;
            if let Some(key) = record.rare.as_deref().and_then(|rare| rare.key) {
                self.keys.remove(&key);
            }
        }
        Some((record, message))
    }

    /// Puts the message of an entry back that repeats, to wait for its next time. `bounds` are
    /// the readings up to which the pass under way delivers. A message that was cancelled while
    /// it was delivered is returned.
    pub(crate) fn put_back<M: Message>(
        &mut self,
        entry: Entry,
        message: M,
        bounds: Bounds,
    ) -> Option<M> {
        let slab = self.slabs[entry.slab as usize].as_deref_mut();
        let slab = Slab::<M>::of(slab.expect("an entry's message type has a slab"));
        if let Some(cancelled) = slab.put_back(entry.slot, entry.number(), message) {
            return Some(cancelled);
        }
        let record = slab.record_mut(entry.slot);
        let record = record.expect("a message was put there a moment ago");
        let rare = record.rare.as_deref_mut();
        let rare = rare.expect("a message that repeats has a period");
        rare.left = rare.left.map(|left| left - 1);
        let period = rare.period.map_or(u64::MAX, NonZeroU64::get);
        record.due = record.due.saturating_add(period);
        let (timeline, stage) = (record.timeline, record.stage);
        let entry = Entry {
            due: record.due,
            ..entry
        };
        let lane = stage.lane().expect("a message that waits has a stage");
        self.lanes[lane].again(entry, timeline, bounds);
        None
    }

    /// Drops a message that is pending.
    pub(crate) fn discard(&mut self, ticket: Ticket) -> bool {
        let Some(number) = ticket.number else {
            return false;
        };
        let Some(slab) = self.slab_at(ticket.slab) else {
            return false;
        };
        let Some(discarded) = slab.discard(ticket.slot, number) else {
            return false;
        };
        self.forget(discarded.rare.as_deref(), discarded.was_waiting);
        true
    }

    /// Takes the messages out that end with that sender.
    pub(crate) fn take_bound(&mut self, sender: MessageeId) -> Vec<(Record, Box<dyn AnyMessage>)> {
        let mut taken = Vec::new();
        for ticket in self.bound.remove(&sender).unwrap_or_default() {
            let (Some(number), Some(slab)) = (ticket.number, self.slab_at(ticket.slab)) else {
                continue;
            };
            if let Some((record, message)) = slab.take_any(ticket.slot, number) {
                self.forget(record.rare.as_deref(), true);
                taken.push((record, message));
            } else {
                self.discard(ticket);
            }
        }
        taken
    }

    /// A message is gone before its time; its entry, if it was waiting, is still there.
    fn forget(&mut self, rare: Option<&Rare>, was_waiting: bool) {
        self.pending -= 1;
        if let Some(key) = rare.and_then(|rare| rare.key) {
            self.keys.remove(&key);
        }
        self.stale += usize::from(was_waiting);
        if self.stale > STALE_AT_LEAST && self.stale > self.pending {
            self.drop_stale();
        }
    }

    #[cold]
    fn drop_stale(&mut self) {
        let slabs = &self.slabs;
        let is_live = |entry: &Entry| {
            let slab = slabs[entry.slab as usize].as_deref();
            let record = slab.and_then(|slab| slab.record(entry.slot));
            record.is_some_and(|record| record.number == Some(entry.number()))
        };
        for lane in &mut self.lanes {
            lane.retain(is_live);
        }
        self.stale = 0;
    }

    /// The tickets of the messages that are meant.
    pub(crate) fn select(&self, posts: &Posts) -> Vec<Ticket> {
        let posts = self.listed(posts);
        posts.map(|post| post.ticket).collect()
    }

    /// The messages that are meant, in the order in which they are due.
    pub(crate) fn list(&self, posts: &Posts) -> Vec<PendingPost> {
        let mut listed: Vec<PendingPost> = self.listed(posts).collect();
        let ready: HashMap<u64, Due> = self.lanes.iter().flat_map(Lane::ready_entries).collect();
        for post in &mut listed {
            let number = post.ticket.number.map(NonZeroU64::get);
            if let Some(&since) = number.and_then(|number| ready.get(&number)) {
                post.due = since;
            }
        }
        listed.sort_by_key(|post| (post.due, post.ticket.number));
        listed
    }

    fn listed(&self, posts: &Posts) -> impl Iterator<Item = PendingPost> {
        let mut listed = Vec::new();
        let named = match (posts.ticket, posts.key) {
            (Some(ticket), _) => Some(Some(ticket)),
            (None, Some(key)) => Some(self.keys.get(&key).copied()),
            (None, None) => None,
        };
        if let Some(named) = named {
            if let Some(ticket) = named
                && let Some(record) = self.record(ticket)
            {
                listed.push(self.describe(ticket, record));
            }
        } else {
            for (at, slab) in (0..).zip(&self.slabs) {
                let Some(slab) = slab else { continue };
                if posts.message().is_some_and(|id| id != slab.facts().id) {
                    continue;
                }
                slab.for_each(&mut |slot, record| {
                    let ticket = Ticket {
                        number: record.number,
                        slab: at,
                        slot,
                    };
                    listed.push(self.describe(ticket, record));
                });
            }
        }
        let posts = *posts;
        listed.into_iter().filter(move |post| posts.covers(post))
    }

    fn describe(&self, ticket: Ticket, record: &Record) -> PendingPost {
        let slab = self.slabs[ticket.slab as usize].as_deref();
        let facts = slab.expect("a pending message has a slab").facts();
        let rare = record.rare.as_deref();
        PendingPost {
            ticket,
            message: facts.name,
            id: facts.id,
            sender: record.sender.map_or(Sender::Outside, Sender::Messagee),
            recipient: record.to,
            stage: record.stage,
            due: match record.timeline {
                Timeline::Scaled => Due::At(Duration::from_nanos(record.due)),
                Timeline::Unscaled => Due::Unscaled(Duration::from_nanos(record.due)),
                Timeline::Frames => Due::Frame(record.due),
            },
            posted: Moment {
                time: Duration::from_nanos(record.posted_time),
                frame: record.posted_frame,
            },
            tags: record.tags | facts.tags(),
            key: rare.and_then(|rare| rare.key),
            deliveries: match rare {
                Some(rare) if rare.period.is_some() => rare.left,
                _ => Some(1),
            },
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
