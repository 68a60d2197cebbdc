//! W6: one list of recipients and messages. At the end of the frame a counting sort orders it, so that
//! each recipient can look up its own part by number and read it in its turn.

use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Hit};

/// The list that is written in this frame, and that of the last frame, sorted by recipient.
struct Sorted {
    to: Vec<u32>,
    sums: Vec<u64>,
    written: Vec<(u32, Hit)>,
    read: Vec<Hit>,
    /// While writing, the number of messages for each recipient; while reading, where the messages of
    /// each recipient end.
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

    /// Ends the frame: sorts by the counts in `ends`, and turns these into end positions.
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
