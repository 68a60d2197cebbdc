//! What is pending, in a save.
//!
//! Every message is told with its number and with all that decides when it is delivered. It comes back
//! in a box of its own, under its number: where it lay is of no account for that.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU64;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::address::{MessageeId, Recipient};
use crate::header::{PostKey, Repeat};
use crate::identity::Identity;
use crate::message::{AnyMessage, Facts};
use crate::post::Ticket;
use crate::post::queue::lane::{BEGUN_AT_MOST, Lane};
use crate::post::queue::pending_of::PendingOf;
use crate::post::queue::record::State;
use crate::post::queue::repeat::Series;
use crate::post::queue::slot::{chunk_of, position_of, whole_batch};
use crate::post::queue::wheel::Wheel;
use crate::post::queue::{
    DelayHeap, Deliver, Entry, Held, PostMeta, Rare, Record, Rows, Timeline, lane_of, slab_of,
};
use crate::send::ErasedMessage;
use crate::send::erased::BoxedMessage;

/// A pending message without its content.
#[derive(Clone, Copy)]
pub(crate) struct SavedPost {
    /// How many messages the manager had posted before it.
    pub(crate) number: u64,
    pub(crate) to: Recipient,
    pub(crate) sender: Option<MessageeId>,
    pub(crate) due: u64,
    pub(crate) meta: PostMeta,
    pub(crate) key: Option<PostKey>,
    pub(crate) series: Option<SavedSeries>,
    /// It ends with its sender.
    pub(crate) bound: bool,
    pub(crate) plain: bool,
    /// If it waits for the next pass of its stage: the key that orders it there.
    pub(crate) ready: Option<u64>,
}

/// The deliveries of a message that repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedSeries {
    pub(crate) period: u64,
    /// How many deliveries are left, if not without end.
    pub(crate) times: Option<u64>,
    /// The frame of the last one, and how many there were in it.
    pub(crate) frame: u64,
    pub(crate) in_frame: u32,
}

/// What a stage knows of its past.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedLane {
    /// How far each clock was when it was looked at last: scaled, unscaled, frames.
    reached: [u64; 3],
    /// The frames that have begun since the last pass, and their times.
    begun: Vec<(u64, u64)>,
}

impl SavedLane {
    /// Returns `true` if a stage can know this.
    pub(crate) fn is_plausible(&self) -> bool {
        self.begun.len() <= BEGUN_AT_MOST && self.begun.is_sorted_by(|(a, _), (b, _)| a < b)
    }
}

impl Lane {
    fn saved(&self) -> SavedLane {
        let wheels = [&self.scaled, &self.unscaled, &self.frames];
        SavedLane {
            reached: wheels.map(Wheel::reached),
            begun: self.begun.iter().copied().collect(),
        }
    }

    fn restore(&mut self, saved: &SavedLane) {
        let wheels = [&mut self.scaled, &mut self.unscaled, &mut self.frames];
        for (wheel, reached) in wheels.into_iter().zip(saved.reached) {
            wheel.advance(reached, &mut Vec::new());
        }
        self.begun = saved.begun.iter().copied().collect();
    }
}

impl DelayHeap {
    /// A pending message.
    pub(crate) fn message(&self, ticket: Ticket) -> Option<&dyn AnyMessage> {
        self.record(ticket)?;
        let slot = ticket.slot();
        let queue = self.queue(ticket.slab());
        queue
            .messages
            .get(chunk_of(slot) as usize, position_of(slot))
    }

    /// The pending messages, in the order in which they were posted.
    pub(crate) fn saved(&self, identity: &Identity) -> Vec<(SavedPost, &dyn AnyMessage)> {
        let ready = self.lanes.iter().flat_map(Lane::ready_keys);
        let ready: HashMap<(u32, u32), u64> = ready.collect();
        let bound = self.bound.values().flatten();
        let bound: HashSet<NonZeroU64> = bound.filter_map(|it| it.number).collect();
        let mut posts = Vec::with_capacity(self.pending);
        for (slab, queue) in (0..).zip(&self.queues) {
            let Some(queue) = queue else { continue };
            let _ = queue.for_each(&mut |slot, record| {
                let (row, position) = (chunk_of(slot) as usize, position_of(slot));
                let message = queue.messages.get(row, position);
                let number = record.number.filter(|_| record.state != State::Delivering);
                let since = number.and_then(|number| identity.posts_before(number));
                let (Some(number), Some(since), Some(message)) = (number, since, message) else {
                    return ControlFlow::Continue(());
                };
                let rare = self.rare.get(&number);
                let series = rare.and_then(|rare| rare.series);
                let key = ready.get(&(slab, slot));
                let key = key.or_else(|| ready.get(&(slab, whole_batch(chunk_of(slot)))));
                let post = SavedPost {
                    number: since,
                    to: record.to,
                    sender: record.sender,
                    due: record.due,
                    meta: *self.postmarks.get(record.post_meta),
                    key: rare.and_then(|rare| rare.key),
                    series: series.map(Series::saved),
                    bound: bound.contains(&number),
                    plain: record.plain,
                    ready: key.copied(),
                };
                posts.push((post, message));
                ControlFlow::Continue(())
            });
        }
        posts.sort_unstable_by_key(|(post, _)| post.number);
        posts
    }

