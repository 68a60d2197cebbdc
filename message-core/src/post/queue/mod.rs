//! The pending messages: posted, and not yet due or waiting for the next pass of their stage.
//!
//! The messages stand by value on one [queue](pending_of) for each type, in [chunks](chunk): those
//! without conditions that are due together in batches, the others as single ones. All that does not
//! depend on the type is known apart from the [messages] themselves, and compiled once. What is
//! ordered are small entries that point at a batch or a slot: for each stage a [wheel] for each clock,
//! and the list of those that are ready. A pass takes everything out that is due, puts it in order, and
//! works through it; what is posted meanwhile waits for the next pass. A message that is cancelled is
//! dropped at once. If that leaves an entry that points at nothing, this is taken out when it is due,
//! or when there are many.
//!
//! Borrowed for moments only: no handler, and no `Drop` of a message that could reach a manager,
//! runs while it is.

mod bulk;
mod cancel;
mod chunk;
mod cursor;
mod discarded;
mod insert;
mod lane;
mod lent;
mod list;
mod messages;
mod open;
mod pass;
mod pending_of;
mod post_meta;
mod record;
mod repeat;
mod room;
#[cfg(feature = "data")]
mod saved;
mod slot;
mod soonest;
mod traced;
mod wheel;

use std::cell::RefMut;
use std::collections::HashMap;
use std::num::NonZeroU64;

pub(crate) use cancel::{Taken, Unposted};
pub(crate) use cursor::Cursor;
pub(crate) use insert::{Plain, Stamped, When};
pub(crate) use lent::{Lent, Part};
pub(crate) use messages::{Held, Messages, Rows};
pub(crate) use pass::Due;
pub(crate) use post_meta::{PostMeta, Timeline};
use record::Left;
pub(crate) use record::Record;
#[cfg(feature = "data")]
pub(crate) use saved::{SavedLane, SavedPost, SavedSeries};
pub(crate) use traced::TracedPost;

use crate::address::MessageeId;
use crate::error::HandlerError;
use crate::handler::RouteTable;
use crate::hash::HashedMap;
use crate::header::PostKey;
use crate::identity::Identity;
use crate::message::MessageIndex;
use crate::post::Ticket;
use crate::post::delivery::Way;
use crate::send::Ways;
use crate::time::Stage;
use crate::trace::TraceId;
use crate::world::World;

use bulk::Counted;
use lane::Lane;
use pending_of::PendingOf;
use post_meta::Postmarks;
use repeat::Series;

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
    /// Returns `true` if it stands for all that is left of a batch.
    #[inline]
    pub(crate) fn is_whole(self) -> bool {
        slot::is_whole(self.slot)
    }

    fn waiting(self) -> Entry {
        Entry {
            due: self.due,
            slab: self.slab,
            slot: self.slot,
        }
    }
}

/// How far the clocks have come: what a pass delivers is due by then.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bounds {
    pub(crate) now: u64,
    pub(crate) unscaled: u64,
    pub(crate) frame: u64,
}

impl Bounds {
    /// How far the clock of a timeline has come.
    fn reached(self, timeline: Timeline) -> u64 {
        match timeline {
            Timeline::Scaled => self.now,
            Timeline::Unscaled => self.unscaled,
            Timeline::Frames => self.frame,
        }
    }
}

/// What few messages have.
#[derive(Clone, Copy, Debug)]
struct Rare {
    key: Option<PostKey>,
    /// How a message goes on that repeats.
    series: Option<Series>,
}

/// The functions that deliver the messages of one type.
#[derive(Clone, Copy)]
pub(crate) struct Deliver {
    /// Delivers a message that has come out, with its number in the trace. If a way is given and its
    /// component is free, calls that component. Otherwise delivers the message as any other send.
    pub(crate) one: DeliverOne,
    /// Calls with the messages of a part of a batch.
    pub(crate) walk: WalkPart,
}

/// See [`Deliver::one`].
type DeliverOne = fn(&World, RefMut<'_, dyn Messages>, &Due, Option<TraceId>, Option<&mut Way<'_>>);

/// Calls handlers that take no context with each message of a part of a batch. Ends before a message for which
/// that is not possible at once, and behind one whose handler fails.
pub(crate) type WalkPart = fn(Lent<'_>, &mut Ways<'_>, &RouteTable) -> Option<Box<HandlerError>>;

