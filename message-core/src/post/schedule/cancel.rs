//! Ending pending messages before their time.

use crate::address::{HookId, MessageeId, Sender};
use crate::caught::FirstPanic;
use crate::message::AnyMessage;
use crate::post::schedule::{Found, Schedule};
use crate::post::{Posts, Ticket};
use crate::time::Moment;
use crate::trace::Tracer;

/// The number of cancelled messages that may always wait to be swept.
const CANCELLED_AT_LEAST: usize = 1024;

/// A message that was taken out while it was pending.
pub(crate) struct Unposted {
    pub(crate) found: Found,
    pub(crate) message: Box<dyn AnyMessage>,
}

/// The rest of a cancelled message, to be dropped by the caller.
pub(crate) type Remains = Option<Box<dyn AnyMessage>>;

impl Schedule {
    /// Cancels messages: all of them before the first is dropped, and all are dropped also if a `Drop`
    /// panics. Returns how many there were.
    pub(crate) fn discard_all(&mut self, tickets: &[Ticket]) -> usize {
        let cancelled = tickets.iter().filter_map(|&ticket| self.cancel(ticket));
        let cancelled: Vec<Remains> = cancelled.collect();
        let count = cancelled.len();
        FirstPanic::dropping(cancelled);
        count
    }

    /// Cancels a message, if it is pending.
    pub(crate) fn cancel(&mut self, ticket: Ticket) -> Option<Remains> {
        self.tidy();
        let waiting = ticket.waiting()?;
        let (number, place) = (waiting.number.get(), self.place_of(&waiting)?);
        // Nothing is known of it but what is in its block, dropping it does nothing, and it still waits on its wheel:
        // so it is not looked for. W5-cancel.
        let is_waiting = waiting.is_plain
            && !self.queues[place].stock.column().needs_drop()
            && waiting.due > self.reached(waiting.track)
            && self.stamps.cancelled.covers(number)
            && number < self.next_number.get()
            // A ticket from another future may tell another queue and due time.
            && number >= self.unique_from
            && self.traced.is_empty();
        if is_waiting {
            return self.stamps.cancelled.cancel(number).then_some(None);
        }
        if let Some(message) = self.take_out(ticket) {
            return Some(Some(message));
        }
        self.lent(ticket)?;
        self.end_away();
        Some(None)
    }

    /// Takes a message out of its block. It is not pending any more.
    fn take_out(&mut self, ticket: Ticket) -> Option<Box<dyn AnyMessage>> {
        let (queue, spot) = self.find(ticket)?;
        let (head, message) = self.queues[queue].take(spot)?;
        self.is_disturbed |= spot.is_due;
        let number = self.stamps.number(&head);
        self.stamps.cancelled.set(number);
        self.leave(&head);
        Some(message)
    }

    /// Takes a message out that is pending. One that repeats and is away for its delivery stays.
    pub(crate) fn unpost(&mut self, ticket: Ticket) -> Option<Unposted> {
        self.tidy();
        let found = self.found(ticket)?;
        let message = self.take_out(ticket)?;
        Some(Unposted { found, message })
    }

    /// Returns `true` if any message ends with its sender.
    pub(crate) fn has_bound(&self) -> bool {
        self.stamps.bound > 0
    }

    /// Takes the messages out that end with that sender, in the order of posting.
    pub(crate) fn take_bound(&mut self, sender: MessageeId) -> Vec<Unposted> {
        let mut taken = Vec::new();
        for ticket in self.select(&Posts::all().from(Sender::Messagee(sender))) {
            if self.found(ticket).is_none_or(|found| !found.record.bound) {
                continue;
            }
            match self.unpost(ticket) {
                Some(unposted) => taken.push(unposted),
                None => drop(self.cancel(ticket)),
            }
        }
        taken
    }

    /// Returns `true` if there may be messages that end with a component.
    #[inline]
    pub(crate) fn has_tied(&self) -> bool {
        !self.tied.is_empty()
    }

    /// Cancels the messages that end with a component that is gone. Returns them, to be dropped.
    pub(crate) fn end_tied(
        &mut self,
        hook: HookId,
        trace: &Tracer,
        moment: Moment,
    ) -> Vec<Remains> {
        let tied = self.tied.remove(&hook).unwrap_or_default();
        let tickets: Vec<Ticket> = tied.into_values().collect();
        trace.cancelled_posts(self, &tickets, moment);
        let cancelled = tickets.into_iter().filter_map(|ticket| self.cancel(ticket));
        cancelled.collect()
    }

    /// Takes the cancelled messages out if there are many, and forgets all postings so far if they have more bits than
    /// the pending messages are worth.
    #[inline]
    fn tidy(&mut self) {
        let (next, pending) = (self.next_number.get(), self.pending());
        let cancelled = &self.stamps.cancelled;
        let is_long = cancelled.is_long(next, pending);
        if is_long || cancelled.waiting > CANCELLED_AT_LEAST.max(pending) {
            self.sweep();
        }
        if is_long {
            self.stamps.cancelled.begin(next);
        }
    }

    /// Takes those out that were cancelled and wait to fall due.
    #[cold]
    pub(super) fn sweep(&mut self) {
        for queue in &mut self.queues {
            queue.sweep(&mut self.stamps);
        }
    }
}
