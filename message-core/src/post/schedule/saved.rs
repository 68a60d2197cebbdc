//! Pending messages in a save.
//!
//! Every message is saved with its number and with everything that decides when it is delivered. It comes back
//! in a box of its own, under its number.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::address::{MessageeId, Recipient};
use crate::header::{PostKey, Repeat};
use crate::identity::Identity;
use crate::message::{AnyMessage, Facts, MessageIndex};
use crate::post::Ticket;
use crate::post::schedule::enter::When;
use crate::post::schedule::queue::slab_of;
use crate::post::schedule::rare::Rare;
use crate::post::schedule::repeat::Series;
use crate::post::schedule::run::Track;
use crate::post::schedule::stamp::{NOT_PLAIN, Stamp};
use crate::post::schedule::{BEGUN_AT_MOST, Lane, PostMeta, Schedule, Timeline};
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

/// The past of a stage.
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
        let [scaled, unscaled, frames, _] = self.reached;
        SavedLane {
            reached: [scaled, unscaled, frames],
            begun: self.begun.iter().copied().collect(),
        }
    }

    fn restored(saved: &SavedLane) -> Self {
        let [scaled, unscaled, frames] = saved.reached;
        Self {
            reached: [scaled, unscaled, frames, 0],
            is_used: true,
            begun: saved.begun.iter().copied().collect(),
        }
    }
}

impl Schedule {
    /// Returns a pending message.
    pub(crate) fn message(&self, ticket: Ticket) -> Option<&dyn AnyMessage> {
        let (queue, spot) = self.find(ticket)?;
        queue.stock.message(spot.block, spot.at)
    }

    /// Returns the pending messages, in the order in which they were posted.
    pub(crate) fn saved(&self, identity: &Identity) -> Vec<(SavedPost, &dyn AnyMessage)> {
        let mut posts = Vec::with_capacity(self.pending);
        for (_, queue) in self.queues() {
            let _ = queue.visit(usize::MAX, &self.stamps, &mut |it| {
                let record = self.record(it.head);
                let rare = self.rare.get(&record.number);
                let before = identity.posts_before(record.number);
                let message = queue.stock.message(it.block, it.at);
                if let (Some(number), Some(message)) = (before, message) {
                    let post = SavedPost {
                        number,
                        to: record.to,
                        sender: record.sender,
                        due: record.due,
                        meta: record.meta,
                        key: rare.and_then(|rare| rare.key),
                        series: rare.and_then(|rare| rare.series).map(Series::saved),
                        bound: record.bound,
                        ready: it.ready,
                    };
                    posts.push((post, message));
                }
                ControlFlow::Continue(())
            });
        }
        posts.sort_unstable_by_key(|(post, _)| post.number);
        posts
    }

    /// Returns the tickets of the pending messages, by how many were posted before each.
    pub(crate) fn tickets(&self, identity: &Identity) -> HashMap<u64, Ticket> {
        let mut tickets = HashMap::new();
        let _ = self.visit_all(None, &mut |found| {
            let before = identity.posts_before(found.record.number);
            tickets.extend(before.map(|before| (before, found.ticket)));
            ControlFlow::Continue(())
        });
        tickets
    }

    /// Returns how many messages have been posted.
    pub(crate) fn posted(&self, identity: &Identity) -> u64 {
        identity.posts_before(self.next_number).unwrap_or_default()
    }

    /// Returns what each stage knows of its past.
    pub(crate) fn saved_lanes(&self) -> Vec<SavedLane> {
        self.lanes.iter().map(Lane::saved).collect()
    }

    /// Continues behind this number of posts and of skipped repeats.
    pub(crate) fn restore(&mut self, next: NonZeroU64, skipped: u64, lanes: &[SavedLane]) {
        self.next_number = next;
        self.stamps.cancelled.begin(next.get());
        self.skipped_repeats = skipped;
        for (lane, saved) in self.lanes.iter_mut().zip(lanes) {
            *lane = Lane::restored(saved);
        }
    }

    /// Puts a message back that was pending. In the order of posting.
    pub(crate) fn restore_post(
        &mut self,
        facts: &'static Facts,
        number: NonZeroU64,
        post: &SavedPost,
        message: Box<dyn AnyMessage>,
    ) {
        let Some(table) = facts.table() else { return };
        let slab = slab_of(table.index, true);
        let held = &mut BoxedMessage(Some(message.into_erased().0));
        self.make_queue(slab, held);
        let stamp = Stamp {
            meta: post.meta,
            bound: post.bound,
            is_own: false,
            queue: NOT_PLAIN,
            moves: u64::MAX,
            number: number.get(),
            due: post.due,
            borne: 1,
        };
        let to = match post.to {
            Recipient::Id(to) if post.key.is_none() && post.series.is_none() => Ok(to),
            to => Err(Rare {
                to,
                key: post.key,
                series: post.series.map(Series::restored),
                stamp: 0,
            }),
        };
        let when = When {
            due: post.due,
            ready_at: post.ready,
        };
        self.put_in(slab, number, stamp, to, post.sender, when, held);
    }
}

impl Ticket {
    /// The ticket of a message that will be [restored](Schedule::restore_post).
    pub(crate) fn restored(of: MessageIndex, number: NonZeroU64, post: &SavedPost) -> Self {
        let due = if post.series.is_some() { 0 } else { post.due };
        let track = Track::of(post.meta.stage, post.meta.timeline);
        Self::new(number, slab_of(of, true), track, due, false)
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
    /// Checks for values that no pending message has.
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