/// Of the message type of what is pending.
const QUEUE: &str = "the message type of what is pending has a queue";

/// So many entries may point at what was cancelled, however few messages are pending.
const CANCELLED_AT_LEAST: usize = 1024;

pub(crate) struct DelayHeap {
    lanes: [Lane; Stage::WAITING.len()],
    /// By message index; behind them those for the boxed messages of each type.
    queues: Vec<Option<Box<PendingOf>>>,
    postmarks: Postmarks,
    rare: HashedMap<NonZeroU64, Rare>,
    /// The numbers of those that were posted while the manager was traced.
    traced: HashedMap<NonZeroU64, TraceId>,
    keys: HashMap<PostKey, Ticket>,
    /// The messages that end with their sender, and perhaps some that have been delivered.
    bound: HashedMap<MessageeId, Vec<Ticket>>,
    pending: usize,
    /// So many may be pending for another one to be entered without a further question: none while the
    /// manager is traced.
    most_pending: usize,
    /// Entries that point at nothing any more, since it was cancelled.
    cancelled: usize,
    /// The number of these that there have to be for their entries to be taken out.
    sweep_at: usize,
    /// The number of the next message that is posted.
    next_number: NonZeroU64,
    /// What the pass under way delivers is due by then, and so it was in the last one.
    bounds: Bounds,
    /// How many times a message that repeats may be delivered in a frame.
    max_repeats: u32,
    /// How many deliveries were left out beyond that.
    skipped_repeats: u64,
    /// What most of the messages were when that was counted last.
    counted: Option<Counted>,
}

impl DelayHeap {
    pub(crate) fn new(manager: &Identity, max_pending: usize, max_repeats: u32) -> Self {
        Self {
            lanes: Default::default(),
            queues: Vec::new(),
            postmarks: Postmarks::default(),
            rare: HashedMap::default(),
            traced: HashedMap::default(),
            keys: HashMap::new(),
            bound: HashedMap::default(),
            pending: 0,
            most_pending: max_pending,
            cancelled: 0,
            sweep_at: CANCELLED_AT_LEAST,
            next_number: manager.first_post(),
            bounds: Bounds::default(),
            max_repeats: max_repeats.max(1),
            skipped_repeats: 0,
            counted: None,
        }
    }

    pub(crate) fn pending(&self) -> usize {
        self.pending
    }

    #[inline]
    fn queue(&self, slab: u32) -> &PendingOf {
        let queue = self.queues[slab as usize].as_deref();
        queue.expect(QUEUE)
    }

    #[inline]
    fn queue_mut(&mut self, slab: u32) -> &mut PendingOf {
        let queue = self.queues[slab as usize].as_deref_mut();
        queue.expect(QUEUE)
    }

    fn record(&self, ticket: Ticket) -> Option<Record> {
        let number = ticket.number?;
        let queue = self.queues.get(ticket.slab() as usize)?.as_deref()?;
        let record = queue.record(ticket.slot())?;
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

    /// A message is not pending any more.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "part of each delivery and each cancelling"
    )]
    fn left(&mut self, left: Left) {
        self.pending -= 1;
        if let Some(post_meta) = left.post_meta {
            self.postmarks.leave(post_meta);
        }
        if left.rare {
            self.forget_rare(left);
        }
        if !self.traced.is_empty() {
            self.forget_number(left);
        }
    }

    #[cold]
    fn forget_rare(&mut self, left: Left) {
        let rare = left.number.and_then(|number| self.rare.remove(&number));
        if let Some(key) = rare.and_then(|rare| rare.key)
            && self
                .keys
                .get(&key)
                .is_some_and(|ticket| ticket.number == left.number)
        {
            self.keys.remove(&key);
        }
    }
}

/// The number of the queue of a message type: those of boxed messages stand beside the others, so that
/// types can be added.
#[inline]
fn slab_of(of: MessageIndex, is_boxed: bool) -> u32 {
    of.0 << 1 | u32::from(is_boxed)
}

/// The lane of a stage that messages wait for.
fn lane_of(stage: Stage) -> usize {
    stage.lane().expect("a message that waits has a stage")
}
