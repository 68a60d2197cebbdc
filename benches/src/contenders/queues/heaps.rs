//! Heaps of messages, ordered by frame and, within a frame, by number.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use dary_heap::QuaternaryHeap;

use super::harness::{Aimed, Queue, QueueWithCancel};

/// A message in a heap. Only its key is compared.
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

/// Implements a queue with a heap that returns its greatest item.
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

/// A binary heap with cancellation. Nothing can be removed from its middle, so cancelled messages are marked,
/// and skipped when they come up.
#[derive(Default)]
pub(super) struct BinaryWithCancel {
    heap: BinaryHeap<Reverse<Scheduled>>,
    /// Whether each message is cancelled, by number. Cleared when the heap is empty.
    cancelled: Vec<bool>,
}

impl QueueWithCancel for BinaryWithCancel {
    /// The number of the message.
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
