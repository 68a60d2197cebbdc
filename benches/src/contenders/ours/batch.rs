//! W6-batch: messages published batch by batch in one frame, and read by one reader in the next.

use std::time::Duration;

use message_core::prelude::*;

use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Hit};

struct Batched {
    manager: MessageManager,
    batches: Vec<(MessageeId, u32)>,
    in_each: u32,
    at_once: bool,
    sum: u64,
}

impl Batched {
    fn new(size: Size, at_once: bool) -> Self {
        let mut manager = MessageManager::new();
        let ids: Vec<MessageeId> = (0..size.objects).map(|_| manager.spawn(())).collect();
        let (batches, in_each) = work::batches(size.messages, size.objects);
        let batches = batches.into_iter();
        Self {
            manager,
            batches: batches
                .map(|(to, first)| (ids[to as usize], first))
                .collect(),
            in_each,
            at_once,
            sum: 0,
        }
    }
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Batched::new(size, true))
}

pub(super) fn prepare_one_by_one(size: Size) -> Box<dyn Trial> {
    Box::new(Batched::new(size, false))
}

impl Trial for Batched {
    fn run(&mut self) {
        for &(to, first) in &self.batches {
            let mut hits = (first..first + self.in_each).map(Hit::new);
            let published = if self.at_once {
                self.manager.publish_each(to, hits)
            } else {
                hits.try_for_each(|hit| self.manager.publish(to, hit))
            };
            published.expect("everyone is alive");
        }
        self.manager.tick(Duration::ZERO);
        for hit in self.manager.inbox::<Hit>() {
            self.sum = hit.read(self.sum);
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        sum.add(0, &self.sum);
        sum.value()
    }
}
