//! A sorted map from frames to the messages due in them.

use std::collections::BTreeMap;

use super::harness::{Aimed, Queue, QueueWithCancel};

#[derive(Default)]
pub(super) struct ByFrame(BTreeMap<u32, Vec<Aimed>>);

impl Queue for ByFrame {
    fn post(&mut self, frame: u32, _: u32, shot: Aimed) {
        self.0.entry(frame).or_default().push(shot);
    }

    fn deliver(&mut self, frame: u32, mut hit: impl FnMut(Aimed)) {
        while let Some(first) = self.0.first_entry().filter(|it| *it.key() <= frame) {
            first.remove().into_iter().for_each(&mut hit);
        }
    }
}

#[derive(Default)]
pub(super) struct ByFrameWithCancel(BTreeMap<u32, Vec<Option<Aimed>>>);

impl QueueWithCancel for ByFrameWithCancel {
    /// The frame, and the index within it.
    type Ticket = (u32, usize);

    fn post(&mut self, frame: u32, _: u32, shot: Aimed) -> Self::Ticket {
        let due = self.0.entry(frame).or_default();
        due.push(Some(shot));
        (frame, due.len() - 1)
    }

    fn cancel(&mut self, (frame, place): Self::Ticket) {
        if let Some(due) = self.0.get_mut(&frame) {
            due[place] = None;
        }
    }

    fn deliver(&mut self, frame: u32, mut hit: impl FnMut(Aimed)) {
        while let Some(first) = self.0.first_entry().filter(|it| *it.key() <= frame) {
            first.remove().into_iter().flatten().for_each(&mut hit);
        }
    }
}
