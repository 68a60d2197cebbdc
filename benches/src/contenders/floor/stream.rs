//! W6-pass: one `Vec` for writing and one for reading, swapped at the end of the frame.

use crate::compare::{Size, Trial};
use crate::work::{Checksum, Hit, small};

struct Stream {
    messages: u32,
    written: Vec<Hit>,
    read: Vec<Hit>,
    sum: u64,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Stream {
        messages: small(size.messages),
        written: Vec::new(),
        read: Vec::new(),
        sum: 0,
    })
}

impl Trial for Stream {
    fn run(&mut self) {
        for number in 0..self.messages {
            self.written.push(Hit::new(number));
        }
        std::mem::swap(&mut self.written, &mut self.read);
        self.written.clear();
        let mut sum = self.sum;
        for hit in &self.read {
            sum = hit.read(sum);
        }
        self.sum = sum;
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        sum.add(0, &self.sum);
        sum.value()
    }
}
