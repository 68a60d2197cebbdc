//! W6-batch: a single list of recipients and messages. Each batch is appended to it, and it is read once in
//! write order.

use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Hit};

struct Batched {
    batches: Vec<(u32, u32)>,
    in_each: u32,
    written: Vec<(u32, Hit)>,
    sum: u64,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let (batches, in_each) = work::batches(size.messages, size.objects);
    Box::new(Batched {
        batches,
        in_each,
        written: Vec::new(),
        sum: 0,
    })
}

impl Trial for Batched {
    fn run(&mut self) {
        for &(to, first) in &self.batches {
            let numbers = first..first + self.in_each;
            self.written
                .extend(numbers.map(|number| (to, Hit::new(number))));
        }
        for (_, hit) in &self.written {
            self.sum = hit.read(self.sum);
        }
        self.written.clear();
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        sum.add(0, &self.sum);
        sum.value()
    }
}
