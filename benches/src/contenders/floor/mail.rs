//! W6: mailboxes that are one list of recipients and messages.

use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Hit};

/// The list of the frame that is being written, and that of the last one, sorted by recipient.
struct Sorted {
    to: Vec<u32>,
    sums: Vec<u64>,
    written: Vec<(u32, Hit)>,
    sorted: Vec<Hit>,
    /// Where the messages of each recipient end.
    ends: Vec<u32>,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Sorted {
        to: work::deliveries(size.messages, size.objects),
        sums: vec![0; size.objects],
        written: Vec::new(),
        sorted: Vec::new(),
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
        self.sorted.resize(self.written.len(), Hit::new(0));
        for (to, hit) in self.written.drain(..) {
            let end = &mut self.ends[to as usize];
            self.sorted[*end as usize] = hit;
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
            for hit in &self.sorted[start..end] {
                *sum = hit.read(*sum);
            }
            start = end;
        }
    }

    fn checksum(&mut self) -> u64 {
        checksum(&self.sums)
    }
}

/// A `Vec` of inboxes
struct Boxes {
    to: Vec<u32>,
    sums: Vec<u64>,
    written: Vec<Vec<Hit>>,
    read: Vec<Vec<Hit>>,
}

pub(super) fn prepare_boxes(size: Size) -> Box<dyn Trial> {
    Box::new(Boxes {
        to: work::deliveries(size.messages, size.objects),
        sums: vec![0; size.objects],
        written: vec![Vec::new(); size.objects],
        read: vec![Vec::new(); size.objects],
    })
}

impl Trial for Boxes {
    fn run(&mut self) {
        for (number, &to) in (0..).zip(&self.to) {
            self.written[to as usize].push(Hit::new(number));
        }
        std::mem::swap(&mut self.written, &mut self.read);
        for (sum, inbox) in self.sums.iter_mut().zip(&mut self.read) {
            for hit in inbox.drain(..) {
                *sum = hit.read(*sum);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        checksum(&self.sums)
    }
}

struct OnePass {
    to: Vec<u32>,
    sums: Vec<u64>,
    written: Vec<(u32, Hit)>,
}

pub(super) fn prepare_one_pass(size: Size) -> Box<dyn Trial> {
    Box::new(OnePass {
        to: work::deliveries(size.messages, size.objects),
        sums: vec![0; size.objects],
        written: Vec::new(),
    })
}

impl Trial for OnePass {
    fn run(&mut self) {
        for (number, &to) in (0..).zip(&self.to) {
            self.written.push((to, Hit::new(number)));
        }
        for (to, hit) in self.written.drain(..) {
            let sum = &mut self.sums[to as usize];
            *sum = hit.read(*sum);
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
