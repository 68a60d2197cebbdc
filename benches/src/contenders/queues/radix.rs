//! A radix heap: no item may be pushed that is earlier than the last one popped.

use std::cmp::Reverse;

use radix_heap::RadixHeapMap;

use super::harness::{Aimed, Queue};

#[derive(Default)]
pub(super) struct Radix {
    /// Keyed by frame, and by number because equal keys would be popped last in, first out.
    heap: RadixHeapMap<Reverse<u64>, Aimed>,
    /// The first message of a later frame: the heap shows its first item only by popping it.
    next: Option<(u64, Aimed)>,
}

impl Queue for Radix {
    fn post(&mut self, frame: u32, number: u32, shot: Aimed) {
        let key = u64::from(frame) << 32 | u64::from(number);
        self.heap.push(Reverse(key), shot);
    }

    fn deliver(&mut self, frame: u32, mut hit: impl FnMut(Aimed)) {
        loop {
            let popped = || self.heap.pop().map(|(Reverse(key), shot)| (key, shot));
            let Some((key, shot)) = self.next.take().or_else(popped) else {
                return;
            };
            if key >> 32 > u64::from(frame) {
                self.next = Some((key, shot));
                return;
            }
            hit(shot);
        }
    }
}
