//! Values that the process keeps once each, numbered in the order in which they come.
//!
//! A tree by hash leads from a value to its number, and segments, each twice as long as the one before,
//! from a number to its value. Both only grow and are filled in place, so look-ups take no lock. If two
//! threads intern the same new value at once, one waits for the other, once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of branches at each node.
const BRANCHES: usize = 8;
/// The length of the first segment.
const FIRST: u32 = 64;
/// The number of segments that hold all 32-bit numbers.
const SEGMENTS: usize = 27;

pub(super) struct Interner<T: 'static> {
    root: Branches<T>,
    values: [OnceLock<Box<[OnceLock<T>]>>; SEGMENTS],
    made: AtomicU32,
}

type Branches<T> = [OnceLock<Box<Node<T>>>; BRANCHES];

struct Node<T: 'static> {
    value: &'static T,
    number: u32,
    branches: Branches<T>,
}

impl<T: Eq> Interner<T> {
    pub(super) const fn new() -> Self {
        Self {
            root: [const { OnceLock::new() }; BRANCHES],
            values: [const { OnceLock::new() }; SEGMENTS],
            made: AtomicU32::new(0),
        }
    }

    /// Returns the number of a value with that hash, if it is kept.
    pub(super) fn find(&self, hash: u64, value: &T) -> Option<u32> {
        let (mut branches, mut rest) = (&self.root, hash);
        loop {
            let node = branches[branch(rest)].get()?;
            if node.value == value {
                return Some(node.number);
            }
            (branches, rest) = (&node.branches, rest / BRANCHES as u64);
        }
    }

    /// Returns the number of a value with that hash, which is kept from now on.
    pub(super) fn intern(&'static self, hash: u64, value: T) -> u32 {
        let mut value = Some(value);
        let (mut branches, mut rest) = (&self.root, hash);
        loop {
            let node = branches[branch(rest)].get_or_init(|| Box::new(self.keep(&mut value)));
            if value.as_ref().is_none_or(|value| node.value == value) {
                return node.number;
            }
            (branches, rest) = (&node.branches, rest / BRANCHES as u64);
        }
    }

    /// Returns the value of a number that was given.
    pub(super) fn get(&'static self, number: u32) -> &'static T {
        let value = self.place(number).get();
        value.expect("a number is given after its value is in its place")
    }

    fn keep(&'static self, value: &mut Option<T>) -> Node<T> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let value = self.place(number).get_or_init(|| {
            let value = value.take();
            value.expect("it is kept by the first node that has room for it, and by no other")
        });
        Node {
            value,
            number,
            branches: [const { OnceLock::new() }; BRANCHES],
        }
    }

    fn place(&'static self, number: u32) -> &'static OnceLock<T> {
        let segment = (number / FIRST + 1).ilog2();
        let length = (FIRST as usize) << segment;
        let values = self.values[segment as usize]
            .get_or_init(|| std::iter::repeat_with(OnceLock::new).take(length).collect());
        &values[number as usize + FIRST as usize - length]
    }
}

/// Returns the branch that a hash leads to.
#[allow(clippy::cast_possible_truncation, reason = "fewer than the branches")]
fn branch(hash: u64) -> usize {
    (hash % BRANCHES as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_has_one_number_and_each_number_its_value() {
        static TEXTS: Interner<String> = Interner::new();
        // Few hashes for many values.
        let hash = |number: u32| u64::from(number % 7) << 3;
        for _ in 0..2 {
            for number in 0..1_000 {
                let text = number.to_string();
                assert_eq!(TEXTS.intern(hash(number), text.clone()), number);
                assert_eq!(TEXTS.find(hash(number), &text), Some(number));
                assert_eq!(TEXTS.get(number), &text);
            }
        }
        assert_eq!(TEXTS.find(8, &"none".to_owned()), None);
        assert_eq!(TEXTS.made.load(Ordering::Relaxed), 1_000);
    }

    #[test]
    fn threads_that_come_with_the_same_values_get_the_same_numbers() {
        static NUMBERS: Interner<u64> = Interner::new();
        let threads = [(); 4].map(|()| {
            std::thread::spawn(|| {
                let numbers = (0..2_000_u64).map(|value| NUMBERS.intern(value * 5, value));
                numbers.collect::<Vec<_>>()
            })
        });
        let [first, others @ ..] = threads.map(|thread| thread.join().expect("it ends"));
        assert!(others.iter().all(|numbers| *numbers == first));
        for (value, &number) in (0..).zip(&first) {
            assert_eq!(NUMBERS.get(number), &value);
        }
        let mut sorted = first;
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..2_000));
    }

    #[test]
    fn the_segments_have_room_for_every_number() {
        let last = (u32::MAX / FIRST + 1).ilog2() as usize;
        assert_eq!(last + 1, SEGMENTS);
    }
}
