//! W5-batch: a header for each delay, and batches of messages, one recipient after another.

use message_core::prelude::*;

use super::schedule::{Schedule, by_frames};
use crate::compare::{Size, Trial};
use crate::work::{self, Health, Shot};

struct Volleys {
    schedule: Schedule<Health>,
    /// The recipient, the number of the first message, and the number of frames until the batch is due.
    batches: Vec<(MessageeId, u32, u32)>,
    in_each: u32,
    at_once: bool,
}

impl Volleys {
    fn new(size: Size, at_once: bool) -> Self {
        let schedule = Schedule::new(size, by_frames);
        let (volleys, in_each) = work::volleys(size.messages, size.objects, size.frames);
        let volleys = volleys.into_iter();
        Self {
            batches: volleys
                .map(|(to, first, delay)| (schedule.ids[to as usize], first, delay))
                .collect(),
            schedule,
            in_each,
            at_once,
        }
    }
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Volleys::new(size, true))
}

pub(super) fn prepare_one_by_one(size: Size) -> Box<dyn Trial> {
    Box::new(Volleys::new(size, false))
}

impl Trial for Volleys {
    fn run(&mut self) {
        let it = &mut self.schedule;
        for &(to, first, delay) in &self.batches {
            let header = it.headers[delay as usize].with_recipient(to);
            let shots = (first..first + self.in_each).map(Shot::new);
            if self.at_once {
                let posted = it.manager.post_each(&header, shots);
                posted.expect("everyone is alive");
            } else {
                for shot in shots {
                    let posted = it.manager.post(&header, shot);
                    posted.expect("everyone is alive");
                }
            }
        }
        let posted = self.batches.len() * self.in_each as usize;
        assert_eq!(it.deliver(), posted);
    }

    fn checksum(&mut self) -> u64 {
        self.schedule.checksum()
    }
}
