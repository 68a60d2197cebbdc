//! Ending pending messages before their time.
//!
//! The message is dropped at once. Its entry, or that of its batch if nothing else is left there, waits
//! in vain then, until it is due or until such entries are so many that all of them are taken out.

use std::num::NonZeroU64;

use crate::address::MessageeId;
use crate::caught::FirstPanic;
use crate::header::{PostKey, Repeat};
use crate::message::AnyMessage;
use crate::post::Ticket;
use crate::post::queue::discarded::Discarded;
use crate::post::queue::{CANCELLED_AT_LEAST, DelayHeap, DueEntry, PostMeta, QUEUE, Record};
use crate::trace::TraceId;

/// A message that ends with its sender.
pub(crate) struct Taken {
    pub(crate) record: Record,
    pub(crate) post_meta: PostMeta,
    pub(crate) message: Box<dyn AnyMessage>,
    pub(crate) number: Option<TraceId>,
}

/// A message that was taken out while it was pending.
pub(crate) struct Unposted {
    pub(crate) record: Record,
    pub(crate) post_meta: PostMeta,
    pub(crate) key: Option<PostKey>,
    /// With the number of deliveries that are left.
    pub(crate) repeat: Option<Repeat>,
    /// It ends with its sender.
    pub(crate) is_bound: bool,
    pub(crate) message: Box<dyn AnyMessage>,
}

impl DelayHeap {
    /// The entry of a cancelled message has come out.
    #[cold]
    pub(super) fn sweep(&mut self, entry: DueEntry) {
        let queue = self.queues[entry.slab as usize].as_deref_mut();
        let queue = queue.expect(QUEUE);
        if queue.sweep(entry.slot, &mut self.postmarks) {
            self.cancelled -= 1;
        }
    }

    /// Ends a message that repeats and has come out for its delivery.
    #[cold]
    pub(crate) fn end(&mut self, entry: DueEntry) {
        let number = NonZeroU64::new(entry.number);
        self.discard(Ticket::new(number, entry.slab, entry.slot));
    }

    /// Drops a message that is pending.
    pub(crate) fn discard(&mut self, ticket: Ticket) -> bool {
        let Some(discarded) = self.take_out(ticket) else {
            return false;
        };
        if discarded.is_there
            && let Some(Some(queue)) = self.queues.get_mut(ticket.slab() as usize)
        {
            queue.drop_at(ticket.slot(), &mut self.postmarks);
        }
        self.sweep_if_many();
        true
    }

    /// Drops messages that are pending: all of them also if a `Drop` panics. How many there were.
    pub(crate) fn discard_all(&mut self, tickets: &[Ticket]) -> usize {
        let (mut taken, mut there) = (0, Vec::new());
        for &ticket in tickets {
            if let Some(discarded) = self.take_out(ticket) {
                taken += 1;
                there.extend(discarded.is_there.then_some(ticket));
            }
        }
        let mut panics = FirstPanic::default();
        for ticket in &there {
            if let Some(Some(queue)) = self.queues.get_mut(ticket.slab() as usize) {
                panics.catch(|| queue.drop_one(ticket.slot()));
            }
        }
        for ticket in there {
            if let Some(Some(queue)) = self.queues.get_mut(ticket.slab() as usize) {
                queue.close_if_empty(ticket.slot(), &mut self.postmarks);
            }
        }
        self.sweep_if_many();
        panics.resume();
        taken
    }

    /// A message that is pending will not be delivered. Its queue has to drop it next.
    #[inline]
    fn take_out(&mut self, ticket: Ticket) -> Option<Discarded> {
        let number = ticket.number?;
        let queue = self
            .queues
            .get_mut(ticket.slab() as usize)?
            .as_deref_mut()?;
        let discarded = queue.discard(ticket.slot(), number)?;
        self.left(discarded.left);
        self.cancelled += usize::from(discarded.leaves_entry);
        Some(discarded)
    }

    /// Takes a message out that is pending. One that repeats and is away for its delivery stays.
    pub(crate) fn unpost(&mut self, ticket: Ticket) -> Option<Unposted> {
        let record = self.record(ticket)?;
        let rare = ticket.number.and_then(|number| self.rare.get(&number));
        let key = rare.and_then(|rare| rare.key);
        let repeat = rare
            .and_then(|rare| rare.series)
            .map(|series| series.repeat);
        let bound = record.sender.and_then(|sender| self.bound.get(&sender));
        let is_bound = bound.is_some_and(|bound| bound.contains(&ticket));
        let post_meta = *self.postmarks.get(record.post_meta);
        let message = self.queue_mut(ticket.slab()).take(ticket.slot())?;
        self.discard(ticket);
        Some(Unposted {
            record,
            post_meta,
            key,
            repeat,
            is_bound,
            message,
        })
    }

    #[inline]
    fn sweep_if_many(&mut self) {
        if self.cancelled > self.sweep_at && self.cancelled > self.pending {
            self.sweep_all();
        }
    }

    /// Takes out the entries that wait in vain, but for those of a pass under way.
    #[cold]
    pub(super) fn sweep_all(&mut self) {
        let (queues, postmarks, mut swept) = (&mut self.queues, &mut self.postmarks, 0);
        for lane in &mut self.lanes {
            lane.retain(&mut |entry| {
                let queue = queues[entry.slab as usize].as_mut();
                let cancelled = queue.is_some_and(|queue| queue.sweep(entry.slot, postmarks));
                swept += usize::from(cancelled);
                !cancelled
            });
        }
        self.cancelled -= swept;
        // What is left is in the pass under way, and would be looked for in vain each time.
        self.sweep_at = CANCELLED_AT_LEAST.max(2 * self.cancelled);
    }

    /// Returns `true` if any message ends with its sender.
    #[inline]
    pub(crate) fn has_bound(&self) -> bool {
        !self.bound.is_empty()
    }

    /// Takes the messages out that end with that sender.
    pub(crate) fn take_bound(&mut self, sender: MessageeId) -> Vec<Taken> {
        let mut taken = Vec::new();
        for ticket in self.bound.remove(&sender).unwrap_or_default() {
            let waiting = self.record(ticket).and_then(|_| {
                let queue = self
                    .queues
                    .get_mut(ticket.slab() as usize)?
                    .as_deref_mut()?;
                let record = queue.waiting(ticket.slot())?;
                Some((record, queue.take(ticket.slot())?))
            });
            if let Some((record, message)) = waiting {
                let post_meta = *self.postmarks.get(record.post_meta);
                let number = self.number(record.number);
                self.take_out(ticket);
                taken.push(Taken {
                    record,
                    post_meta,
                    message,
                    number,
                });
            } else {
                self.discard(ticket);
            }
        }
        self.sweep_if_many();
        taken
    }
}
