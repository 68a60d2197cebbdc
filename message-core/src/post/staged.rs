//! The messages that subscribers receive in a stage of their own.

use std::cell::RefCell;
use std::collections::VecDeque;

use crate::address::SubscriptionId;
use crate::caught::FirstPanic;
use crate::send::Shared;
use crate::time::Stage;

/// The messages that wait for subscribers, by the lane of the stage, in the order in which they came.
#[derive(Clone, Default)]
pub struct Staged {
    pub lanes: [RefCell<VecDeque<(SubscriptionId, Shared)>>; Stage::WAITING.len()],
}

impl Staged {
    /// Returns every message that waits.
    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = &mut Shared> {
        let lanes = self.lanes.iter_mut().flat_map(RefCell::get_mut);
        lanes.map(|(_, message)| message)
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
