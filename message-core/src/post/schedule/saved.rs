//! Pending messages in a save.
//!
//! Every message is saved with its number and with everything that decides when it is delivered. It comes back
//! in a box of its own, under its number.

use std::collections::HashMap;
use std::num::NonZeroU64;

use crate::identity::Identity;
use crate::message::{AnyMessage, MessageIndex};
use crate::post::schedule::queue::slab_of;
use crate::post::schedule::{Found, Lane, Record, Schedule};
use crate::post::{Fate, Ticket, Waiting};
use crate::time::LANES;

impl Schedule {
    /// Returns the pending messages, in the order in which they were posted.
    pub(crate) fn saved(&self) -> Vec<(Record, &dyn AnyMessage)> {
        let message = |found: Found| Some((found.record, self.message(found.ticket)?));
        let mut posts: Vec<_> = self.all(None).filter_map(message).collect();
        posts.sort_unstable_by_key(|(post, _)| post.number);
        posts
    }

    /// Returns the tickets of the pending messages, by how many were posted before each.
    pub(crate) fn tickets(&self, identity: &Identity) -> HashMap<u64, Ticket> {
        let before = |found: &Found| identity.posts_before(found.record.number);
        let tickets = self.all(None);
        let tickets = tickets.filter_map(|found| Some((before(&found)?, found.ticket)));
        tickets.collect()
    }

    /// Continues behind this number of posts and of skipped repeats.
    pub(crate) fn restore(&mut self, next: NonZeroU64, skipped: u64, lanes: [Lane; LANES]) {
        self.next_number = next;
        self.stamps.cancelled.begin(next.get());
        self.skipped_repeats = skipped;
        self.lanes = lanes;
    }
}

impl Ticket {
    /// The ticket of a message that will be [put in](Schedule::insert) in a box.
    pub(crate) fn restored(of: MessageIndex, post: &Record) -> Self {
        Self(Fate::Waits(Waiting {
            number: post.number,
            queue: slab_of(of, true),
            track: post.meta.track(),
            is_plain: false,
            due: post.due,
        }))
    }
}
