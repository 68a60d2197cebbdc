//! W6-pass: messages published in one frame and read once by one reader in the next. The reader does not ask for the
//! recipient of a letter, so the letters are published to everyone: message by message, or by a writer. Another line
//! publishes each one to a single messagee.

use std::time::Duration;

use message_core::prelude::*;

use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Hit, Written};

struct Stream<R> {
    manager: MessageManager,
    to: Vec<R>,
    sum: u64,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Stream {
        manager: MessageManager::new(),
        to: vec![Everyone; size.messages],
        sum: 0,
    })
}

pub(super) fn prepare_to_ids(size: Size) -> Box<dyn Trial> {
    let mut manager = MessageManager::new();
    let ids: Vec<MessageeId> = (0..size.objects).map(|_| manager.spawn(())).collect();
    let to = work::deliveries(size.messages, size.objects).into_iter();
    Box::new(Stream {
        to: to.map(|to| ids[to as usize]).collect(),
        manager,
        sum: 0,
    })
}

/// Writes all messages with one writer.
struct ByWriter {
    manager: MessageManager,
    messages: u32,
    sum: u64,
}

pub(super) fn prepare_writer(size: Size) -> Box<dyn Trial> {
    Box::new(ByWriter {
        manager: MessageManager::new(),
        messages: work::small(size.messages),
        sum: 0,
    })
}

impl Trial for ByWriter {
    fn run(&mut self) {
        let messages = self.messages;
        let writer = self.manager.writer(Everyone);
        let mut writer = writer.expect("the type is registered");
        for number in 0..messages {
            let published = writer.publish(Written(Hit::new(number)));
            published.expect("there is room");
        }
        self.manager.tick(Duration::ZERO);
        for written in self.manager.inbox::<Written>() {
            self.sum = written.0.read(self.sum);
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        sum.add(0, &self.sum);
        sum.value()
    }
}

impl<R: Into<Recipient> + Copy> Trial for Stream<R> {
    fn run(&mut self) {
        for (number, &to) in (0..).zip(&self.to) {
            let published = self.manager.publish(to, Written(Hit::new(number)));
            published.expect("everyone is alive");
        }
        self.manager.tick(Duration::ZERO);
        for written in self.manager.inbox::<Written>() {
            self.sum = written.0.read(self.sum);
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        sum.add(0, &self.sum);
        sum.value()
    }
}
