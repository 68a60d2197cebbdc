//! The messages that subscribers receive in a stage of their own.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use crate::address::SubscriptionId;
use crate::caught::FirstPanic;
use crate::room::{Peak, Shrink};
use crate::subscription::Shared;
use crate::time::Stage;

/// What waits for subscribers, by the lane of the stage.
#[derive(Default)]
pub(crate) struct Staged {
    lanes: [Lane; Stage::WAITING.len()],
}

/// What waits for one stage, in the order in which it came.
#[derive(Default)]
struct Lane {
    waiting: RefCell<VecDeque<(SubscriptionId, Shared)>>,
    /// The largest number of messages that have waited at the same time.
    most: Peak,
}

impl Staged {
    /// Returns how many wait for a stage whose pass begins.
    pub(crate) fn begin_pass(&mut self, lane: usize) -> usize {
        let Lane { waiting, most } = &mut self.lanes[lane];
        let count = waiting.get_mut().len();
        most.note(count);
        count
    }

    /// Takes the next message out, with its subscription.
    pub(crate) fn take_next(&mut self, lane: usize) -> Option<(SubscriptionId, Shared)> {
        self.lanes[lane].waiting.get_mut().pop_front()
    }

    /// Returns the number of messages that wait for a stage.
    pub(crate) fn len(&self, lane: usize) -> usize {
        self.lanes[lane].waiting.borrow().len()
    }

    /// Puts a message behind those that wait.
    pub(crate) fn push(&self, lane: usize, id: SubscriptionId, message: &Shared) {
        let message = Arc::clone(message);
        self.lanes[lane]
            .waiting
            .borrow_mut()
            .push_back((id, message));
    }

    /// Calls with what waits for a stage, in order.
    #[cfg(feature = "data")]
    pub(crate) fn each(&self, lane: usize, mut call: impl FnMut(SubscriptionId, &Shared)) {
        for (id, message) in &*self.lanes[lane].waiting.borrow() {
            call(*id, message);
        }
    }

    /// Gives back memory.
    pub(crate) fn shrink(&mut self, how: Shrink) {
        for Lane { waiting, most } in &mut self.lanes {
            how.room(waiting.get_mut(), most.take());
        }
    }

    /// Drops all that waits, each by itself.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        for lane in &mut self.lanes {
            panics.drop_each(lane.waiting.get_mut().drain(..));
        }
    }
}
