//! W6: one list of recipients and messages. When the frame ends it is sorted by counting, so that
//! each recipient, in its turn, reads a piece of it that it finds by its number.

use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Hit};

/// The list of the frame that is being written, and that of the last one, sorted by recipient.
struct Sorted {
    to: Vec<u32>,
    sums: Vec<u64>,
    written: Vec<(u32, Hit)>,
    read: Vec<Hit>,
    /// Where the messages of each recipient end.
    ends: Vec<u32>,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Sorted {
        to: work::deliveries(size.messages, size.objects),
        sums: vec![0; size.objects],
        written: Vec::new(),
        read: Vec::new(),
        ends: vec![0; size.objects],
    })
}

impl Sorted {
    /// Ends the frame: sorts by counting.
    fn swap(&mut self) {
        self.ends.fill(0);
        for (to, _) in &self.written {
            self.ends[*to as usize] += 1;
        }
        let mut total = 0;
        for end in &mut self.ends {
            let count = *end;
            *end = total;
            total += count;
        }
        self.read.resize(self.written.len(), Hit::new(0));
        for (to, hit) in self.written.drain(..) {
            let end = &mut self.ends[to as usize];
            self.read[*end as usize] = hit;
            *end += 1;
        }
    }
}

impl Trial for Sorted {
    fn run(&mut self) {
        for (number, &to) in (0..).zip(&self.to) {
            self.written.push((to, Hit::new(number)));
        }
        self.swap();
        let mut start = 0;
        for (sum, &end) in self.sums.iter_mut().zip(&self.ends) {
            let end = end as usize;
            for hit in &self.read[start..end] {
                *sum = hit.read(*sum);
            }
            start = end;
        }
    }

    fn checksum(&mut self) -> u64 {
        checksum(&self.sums)
    }
}

fn checksum(sums: &[u64]) -> u64 {
    let mut checksum = Checksum::new();
    for (number, sum) in sums.iter().enumerate() {
        checksum.add(number, sum);
    }
    checksum.value()
}
