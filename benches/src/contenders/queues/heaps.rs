//! Heaps of messages, ordered by frame and, within a frame, by number.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use dary_heap::QuaternaryHeap;

use super::harness::{Aimed, Queue, QueueWithCancel};

/// A message in a heap. Its key alone is compared.
struct Scheduled {
    frame: u32,
    number: u32,
    shot: Aimed,
}

impl Scheduled {
    fn key(&self) -> (u32, u32) {
        (self.frame, self.number)
    }
}

impl PartialEq for Scheduled {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Scheduled {}

impl PartialOrd for Scheduled {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Scheduled {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// A queue of a heap that gives out its greatest.
macro_rules! heap {
    ($name:ident of $heap:ident) => {
        #[derive(Default)]
        pub(super) struct $name($heap<Reverse<Scheduled>>);

        impl Queue for $name {
            fn post(&mut self, frame: u32, number: u32, shot: Aimed) {
                self.0.push(Reverse(Scheduled {
                    frame,
                    number,
                    shot,
                }));
            }

            fn deliver(&mut self, frame: u32, mut hit: impl FnMut(Aimed)) {
                while self.0.peek().is_some_and(|it| it.0.frame <= frame)
                    && let Some(Reverse(due)) = self.0.pop()
                {
                    hit(due.shot);
                }
            }
        }
    };
}
heap!(Binary of BinaryHeap);
heap!(Quaternary of QuaternaryHeap);

/// Nothing can be taken out of the middle of a heap; what is cancelled is marked, and skipped when
/// it comes up.
#[derive(Default)]
pub(super) struct BinaryWithCancel {
    heap: BinaryHeap<Reverse<Scheduled>>,
    /// By number. Emptied with the heap.
    cancelled: Vec<bool>,
}

impl QueueWithCancel for BinaryWithCancel {
    /// The number.
    type Ticket = u32;

    fn post(&mut self, frame: u32, number: u32, shot: Aimed) -> u32 {
        self.cancelled.push(false);
        self.heap.push(Reverse(Scheduled {
            frame,
            number,
            shot,
        }));
        number
    }

    fn cancel(&mut self, number: u32) {
        self.cancelled[number as usize] = true;
    }

    fn deliver(&mut self, frame: u32, mut hit: impl FnMut(Aimed)) {
        while self.heap.peek().is_some_and(|it| it.0.frame <= frame)
            && let Some(Reverse(due)) = self.heap.pop()
        {
            if !self.cancelled[due.number as usize] {
                hit(due.shot);
            }
        }
        if self.heap.is_empty() {
            self.cancelled.clear();
        }
    }
}
