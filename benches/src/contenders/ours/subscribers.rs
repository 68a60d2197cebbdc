//! W7: subscriptions to a type.

use std::hint::black_box;

use message_core::prelude::*;

use crate::compare::{Size, Trial};
use crate::work::{Beat, Total};

struct Subscribers {
    manager: MessageManager,
    total: Total,
    count: usize,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let total = Total::default();
    let mut manager = MessageManager::new();
    for number in 0..size.objects {
        let mut tally = total.tally(number);
        manager.subscribe(Filter::of::<Beat>(), move |beat, _| tally.hear(beat));
    }
    Box::new(Subscribers {
        manager,
        total,
        count: size.objects,
        passes: size.passes,
    })
}

impl Trial for Subscribers {
    fn run(&mut self) {
        for _ in 0..self.passes {
            let receipt = self.manager.send(Everyone, Beat(black_box(1)));
            let received = receipt.expect("there is everyone").received;
            assert_eq!(received as usize, self.count);
        }
    }

    fn checksum(&mut self) -> u64 {
        // Dropping the manager drops the subscribers.
        self.manager = MessageManager::new();
        self.total.checksum()
    }
}
