//! The memory of pending messages: freeing what is not used, and the end of all that is pending.
//!
//! The messages stay where they are, since tickets name their places.

use crate::caught::FirstPanic;
use crate::post::queue::DelayHeap;

impl DelayHeap {
    pub(crate) fn shrink_to_fit(&mut self) {
        if self.cancelled > 0 {
            self.sweep_all();
        }
        for queue in self.queues.iter_mut().flatten() {
            queue.shrink_to_fit(&mut self.postmarks);
        }
        self.postmarks.shrink_to_fit();
        self.forget_delivered();
        self.bound.shrink_to_fit();
        self.rare.shrink_to_fit();
        self.keys.shrink_to_fit();
        self.traced.shrink_to_fit();
        for lane in &mut self.lanes {
            lane.shrink_to_fit();
        }
    }

    /// Of the messages that are bound to a sender, forgets those that are no longer pending.
    fn forget_delivered(&mut self) {
        let mut bound = std::mem::take(&mut self.bound);
        bound.retain(|_, tickets| {
            tickets.retain(|&ticket| self.is_pending(ticket));
            tickets.shrink_to_fit();
            !tickets.is_empty()
        });
        self.bound = bound;
    }

    /// Drops every message, one by one. Nothing else is told of it.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        for queue in self.queues.iter_mut().flatten() {
            queue.messages.drop_all(panics);
        }
    }
}
