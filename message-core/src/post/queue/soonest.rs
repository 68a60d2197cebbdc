//! The pending messages that are due first, found without looking at all of them.
//!
//! The wheels are in order but for the entries of one slot. So the first slots are taken as they are, and
//! only of the one that does not fit as a whole the first entries are sought.

use std::collections::BinaryHeap;
use std::time::Duration;

use crate::post::queue::lane::Lane;
use crate::post::queue::slot::{CHUNK, chunk_of, is_whole, slot_at};
use crate::post::queue::{DelayHeap, Entry};
use crate::post::{Due, PendingPost, Ticket};

/// When an entry is due, for putting what is due in order: see [`Due::order`].
type Order = (u8, u64);

/// An entry, in order, and since when it is ready.
#[derive(Clone, Copy)]
struct Next {
    order: Order,
    at: (u32, u32),
    since: Option<Due>,
}

/// Entries, at most so many: those that are due first.
struct Nearest {
    room: usize,
    found: Vec<Next>,
    is_cut: bool,
}

impl Nearest {
    fn take(&mut self, entries: impl Iterator<Item = Next>) {
        let mut kept: BinaryHeap<(Order, usize)> = BinaryHeap::new();
        let begin = self.found.len();
        for entry in entries {
            if kept.len() < self.room {
                kept.push((entry.order, self.found.len()));
                self.found.push(entry);
                continue;
            }
            self.is_cut = true;
            // The last of those that are kept makes room for one that comes before it.
            if let Some(mut last) = kept.peek_mut()
                && entry.order < last.0
            {
                self.found[last.1] = entry;
                last.0 = entry.order;
            }
        }
        debug_assert!(
            self.found.len() - begin <= self.room,
            "there is room for no more"
        );
    }

    fn take_lane(&mut self, lane: &Lane) {
        self.take(lane.ready_marked().map(|(at, key, is_unscaled)| {
            let since = Due::Now(Duration::from_nanos(key));
            Next {
                order: (if is_unscaled { 2 } else { 0 }, key),
                at,
                since: (!is_unscaled).then_some(since),
            }
        }));
        for (rank, wheel) in [(0, &lane.scaled), (1, &lane.frames), (2, &lane.unscaled)] {
            let mut left = self.room;
            for slot in wheel.slots() {
                if left == 0 {
                    self.is_cut = true;
                    break;
                }
                let room = std::mem::replace(&mut self.room, left);
                let waiting = |entry: &Entry| Next {
                    order: (rank, entry.due),
                    at: (entry.slab, entry.slot),
                    since: None,
                };
                self.take(slot.iter().map(waiting));
                self.room = room;
                left = left.saturating_sub(slot.len());
            }
        }
    }
}

impl DelayHeap {
    /// The pending messages that are due first, at most so many, in the order in which they are due.
    pub(crate) fn soonest(&self, most: usize) -> Vec<PendingPost> {
        let mut room = most;
        loop {
            let mut nearest = Nearest {
                room,
                found: Vec::new(),
                is_cut: false,
            };
            for lane in &self.lanes {
                nearest.take_lane(lane);
            }
            nearest.found.sort_by_key(|next| next.order);
            let mut posts = Vec::new();
            for next in nearest.found {
                if posts.len() >= most {
                    break;
                }
                self.describe_entry(next, most, &mut posts);
            }
            // Entries of what was cancelled have taken the place of others.
            if posts.len() < most && nearest.is_cut {
                room = room.saturating_mul(4);
                continue;
            }
            posts.sort_by_key(|post: &PendingPost| (post.due.order(), post.ticket.number));
            return posts;
        }
    }

    /// The messages of an entry, until there are so many.
    fn describe_entry(&self, next: Next, most: usize, posts: &mut Vec<PendingPost>) {
        let Next {
            at: (slab, entry),
            since,
            ..
        } = next;
        let queue = self.queue(slab);
        let positions = if is_whole(entry) { 0..CHUNK } else { 0..1 };
        for position in positions {
            let slot = match u32::try_from(position) {
                Ok(position) if is_whole(entry) => slot_at(chunk_of(entry), position),
                _ => entry,
            };
            let Some(record) = queue.record(slot) else {
                continue;
            };
            let mut post = self.describe(Ticket::new(record.number, slab, slot), &record);
            if let Some(since) = since
                && !matches!(post.due, Due::Unscaled(_))
            {
                post.due = since;
            }
            posts.push(post);
            if posts.len() >= most {
                return;
            }
        }
    }
}
