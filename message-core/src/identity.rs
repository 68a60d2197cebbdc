//! The identity of a manager among all others of the process.
//!
//! A [number](ManagerNumber) of 16 bits is part of every key and of the number of every post.
//! [`Numbers`] gives each number to one manager at a time: first the numbers that no manager has had,
//! then the one that was returned longest ago.
//!
//! Every manager counts its keys and posts from zero, so those of a dropped manager can equal those of
//! a later one with the same number. The queue delays that: if `n` managers are alive when one is
//! dropped, the 65 534 − `n` managers that are made next have other numbers. Remembering more, such as
//! how far each manager has counted, would make every key depend on the rest of the process.
//!
//! The serial number never repeats. A cursor remembers it.

use std::collections::VecDeque;
use std::num::{NonZeroU16, NonZeroU64};
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The bits of a post's number below the manager's.
pub const POST_BITS: u32 = 48;

static NUMBERS: Mutex<Numbers> = Mutex::new(Numbers::new(u16::MAX));

/// The number of the manager that gave out a key, unique among the managers that are alive. It is in the high 16
/// bits, as in keys and in the numbers of posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ManagerNumber(pub NonZeroU64);

impl ManagerNumber {
    pub(crate) fn new(number: NonZeroU16) -> Self {
        let bits = NonZeroU64::new(u64::from(number.get()) << POST_BITS);
        Self(bits.expect("it is not zero"))
    }
}

/// Gives out the numbers of managers and takes them back.
#[derive(Debug)]
struct Numbers {
    /// The numbers that no manager has had yet.
    fresh: RangeInclusive<u16>,
    /// The number of managers that have been made.
    made: u64,
    /// The numbers of dropped managers, in the order in which they came back. In two bytes each, since there can be many.
    returned: VecDeque<NonZeroU16>,
}

impl Numbers {
    const fn new(last: u16) -> Self {
        Self {
            fresh: 1..=last,
            made: 0,
            returned: VecDeque::new(),
        }
    }

    /// Takes a number that no manager has, and a serial number.
    fn take(&mut self) -> Option<(ManagerNumber, u64)> {
        let fresh = self.fresh.next().and_then(NonZeroU16::new);
        let number = fresh.or_else(|| self.returned.pop_front())?;
        self.made += 1;
        Some((ManagerNumber::new(number), self.made))
    }

    /// Takes back the number of a manager that was dropped.
    fn give_back(&mut self, number: ManagerNumber) {
        let number = u16::try_from(number.0.get() >> POST_BITS).ok();
        self.returned.extend(number.and_then(NonZeroU16::new));
    }
}

fn numbers() -> MutexGuard<'static, Numbers> {
    NUMBERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The identity of a manager among all others. When it is dropped, the number can be given out again.
#[derive(Debug)]
pub struct Identity {
    pub number: ManagerNumber,
    /// The serial number of the manager in the process. It never repeats.
    pub serial: u64,
}

impl Identity {
    /// The number of managers that can be alive at once.
    pub(crate) const MOST: usize = u16::MAX as usize;

    /// Returns the identity of a new manager, or `None` if [`MOST`](Self::MOST) managers are alive.
    pub fn new() -> Option<Arc<Self>> {
        let (number, serial) = numbers().take()?;
        Some(Arc::new(Self { number, serial }))
    }
}

impl Drop for Identity {
    fn drop(&mut self) {
        numbers().give_back(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: u16) -> ManagerNumber {
        ManagerNumber::new(NonZeroU16::new(number).expect("it is not zero"))
    }

    // holds: messagees.managers-share-no-id
    #[test]
    fn managers_that_live_at_the_same_time_never_share_a_number() {
        let mut numbers = Numbers::new(3);
        let taken: Vec<_> = std::iter::from_fn(|| numbers.take()).collect();
        assert_eq!(
            taken,
            [1, 2, 3].map(|serial| (number(serial), serial.into()))
        );
        numbers.give_back(number(2));
        assert_eq!(numbers.take(), Some((number(2), 4)));
        assert_eq!(numbers.take(), None);
    }

    // holds: messagees.managers-share-no-id
    #[test]
    fn every_number_but_zero_is_given_out() {
        let mut numbers = Numbers::new(u16::MAX);
        for expected in 1..=u16::MAX {
            let taken = numbers.take().map(|(number, _)| number);
            assert_eq!(taken, Some(number(expected)));
        }
        assert_eq!(numbers.take(), None);
    }

    // holds: messagees.dropped-manager-ids
    #[test]
    fn fresh_numbers_come_first_then_the_one_that_came_back_longest_ago() {
        let mut numbers = Numbers::new(4);
        let mut next = || numbers.take().map(|(number, _)| number);
        assert_eq!(
            [next(), next(), next()],
            [1, 2, 3].map(|at| Some(number(at)))
        );
        for at in [1, 3, 2] {
            numbers.give_back(number(at));
        }
        let mut next = || numbers.take().map(|(number, _)| number);
        let taken = [next(), next(), next(), next()];
        assert_eq!(taken, [4, 1, 3, 2].map(|at| Some(number(at))));
        assert_eq!(next(), None);
    }

    // holds: messagees.dropped-manager-ids, memory.managers-gone
    #[test]
    fn a_number_comes_back_after_all_others_that_are_free() {
        let mut numbers = Numbers::new(1_000);
        let alive: Vec<_> = (0..300).filter_map(|_| numbers.take()).collect();
        for _ in 0..5 {
            let (dropped, _) = numbers.take().expect("few are alive");
            numbers.give_back(dropped);
            for _ in 0..999 - alive.len() {
                let (number, _) = numbers.take().expect("few are alive");
                assert_ne!(number, dropped);
                numbers.give_back(number);
            }
            assert_eq!(numbers.take().map(|(number, _)| number), Some(dropped));
            numbers.give_back(dropped);
            assert!(numbers.returned.len() <= 700);
        }
    }
}
