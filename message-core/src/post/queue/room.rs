//! The memory of pending messages: giving it back, and the end of all that is pending.
//!
//! Only room is given back. Where the messages lie stays as it is, since tickets tell it.

use crate::caught::FirstPanic;
use crate::post::queue::DelayHeap;
use crate::room::{Peak, Shrink};

/// Lists of messages that are bound to one sender are looked through from this length on.
const MANY_BOUND: usize = 64;

/// How much of what few messages have was there at once.
#[derive(Debug, Default)]
pub(super) struct Most {
    rare: Peak,
    bound: Peak,
    /// `true` if many messages were bound to one sender.
    many_bound: bool,
}

impl DelayHeap {
    /// Something rare was entered, also `bound` messages that end with one sender.
    pub(super) fn note_rare(&mut self, bound: usize) {
        self.most.rare.note(self.rare.len());
        self.most.bound.note(self.bound.len());
        self.most.many_bound |= bound > MANY_BOUND;
    }

    /// Gives back memory.
    pub(crate) fn shrink(&mut self, how: Shrink) {
        if how == Shrink::ToFit && self.cancelled > 0 {
            self.sweep_all();
        }
        for queue in self.queues.iter_mut().flatten() {
            queue.shrink(how, &mut self.postmarks);
        }
        self.postmarks.shrink(how);
        if how == Shrink::ToFit || self.most.many_bound {
            self.forget_delivered(how);
        }
        how.room(&mut self.bound, self.most.bound.take());
        let rare = self.most.rare.take().max(self.rare.len());
        how.room(&mut self.rare, rare);
        how.room(&mut self.keys, rare);
        how.room(&mut self.traced, self.pending);
        for lane in &mut self.lanes {
            // Only what is rare repeats.
            lane.shrink(how, rare);
        }
    }

    /// Of the messages that are bound to a sender, forgets those that are pending no more.
    fn forget_delivered(&mut self, how: Shrink) {
        let (mut bound, mut many) = (std::mem::take(&mut self.bound), false);
        bound.retain(|_, tickets| {
            if how == Shrink::ToFit || tickets.capacity() > MANY_BOUND {
                tickets.retain(|&ticket| self.is_pending(ticket));
                how.room(tickets, 0);
                many |= tickets.capacity() > MANY_BOUND;
            }
            !tickets.is_empty()
        });
        (self.bound, self.most.many_bound) = (bound, many);
    }

    /// Drops every message, one by one. Nothing else is told of it.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        for queue in self.queues.iter_mut().flatten() {
            queue.messages.drop_all(panics);
        }
    }
}
