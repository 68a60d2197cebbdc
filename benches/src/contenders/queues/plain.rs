//! Plain Rust that is not the floor, to attribute the floor's speed to its causes.

use super::harness::{Aimed, Range};
use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Hit};

/// W5: the floor's ring, but without preallocated memory at the start of each repetition.
struct Ring(Range);

pub(super) fn prepare_ring(size: Size) -> Box<dyn Trial> {
    Box::new(Ring(Range::new(size)))
}

impl Trial for Ring {
    fn run(&mut self) {
        let mut ring: Vec<Vec<Aimed>> = vec![Vec::new(); self.0.frames as usize + 1];
        for (number, &(at, delay)) in (0..).zip(&self.0.shots) {
            ring[delay as usize].push(Aimed::new(at, number));
        }
        for shot in ring.into_iter().flatten() {
            shot.hit(&mut self.0.healths);
        }
    }

    fn checksum(&mut self) -> u64 {
        self.0.checksum()
    }
}

/// W6: one reader for all recipients, which reads everything once in the order of publication. No
/// recipient can look for its own messages only.
struct OnePass {
    to: Vec<u32>,
    sums: Vec<u64>,
    written: Vec<(u32, Hit)>,
}

pub(super) fn prepare_mail(size: Size) -> Box<dyn Trial> {
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
        let mut checksum = Checksum::new();
        for (number, sum) in self.sums.iter().enumerate() {
            checksum.add(number, sum);
        }
        checksum.value()
    }
}
