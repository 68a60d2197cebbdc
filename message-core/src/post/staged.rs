//! The messages that subscribers receive in a stage of their own.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use crate::address::SubscriptionId;
use crate::caught::FirstPanic;
use crate::send::{Shared, Staging};
use crate::time::Stage;
use crate::world::Listen;

/// The messages that wait for subscribers, by the lane of the stage, in the order in which they came.
#[derive(Default)]
pub struct Staged {
    lanes: [RefCell<VecDeque<(SubscriptionId, Shared)>>; Stage::WAITING.len()],
}

impl Staged {
    /// Takes the next message out, with its subscription.
    pub(crate) fn take_next(&mut self, lane: usize) -> Option<(SubscriptionId, Shared)> {
        self.lanes[lane].get_mut().pop_front()
    }

    /// Returns the number of messages that wait for a stage.
    pub(crate) fn len(&self, lane: usize) -> usize {
        self.lanes[lane].borrow().len()
    }

    /// Puts a message behind those that wait.
    pub fn push(&self, lane: usize, id: SubscriptionId, message: &Shared) {
        let message = Arc::clone(message);
        self.lanes[lane].borrow_mut().push_back((id, message));
    }

    /// Calls with what waits for a stage, in order.
    pub fn each(&self, lane: usize, mut call: impl FnMut(SubscriptionId, &Shared)) {
        for (id, message) in &*self.lanes[lane].borrow() {
            call(*id, message);
        }
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        for lane in &mut self.lanes {
            lane.get_mut().shrink_to_fit();
        }
    }

    /// Drops all that waits, each by itself.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        for lane in &mut self.lanes {
            panics.drop_each(lane.get_mut().drain(..));
        }
    }
}

impl Listen {
    /// Keeps a message for a subscriber that receives it in a stage of its own. Returns `true` if it waits
    /// for that: not if the subscriber has what it wanted.
    ///
    /// # Errors
    ///
    /// The limit, if as many wait for the stage.
    pub(crate) fn wait_for_stage(
        &self,
        staging: Staging,
        message: &Shared,
        limit: usize,
    ) -> Result<bool, usize> {
        let Staging { spot, stage, .. } = staging;
        let lane = stage.lane().expect("a stage of its own is not `Immediate`");
        let at = spot.as_subscription();
        let Some(it) = at.and_then(|at| self.subscriptions.at(at)) else {
            return Ok(false);
        };
        if self.staged.len(lane) >= limit {
            return Err(limit);
        }
        let waits = it.reserve();
        if waits {
            self.staged.push(lane, it.id(), message);
        }
        Ok(waits)
    }
}
