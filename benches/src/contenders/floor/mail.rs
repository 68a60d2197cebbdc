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
    /// How many messages each recipient has in what is being written, and then where they end in
    /// what is read.
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
    fn publish(&mut self) {
        let (written, ends) = (&mut self.written, &mut self.ends[..]);
        for (number, &to) in (0..).zip(&self.to) {
            written.push((to, Hit::new(number)));
            ends[to as usize] += 1;
        }
    }

    /// Ends the frame: sorts by the counts that stand in `ends`, and makes ends of them.
    fn swap(&mut self) {
        self.read.resize(self.written.len(), Hit::new(0));
        let (read, ends) = (&mut self.read[..], &mut self.ends[..]);
        let mut total = 0;
        for end in &mut *ends {
            total += std::mem::replace(end, total);
        }
        for &(to, hit) in &self.written {
            let end = &mut ends[to as usize];
            read[*end as usize] = hit;
            *end += 1;
        }
        self.written.clear();
    }

    fn read(&mut self) {
        let mut start = 0;
        for (sum, end) in self.sums.iter_mut().zip(&mut self.ends) {
            let end = std::mem::take(end) as usize;
            for hit in &self.read[start..end] {
                *sum = hit.read(*sum);
            }
            start = end;
        }
    }
}

impl Trial for Sorted {
    fn run(&mut self) {
        self.publish();
        self.swap();
        self.read();
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