    /// Where each pending message lies, by how many were posted before it.
    pub(crate) fn places(&self, identity: &Identity) -> HashMap<u64, (u32, u32)> {
        let mut places = HashMap::new();
        for (slab, queue) in (0..).zip(&self.queues) {
            let Some(queue) = queue else { continue };
            let _ = queue.for_each(&mut |slot, record| {
                let since = record.number;
                if let Some(since) = since.and_then(|number| identity.posts_before(number)) {
                    places.insert(since, (slab, slot));
                }
                ControlFlow::<()>::Continue(())
            });
        }
        places
    }

    /// How many messages have been posted.
    pub(crate) fn posted(&self, identity: &Identity) -> u64 {
        identity.posts_before(self.next_number).unwrap_or_default()
    }

    /// What each stage knows of its past.
    pub(crate) fn saved_lanes(&self) -> Vec<SavedLane> {
        self.lanes.iter().map(Lane::saved).collect()
    }

    /// Goes on behind so many posts and repeats.
    pub(crate) fn restore(&mut self, next: NonZeroU64, skipped: u64, lanes: &[SavedLane]) {
        self.next_number = next;
        self.skipped_repeats = skipped;
        for (lane, saved) in self.lanes.iter_mut().zip(lanes) {
            lane.restore(saved);
        }
    }

    /// Makes the place of a message that was pending; its content follows. In the order of posting.
    pub(crate) fn restore_post(
        &mut self,
        facts: &'static Facts,
        number: NonZeroU64,
        post: &SavedPost,
    ) -> Option<Ticket> {
        let slab = slab_of(facts.table()?.index, true);
        let at = slab as usize;
        if at >= self.queues.len() {
            self.queues.resize_with(at + 1, || None);
        }
        let queue = self.queues[at].get_or_insert_with(|| Box::new(PendingOf::boxed(facts)));
        let rare = post.key.is_some() || post.series.is_some() || post.bound;
        let record = Record {
            number: Some(number),
            to: post.to,
            sender: post.sender,
            due: post.due,
            post_meta: self.postmarks.enter(post.meta),
            rare,
            repeats: post.series.is_some_and(|series| series.times != Some(1)),
            plain: post.plain,
            state: State::Waiting,
        };
        let timeline = post.meta.timeline;
        let slot = queue.enter(post.due, record);
        let ticket = Ticket::new(Some(number), slab, slot);
        self.pending += 1;
        let lane = &mut self.lanes[lane_of(post.meta.stage)];
        let entry = |due| Entry { due, slab, slot };
        match post.ready {
            Some(key) => lane.ready(entry(key), timeline),
            None => lane.wait(entry(post.due), timeline),
        }
        if rare {
            let series = post.series.map(Series::restored);
            let key = post.key;
            self.rare.insert(number, Rare { key, series });
            if let Some(key) = key {
                self.keys.insert(key, ticket);
            }
            if let Some(sender) = post.sender.filter(|_| post.bound) {
                self.bound.entry(sender).or_default().push(ticket);
            }
        }
        Some(ticket)
    }

    /// Puts a message into the place that was made for it. In the order in which they were made.
    pub(crate) fn restore_message(&mut self, ticket: Ticket, message: Box<dyn AnyMessage>) {
        let held: &mut dyn Held = &mut BoxedMessage(Some(message.into_erased().0));
        self.queue_mut(ticket.slab())
            .store(ticket.slot(), None, held);
    }
}

impl PendingOf {
    /// The messages of one type, in boxes.
    fn boxed(facts: &'static Facts) -> Self {
        let rows = Rows::<Box<dyn ErasedMessage>>::new();
        Self::of(Box::new(rows), &Deliver::BOXED, facts)
    }
}

impl Series {
    fn saved(self) -> SavedSeries {
        let Repeat { period, times } = self.repeat;
        SavedSeries {
            period,
            times,
            frame: self.frame,
            in_frame: self.in_frame,
        }
    }

    fn restored(saved: SavedSeries) -> Self {
        let SavedSeries { period, times, .. } = saved;
        Self {
            repeat: Repeat { period, times },
            frame: saved.frame,
            in_frame: saved.in_frame,
        }
    }
}

impl SavedPost {
    /// # Errors
    ///
    /// What no pending message has.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        if self.meta.stage.lane().is_none() {
            return Err("a message that is delivered at once is not pending");
        }
        let top = 1 << 63;
        if self.ready.is_some_and(|key| key >= top)
            || (self.meta.timeline != Timeline::Frames && self.due >= top)
        {
            return Err("a time lies behind the end of all clocks");
        }
        if self.bound && self.sender.is_none() {
            return Err("a message ends with its sender and has none");
        }
        match self.series {
            Some(SavedSeries { times: Some(0), .. }) => Err("no delivery is left of a message"),
            Some(_) if self.meta.retain => Err("a message repeats and is retained"),
            _ => Ok(()),
        }
    }
}
