//! W9-many: subscriptions and mnemonics that are added and removed while others stay.

use std::hint::black_box;

use message_core::prelude::*;
use message_core::{Mnemonic, SubscriptionId};

use super::names;
use crate::compare::{Size, Trial};
use crate::work::{self, Beat, Total};

struct Newcomers {
    manager: MessageManager,
    total: Total,
    ids: Vec<MessageeId>,
    /// The temporary mnemonics, by object.
    names: Vec<Mnemonic>,
    subscriptions: Vec<SubscriptionId>,
    /// The numbers, shuffled.
    order: Vec<u32>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let total = Total::default();
    let mut manager = MessageManager::new();
    let ids: Vec<MessageeId> = (0..size.objects).map(|_| manager.spawn(())).collect();
    let staying = names::thousand_mnemonics();
    for ((number, &id), name) in ids.iter().enumerate().zip(staying) {
        let mut tally = total.tally(number);
        manager.subscribe(Filter::of::<Beat>(), move |beat, _| tally.hear(beat));
        manager.bind(name, id).expect("nobody has that name");
    }
    Box::new(Newcomers {
        manager,
        total,
        names: names::another_thousand_mnemonics(),
        subscriptions: Vec::with_capacity(size.objects),
        order: work::walk(size.objects),
        ids,
        passes: size.passes,
    })
}

impl Trial for Newcomers {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for (&id, &name) in self.ids.iter().zip(&self.names) {
                // The newcomers' totals are dropped with them; the receipt counts the newcomers.
                let mut sum = 0;
                let hear = move |beat: &Beat, _: &mut SubscriberContext<'_>| {
                    sum = black_box(sum + beat.0);
                };
                let subscription = self.manager.subscribe(Filter::of::<Beat>(), hear);
                self.subscriptions.push(subscription);
                self.manager.bind(name, id).expect("nobody has that name");
            }
            let heard = self.manager.send(Everyone, Beat(1));
            let received = heard.expect("there is everyone").received;
            assert_eq!(received as usize, 2 * self.ids.len());
            for &number in &self.order {
                let number = number as usize;
                let ended = self.manager.unsubscribe(self.subscriptions[number]);
                assert!(ended);
                let (name, id) = (self.names[number], self.ids[number]);
                assert_eq!(self.manager.bound(name), Some(id));
                self.manager.unbind(name, id).expect("it is bound");
            }
            self.subscriptions.clear();
        }
    }

    fn checksum(&mut self) -> u64 {
        // Dropping the manager drops the subscribers.
        self.manager = MessageManager::new();
        self.total.checksum()
    }
}
