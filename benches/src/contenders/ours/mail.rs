//! W6: messages published in one frame and read by each recipient in the next.

use std::time::Duration;

use message_core::prelude::*;

use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Hit};

struct Mail {
    manager: MessageManager,
    ids: Vec<MessageeId>,
    to: Vec<MessageeId>,
    sums: Vec<u64>,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let mut manager = MessageManager::new();
    let ids: Vec<MessageeId> = (0..size.objects).map(|_| manager.spawn(())).collect();
    let to = work::deliveries(size.messages, size.objects).into_iter();
    Box::new(Mail {
        to: to.map(|to| ids[to as usize]).collect(),
        sums: vec![0; size.objects],
        manager,
        ids,
    })
}

impl Trial for Mail {
    fn run(&mut self) {
        for (number, &to) in (0..).zip(&self.to) {
            let published = self.manager.publish(to, Hit::new(number));
            published.expect("everyone is alive");
        }
        self.manager.tick(Duration::ZERO);
        for (sum, &id) in self.sums.iter_mut().zip(&self.ids) {
            for hit in self.manager.inbox::<Hit>().to(id) {
                *sum = hit.read(*sum);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (number, read) in self.sums.iter().enumerate() {
            sum.add(number, read);
        }
        sum.value()
    }
}
