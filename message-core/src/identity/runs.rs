//! Sets of numbers, of which most follow one another.
//!
//! Runs of them by their first number, each with its last. Two runs never touch, so a set takes the room
//! of its gaps, and not of its numbers.

use std::collections::BTreeMap;
use std::num::NonZeroU16;

#[derive(Debug, Default)]
pub(super) struct Runs(BTreeMap<NonZeroU16, NonZeroU16>);

impl Runs {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a number that is not in it.
    pub(super) fn insert(&mut self, number: NonZeroU16) {
        let (mut first, mut last) = (number, number);
        let before = self.0.range(..number).next_back();
        if let Some((&begin, end)) = before
            && end.checked_add(1) == Some(number)
        {
            first = begin;
        }
        if let Some(end) = number.checked_add(1).and_then(|next| self.0.remove(&next)) {
            last = end;
        }
        self.0.insert(first, last);
    }

    /// Removes the lowest number and returns it.
    pub(super) fn pop(&mut self) -> Option<NonZeroU16> {
        let (first, last) = self.0.pop_first()?;
        if let Some(next) = first.checked_add(1).filter(|next| *next <= last) {
            self.0.insert(next, last);
        }
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: u16) -> NonZeroU16 {
        NonZeroU16::new(number).expect("it is not zero")
    }

    #[test]
    fn numbers_that_follow_one_another_are_one_run_in_whatever_order_they_come() {
        for (numbers, expected) in [
            (&[1, 2, 3][..], &[(1, 3)][..]),
            (&[3, 2, 1], &[(1, 3)]),
            (&[1, 3, 2], &[(1, 3)]),
            (&[5, 1, 3], &[(1, 1), (3, 3), (5, 5)]),
            (&[5, 1, 3, 4], &[(1, 1), (3, 5)]),
            (&[65_535, 65_534], &[(65_534, 65_535)]),
        ] {
            let mut runs = Runs::default();
            for &it in numbers {
                runs.insert(number(it));
            }
            let all = runs.0.iter().map(|(first, last)| (first.get(), last.get()));
            assert_eq!(all.collect::<Vec<_>>(), expected, "{numbers:?}");
        }
    }

    #[test]
    fn each_number_comes_back_once_the_lowest_first() {
        let mut runs = Runs::default();
        for it in [65_535, 7, 2, 6, 1, 65_534] {
            runs.insert(number(it));
        }
        let popped: Vec<u16> = std::iter::from_fn(|| runs.pop()).map(u16::from).collect();
        assert_eq!(popped, [1, 2, 6, 7, 65_534, 65_535]);
        assert!(runs.is_empty());
    }
}
