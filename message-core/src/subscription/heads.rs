//! The heads of a list of subscriptions, sorted by number.
//!
//! One that is taken out leaves its place, which passes every message, until too many places are
//! empty and the list is compacted. So a place is found by its number, and taking out costs no more in
//! a long list than in a short one.

use std::cell::Cell;

use crate::subscription::head::Head;

#[derive(Default)]
pub(crate) struct Heads {
    places: Vec<Head>,
    /// How many of those that have not been taken out are not plain.
    exceptions: Cell<usize>,
    /// How many have been taken out, and left their places.
    vacant: usize,
}

impl Heads {
    /// The heads in the order subscribed, with the empty places.
    #[inline]
    pub(crate) fn places(&self) -> &[Head] {
        &self.places
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns `true` if every subscription hears everything, at once, and counts as a receiver.
    #[inline]
    pub(super) fn are_plain(&self) -> bool {
        self.exceptions.get() == 0
    }

    /// The place of the subscription with that number.
    pub(crate) fn position(&self, number: u64) -> Option<usize> {
        let at = self.places.binary_search_by_key(&number, |it| it.number);
        at.ok().filter(|&at| !self.places[at].is_vacant())
    }

    pub(super) fn get(&self, number: u64) -> Option<&Head> {
        Some(&self.places[self.position(number)?])
    }

    /// Adds a subscription behind those that were made before.
    pub(super) fn push(&mut self, head: Head) {
        if self.places.is_empty() {
            // Most lists of those that ask for one recipient have one subscription.
            self.places.reserve_exact(1);
        }
        if !head.is_plain() {
            *self.exceptions.get_mut() += 1;
        }
        self.places.push(head);
    }

    /// From now on a subscription receives nothing. Returns `true` if it did up to now.
    pub(super) fn end(&self, number: u64) -> bool {
        let head = self.get(number);
        head.is_some_and(|head| self.change(head, Head::end))
    }

    /// Ends a subscription whose closure has panicked, also if it is used up.
    pub(super) fn end_panicked(&self, number: u64) {
        if let Some(head) = self.get(number) {
            self.change(head, Head::end_panicked);
        }
    }

    /// Makes a change after which a head may be plain no longer.
    fn change<T>(&self, head: &Head, change: impl FnOnce(&Head) -> T) -> T {
        let was_plain = head.is_plain();
        let changed = change(head);
        if was_plain && !head.is_plain() {
            self.exceptions.set(self.exceptions.get() + 1);
        }
        changed
    }

    /// Takes a subscription out. Returns the place that it leaves.
    pub(super) fn vacate(&mut self, number: u64) -> Option<usize> {
        let at = self.position(number)?;
        let head = &mut self.places[at];
        if !head.is_plain() {
            *self.exceptions.get_mut() -= 1;
        }
        head.vacate();
        self.vacant += 1;
        Some(at)
    }

    /// Removes the empty places, here and in the list of closures, if they are more than a quarter:
    /// then each taking out has to move only a few others.
    pub(super) fn compact_with<T>(&mut self, closures: &mut Vec<T>) {
        if self.vacant * 4 <= self.places.len() {
            return;
        }
        let mut heads = self.places.iter();
        closures.retain(|_| heads.next().is_some_and(|head| !head.is_vacant()));
        self.places.retain(|head| !head.is_vacant());
        self.vacant = 0;
        let len = self.places.len();
        if len < self.places.capacity() / 4 {
            self.places.shrink_to(2 * len);
            closures.shrink_to(2 * len);
        }
    }
}

impl IntoIterator for Heads {
    type Item = Head;
    type IntoIter = std::vec::IntoIter<Head>;

    fn into_iter(self) -> Self::IntoIter {
        self.places.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::SubscriptionId;
    use crate::dispatch::Subscribed;
    use crate::key::{Keys, ManagerNumber};
    use crate::subscription::filter::{Conditions, Options};

    /// Heads numbered from 0, and as many closures.
    fn heads(count: u64) -> (Heads, Vec<u64>) {
        let mut keys = Keys::new(ManagerNumber::next());
        let mut heads = Heads::default();
        for number in 0..count {
            let id = SubscriptionId(keys.allocate());
            let subscribed = Subscribed { id, owner: None };
            let (options, conditions) = (Options::default(), Conditions::default());
            heads.push(Head::new(subscribed, number, options, conditions));
        }
        (heads, (0..count).collect())
    }

    fn remove(heads: &mut Heads, closures: &mut Vec<u64>, number: u64) {
        let at = heads.vacate(number).expect("it is there");
        assert_eq!(closures[at], number);
        heads.compact_with(closures);
    }

    #[test]
    fn empty_places_are_never_more_than_a_quarter() {
        let (mut heads, mut closures) = heads(100);
        for number in (0..100).filter(|number| number % 10 != 3) {
            remove(&mut heads, &mut closures, number);
            assert!(heads.position(number).is_none());
            let there = closures.iter().filter(|&&it| heads.position(it).is_some());
            assert!(there.count() * 4 >= closures.len() * 3);
            assert_eq!(closures.len(), heads.places().len());
        }
        for number in (0..100).filter(|number| number % 10 == 3) {
            let at = heads.position(number).expect("it stays");
            assert_eq!(closures[at], number);
            remove(&mut heads, &mut closures, number);
        }
        assert!(heads.is_empty() && closures.is_empty());
    }

    #[test]
    fn a_list_that_has_shrunk_gives_its_room_back() {
        let (mut heads, mut closures) = heads(1000);
        for number in 0..990 {
            remove(&mut heads, &mut closures, number);
        }
        assert!(heads.places.capacity() < 100 && closures.capacity() < 100);
    }

    #[test]
    fn a_list_is_plain_again_when_those_that_had_ended_are_taken_out() {
        let (mut heads, mut closures) = heads(20);
        assert!(heads.are_plain());
        assert!(heads.end(3) && !heads.end(3));
        heads.end_panicked(4);
        assert!(!heads.are_plain());
        remove(&mut heads, &mut closures, 3);
        assert!(!heads.are_plain());
        remove(&mut heads, &mut closures, 4);
        // Taken out while it was plain.
        remove(&mut heads, &mut closures, 5);
        assert!(heads.are_plain());
    }
}
