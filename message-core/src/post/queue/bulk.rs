//! What most of the pending messages are: told when there are too many.
//!
//! Counting looks at all of them, and a runaway is refused again and again. So what was counted
//! holds until many more have been posted.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::panic::Location;

use crate::error::Bulk;
use crate::post::queue::DelayHeap;

/// A count holds until one in so many of the messages that were pending has been posted anew.
const FRESH: usize = 16;

/// What was counted, and when.
pub(super) struct Counted {
    bulk: Option<Bulk>,
    /// The number of the next posting.
    at: NonZeroU64,
}

impl DelayHeap {
    /// The message type that has most pending, and the place that posted most of these.
    #[cold]
    pub(crate) fn bulk(&mut self) -> Option<Bulk> {
        let fresh = u64::try_from(self.pending / FRESH).unwrap_or(u64::MAX);
        let holds = |counted: &&Counted| {
            let posted = self.next_number.get() - counted.at.get();
            posted < fresh.max(1)
        };
        if let Some(counted) = self.counted.as_ref().filter(holds) {
            return counted.bulk;
        }
        let (bulk, at) = (self.count_bulk(), self.next_number);
        self.counted = Some(Counted { bulk, at });
        bulk
    }

    fn count_bulk(&self) -> Option<Bulk> {
        let mut bulk: Option<Bulk> = None;
        // Of each type the messages by value, and those in boxes.
        for queues in self.queues.chunks(2) {
            let mut by_place: BTreeMap<&Location<'_>, usize> = BTreeMap::new();
            for queue in queues.iter().flatten() {
                let _ = queue.for_each(&mut |_, record| {
                    let place = self.postmarks.get(record.post_meta).place;
                    *by_place.entry(place).or_default() += 1;
                    ControlFlow::Continue(())
                });
            }
            let messages = by_place.values().sum();
            // Of equal ones the first in the source, so that it is the same one every time.
            let most = by_place.into_iter().rev().max_by_key(|&(_, count)| count);
            if let Some((place, from_place)) = most
                && let Some(queue) = queues.iter().flatten().next()
                && bulk.is_none_or(|bulk| bulk.messages < messages)
            {
                let message = queue.facts.name;
                bulk = Some(Bulk {
                    message,
                    messages,
                    place,
                    from_place,
                });
            }
        }
        bulk
    }
}
