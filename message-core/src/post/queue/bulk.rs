//! What most of the pending messages are: told when there are too many.
//!
//! Counting looks at many of them, and a runaway is refused again and again. So what was counted
//! holds until many more have been posted.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::ops::ControlFlow;

use crate::error::Bulk;
use crate::post::queue::DelayHeap;
use crate::post::queue::pending_of::PendingOf;

/// A count holds until one in so many of the messages that were pending has been posted anew.
const FRESH: usize = 16;

/// What was counted, and when.
pub(super) struct Counted {
    bulk: Option<Bulk>,
    /// The number of the next posting.
    at: NonZeroU64,
}

/// The queues of one message type: of those by value, and of the boxed ones.
#[derive(Clone, Copy)]
struct QueuesOf<'h>([Option<&'h PendingOf>; 2]);

impl<'h> QueuesOf<'h> {
    fn each(self) -> impl Iterator<Item = &'h PendingOf> {
        self.0.into_iter().flatten()
    }

    fn in_use(self) -> usize {
        self.each().map(PendingOf::in_use).sum()
    }
}

impl DelayHeap {
    fn queues(&self) -> impl Iterator<Item = QueuesOf<'_>> {
        let pairs = self.queues.chunks(2);
        pairs.map(|pair| QueuesOf([0, 1].map(|at| pair.get(at)?.as_deref())))
    }

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
        let mut queues: Vec<QueuesOf<'_>> = self.queues().collect();
        queues.sort_by_key(|queues| std::cmp::Reverse(queues.in_use()));
        let mut most: Option<(usize, Vec<usize>, QueuesOf<'_>)> = None;
        for queues in queues {
            if most
                .as_ref()
                .is_some_and(|(most, ..)| *most >= queues.in_use())
            {
                break;
            }
            let mut by_postmark = vec![0; self.postmarks.len()];
            for queue in queues.each() {
                let _ = queue.for_each(&mut |_, record| {
                    by_postmark[record.post_meta as usize] += 1;
                    ControlFlow::Continue(())
                });
            }
            let messages = by_postmark.iter().sum();
            if most.as_ref().is_none_or(|(most, ..)| *most < messages) {
                most = Some((messages, by_postmark, queues));
            }
        }
        let (messages, by_postmark, queues) = most.filter(|(messages, ..)| *messages > 0)?;
        let mut by_place = HashMap::new();
        for (post_meta, count) in (0..).zip(by_postmark).filter(|(_, count)| *count > 0) {
            *by_place
                .entry(self.postmarks.get(post_meta).place)
                .or_insert(0) += count;
        }
        // Of equal ones the first in the source, so that it is the same one every time.
        let most = by_place.into_iter().max_by_key(|&(place, count)| {
            let at = (place.file(), place.line(), place.column());
            (count, std::cmp::Reverse(at))
        });
        let (place, from_place) = most?;
        Some(Bulk {
            message: queues.each().next()?.facts.name,
            messages,
            place,
            from_place,
        })
    }
}
