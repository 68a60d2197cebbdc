//! Memory that is given back: what lists and tables hold beyond what is in them.
//!
//! A list that has held much keeps its memory for the next time. If that does not come, the memory is
//! given back by [`MessageManager::shrink_to_fit`](crate::MessageManager::shrink_to_fit).

use std::cell::Cell;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};

/// Memory is given back of which less than one part in so many was needed.
const PARTS: usize = 4;
/// So many bytes are not worth giving back.
const SMALL: usize = 4096;

/// How much memory is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shrink {
    /// All that is not in use.
    ToFit,
    /// What is far more than was needed since the last time.
    Spikes,
}

impl Shrink {
    /// Shrinks a list or table of which so much was needed lately.
    pub(crate) fn room(self, room: &mut impl Room, needed: usize) {
        let bytes_each = room.bytes_each();
        if let Some(needed) = self.target(room.capacity(), room.len(), needed, bytes_each) {
            room.shrink_to(needed);
        }
    }

    /// The capacity to which a list or table is shrunk, if it is. What is in it is needed, too.
    #[inline(never)]
    pub(crate) fn target(
        self,
        capacity: usize,
        len: usize,
        needed: usize,
        bytes_each: usize,
    ) -> Option<usize> {
        let needed = match self {
            Self::ToFit => len,
            Self::Spikes => needed.max(len),
        };
        self.is_due(capacity, needed, bytes_each).then_some(needed)
    }

    /// Returns `true` if room for so many, of which so many are needed, is too much.
    pub(crate) fn is_due(self, capacity: usize, needed: usize, bytes_each: usize) -> bool {
        match self {
            Self::ToFit => capacity > needed,
            Self::Spikes => {
                capacity / PARTS > needed && capacity.saturating_mul(bytes_each) > SMALL
            }
        }
    }
}

/// The most of something since the last time that memory was given back.
#[derive(Debug, Default)]
pub(crate) struct Peak(Cell<usize>);

impl Peak {
    #[inline]
    pub(crate) fn note(&self, count: usize) {
        if count > self.0.get() {
            self.0.set(count);
        }
    }

    /// The most so far; from now on it is counted anew.
    pub(crate) fn take(&mut self) -> usize {
        self.0.take()
    }
}

/// A list or table that can have room for more than is in it.
pub(crate) trait Room {
    fn len(&self) -> usize;
    fn capacity(&self) -> usize;
    fn bytes_each(&self) -> usize;
    /// Gives back the room beyond so many; not what is in use.
    fn shrink_to(&mut self, capacity: usize);
}

macro_rules! room {
    ($([$($parameters:tt)*] $room:ty, $each:ty;)+) => {$(
        impl<$($parameters)*> Room for $room {
            fn len(&self) -> usize {
                self.len()
            }

            fn capacity(&self) -> usize {
                self.capacity()
            }

            fn bytes_each(&self) -> usize {
                size_of::<$each>()
            }

            fn shrink_to(&mut self, capacity: usize) {
                self.shrink_to(capacity);
            }
        }
    )+};
}

room! {
    [T] Vec<T>, T;
    [T] VecDeque<T>, T;
    [T: Ord] BinaryHeap<T>, T;
    [T: Eq + Hash, S: BuildHasher] HashSet<T, S>, T;
    [K: Eq + Hash, V, S: BuildHasher] HashMap<K, V, S>, (K, V);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_kept_as_long_as_a_quarter_of_it_was_needed() {
        let mut list: Vec<u32> = Vec::with_capacity(10_000);
        Shrink::Spikes.room(&mut list, 3_000);
        assert!(list.capacity() >= 10_000);
        Shrink::Spikes.room(&mut list, 1_000);
        assert!((1_000..3_000).contains(&list.capacity()));
        // So little is not worth it.
        Shrink::Spikes.room(&mut list, 0);
        assert_eq!(list.capacity(), 1_000);
        Shrink::ToFit.room(&mut list, 500);
        assert_eq!(list.capacity(), 0);
    }

    #[test]
    fn what_is_in_use_is_needed() {
        let mut list: Vec<u32> = (0..10_000).collect();
        for how in [Shrink::Spikes, Shrink::ToFit] {
            how.room(&mut list, 0);
            assert!(list.iter().copied().eq(0..10_000));
        }
    }

    #[test]
    fn a_peak_is_the_most_since_the_last_time() {
        let mut peak = Peak::default();
        peak.note(3);
        peak.note(2);
        assert_eq!((peak.take(), peak.take()), (3, 0));
    }
}
