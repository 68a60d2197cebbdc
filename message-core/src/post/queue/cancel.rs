//! Ending pending messages before their time.
//!
//! The message is dropped at once. Its entry, or that of its batch if nothing else is left there, waits
//! in vain then, until it is due or until such entries are so many that all of them are taken out.

use std::num::NonZeroU64;

use crate::address::MessageeId;
use crate::caught::FirstPanic;
use crate::message::AnyMessage;
use crate::post::Ticket;
use crate::post::queue::pending_of::Discarded;
use crate::post::queue::{CANCELLED_AT_LEAST, DelayHeap, DueEntry, Left, PostMeta, Record};
use crate::trace::TraceId;

/// A message that ends with its sender.
pub(crate) struct Taken {
    pub(crate) record: Record,
    pub(crate) post_meta: PostMeta,
    pub(crate) message: Box<dyn AnyMessage>,
    pub(crate) number: Option<TraceId>,
}

impl DelayHeap {
    /// The entry of a cancelled message has come out.
    #[cold]
    pub(super) fn sweep(&mut self, entry: DueEntry) {
        if self.place_mut(entry.slab).queue.sweep(entry.slot) {
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
        let is_taken = self.take_out(ticket);
        if is_taken {
            self.place_mut(ticket.slab()).queue.drop_cancelled();
        }
        is_taken
    }

    /// Drops messages that are pending: all of them also if a `Drop` panics. How many there were.
    pub(crate) fn discard_all(&mut self, tickets: &[Ticket]) -> usize {
        let taken = tickets.iter().filter(|ticket| self.take_out(**ticket));
        let taken = taken.count();
        let mut panics = FirstPanic::default();
        for of_one_type in tickets.chunk_by(|one, next| one.slab() == next.slab()) {
            if let Some(Some(place)) = self.places.get_mut(of_one_type[0].slab() as usize) {
                place.queue.drop_all_cancelled(&mut panics);
            }
        }
        panics.resume();
        taken
    }

    /// Takes a message out that is pending, to be dropped by its queue.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "part of each cancelling by a ticket")]
    fn take_out(&mut self, ticket: Ticket) -> bool {
        let Some(number) = ticket.number else {
            return false;
        };
        let Some(Some(place)) = self.places.get_mut(ticket.slab() as usize) else {
            return false;
        };
        let Some(discarded) = place.queue.discard(ticket.slot(), number) else {
            return false;
        };
        self.was_cancelled(discarded);
        true
    }

    #[inline]
    fn was_cancelled(&mut self, discarded: Discarded) {
        self.left(discarded.left);
        self.cancelled += usize::from(discarded.leaves_entry);
        if self.cancelled > self.sweep_at && self.cancelled > self.pending {
            self.sweep_all();
        }
    }

    /// Takes out the entries that wait in vain, but for those of a pass under way.
    #[cold]
    pub(super) fn sweep_all(&mut self) {
        let (places, mut swept) = (&mut self.places, 0);
        for lane in &mut self.lanes {
            lane.retain(&mut |entry| {
                let place = places[entry.slab as usize].as_mut();
                let cancelled = place.is_some_and(|place| place.queue.sweep(entry.slot));
                swept += usize::from(cancelled);
                !cancelled
            });
        }
        self.cancelled -= swept;
        // What is left is in the pass under way, and would be looked for in vain each time.
        self.sweep_at = CANCELLED_AT_LEAST.max(2 * self.cancelled);
    }

    /// Takes the messages out that end with that sender.
    pub(crate) fn take_bound(&mut self, sender: MessageeId) -> Vec<Taken> {
        let mut taken = Vec::new();
        if self.bound.is_empty() {
            return taken;
        }
        for ticket in self.bound.remove(&sender).unwrap_or_default() {
            let (Some(number), Some(Some(place))) =
                (ticket.number, self.places.get_mut(ticket.slab() as usize))
            else {
                continue;
            };
            if let Some((record, message)) = place.queue.take_any(ticket.slot(), number) {
                let post_meta = *self.postmarks.get(record.post_meta);
                let number = self.number(record.number);
                self.was_cancelled(Discarded {
                    left: Left::of(&record),
                    leaves_entry: true,
                });
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
        taken
    }
}
