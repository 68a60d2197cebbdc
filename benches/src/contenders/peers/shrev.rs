//! shrev: an event channel without recipients.
//!
//! W6 uses one channel, whose events name their recipients, and one reader that gives each recipient
//! its own: with a reader for each recipient, each one would look at all events. W6-pass uses one channel and
//! one reader, which is what shrev is made for. Nothing else can be expressed: there are no callbacks and
//! no delays.

use shrev::{EventChannel, ReaderId};

use crate::compare::{Contender, Size, Trial, Workload};
use crate::work::{self, Checksum, Hit, small};

pub(super) fn contenders() -> Vec<Contender> {
    let name = "peer shrev: EventChannel, one reader";
    vec![
        Contender::new(Workload::W6, name, prepare),
        Contender::new(Workload::W6Pass, name, prepare_stream),
    ]
}

/// A hit and its recipient.
struct Addressed {
    to: u32,
    hit: Hit,
}

struct Mail {
    channel: EventChannel<Addressed>,
    reader: ReaderId<Addressed>,
    to: Vec<u32>,
    sums: Vec<u64>,
}

fn prepare(size: Size) -> Box<dyn Trial> {
    let mut channel = EventChannel::new();
    Box::new(Mail {
        reader: channel.register_reader(),
        channel,
        to: work::deliveries(size.messages, size.objects),
        sums: vec![0; size.objects],
    })
}

impl Trial for Mail {
    fn run(&mut self) {
        for (number, &to) in (0..).zip(&self.to) {
            let hit = Hit::new(number);
            self.channel.single_write(Addressed { to, hit });
        }
        for Addressed { to, hit } in self.channel.read(&mut self.reader) {
            let sum = &mut self.sums[*to as usize];
            *sum = hit.read(*sum);
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

/// One reader that adds everything up.
struct Stream {
    channel: EventChannel<Hit>,
    reader: ReaderId<Hit>,
    messages: u32,
    sum: u64,
}

fn prepare_stream(size: Size) -> Box<dyn Trial> {
    let mut channel = EventChannel::new();
    Box::new(Stream {
        reader: channel.register_reader(),
        channel,
        messages: small(size.messages),
        sum: 0,
    })
}

impl Trial for Stream {
    fn run(&mut self) {
        for number in 0..self.messages {
            self.channel.single_write(Hit::new(number));
        }
        for hit in self.channel.read(&mut self.reader) {
            self.sum = hit.read(self.sum);
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        sum.add(0, &self.sum);
        sum.value()
    }
}
