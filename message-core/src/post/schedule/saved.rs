//! Pending messages in a save.
//!
//! Every message is saved with its number and with everything that decides when it is delivered. It comes back
//! in a box of its own, under its number.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::identity::Identity;
use crate::message::{AnyMessage, MessageIndex};
use crate::post::Ticket;
use crate::post::schedule::queue::slab_of;
use crate::post::schedule::run::Track;
use crate::post::schedule::{BEGUN_AT_MOST, Found, Lane, Record, Schedule, Series, Timeline};

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
        self.queues[queue].stock.message(spot.block, spot.at)
    }

    /// Returns the pending messages, in the order in which they were posted.
    pub(crate) fn saved(&self) -> Vec<(Record, &dyn AnyMessage)> {
        let mut posts = Vec::with_capacity(self.pending());
        let _ = self.visit_all(None, &mut |Found { ticket, record, .. }| {
            posts.extend(self.message(ticket).map(|message| (record, message)));
            ControlFlow::Continue(())
        });
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
}

impl Ticket {
    /// The ticket of a message that will be [put in](Schedule::insert) in a box.
    pub(crate) fn restored(of: MessageIndex, post: &Record) -> Self {
        let due = if post.series.is_some() { 0 } else { post.due };
        let track = Track::of(post.meta.stage, post.meta.timeline);
        Self::new(post.number, slab_of(of, true), track, due, false)
    }
}

impl Record {
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
            Some(Series { times: Some(0), .. }) => Err("no delivery is left of a message"),
            Some(_) if self.meta.retain => Err("a message repeats and is retained"),
            _ => Ok(()),
        }
    }
}
