//! The heads of a list of subscriptions, sorted by number.
//!
//! One that is taken out leaves its place, which passes every message, until too many places are
//! empty and the list is compacted. So taking out costs no more in a long list than in a short one.

use std::cell::Cell;

use crate::subscription::head::Head;
use crate::subscription::list::Moved;

#[derive(Default)]
pub(crate) struct Heads {
    places: Vec<Head>,
    /// The number of subscriptions that are not plain and have not been taken out.
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
    pub(crate) fn are_plain(&self) -> bool {
        self.exceptions.get() == 0
    }

    /// Adds a subscription behind those that were made before. Returns its place.
    pub(super) fn push(&mut self, head: Head) -> usize {
        if self.places.is_empty() {
            // Most lists of those that ask for one recipient have one subscription.
            self.places.reserve_exact(1);
        }
        if !head.is_plain() {
            *self.exceptions.get_mut() += 1;
        }
        self.places.push(head);
        self.places.len() - 1
    }

    /// From now on the subscription at that place receives nothing. Returns `true` if it did up to
    /// now.
    pub(super) fn end(&self, at: usize) -> bool {
        self.change(at, Head::end)
    }

    /// Ends the subscription at that place, also if it is used up: its closure has panicked.
    pub(super) fn end_panicked(&self, at: usize) {
        self.change(at, Head::end_panicked);
    }

    /// Pauses or resumes the subscription at that place. Returns `true` if that is a change.
    pub(super) fn set_listening(&self, at: usize, listening: bool) -> bool {
        self.change(at, |head| head.set_listening(listening))
    }

    /// The dispatch has ended in which the subscription at that place was resumed.
    pub(super) fn settle_resumed(&self, at: usize) {
        self.change(at, Head::settle_resumed);
    }

    /// Makes a change after which a head may be plain no longer, or again.
    fn change<T>(&self, at: usize, change: impl FnOnce(&Head) -> T) -> T {
        let head = &self.places[at];
        let was_plain = head.is_plain();
        let changed = change(head);
        match (was_plain, head.is_plain()) {
            (true, false) => self.exceptions.set(self.exceptions.get() + 1),
            (false, true) => self.exceptions.set(self.exceptions.get() - 1),
            _ => {}
        }
        changed
    }

    /// Takes out the subscription at that place, which stays as an empty one.
    pub(super) fn vacate(&mut self, at: usize) {
        let head = &mut self.places[at];
        if !head.is_plain() {
            *self.exceptions.get_mut() -= 1;
        }
        head.vacate();
        self.vacant += 1;
    }

    /// Removes the empty places, here and in the list of closures, if they are more than a quarter:
    /// then each taking out has to move only a few others. `moved` is told of each that stays.
    pub(super) fn compact_with<T>(&mut self, closures: &mut Vec<T>, moved: Moved<'_>) {
        if self.vacant * 4 <= self.places.len() {
            return;
        }
        let mut heads = self.places.iter();
        closures.retain(|_| heads.next().is_some_and(|head| !head.is_vacant()));
        let mut at = 0;
        self.places.retain(|head| {
            let stays = !head.is_vacant();
            if stays {
                moved(head.id(), at);
                at += 1;
            }
            stays
        });
        self.vacant = 0;
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.places.shrink_to_fit();
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
    use std::num::NonZeroU16;

    use super::*;
    use crate::address::SubscriptionId;
    use crate::identity::ManagerNumber;
    use crate::key::Keys;
    use crate::send::Subscribed;
    use crate::subscription::conditions::{Conditions, Options};

    /// Heads with closures that are their numbers, and the place of each number.
    struct Numbered {
        heads: Heads,
        closures: Vec<u64>,
        ids: Vec<SubscriptionId>,
        places: Vec<usize>,
    }

    impl Numbered {
        fn new(count: u64) -> Self {
            let mut keys = Keys::new(ManagerNumber(NonZeroU16::MIN));
            let mut heads = Heads::default();
            let mut ids = Vec::new();
            let places = (0..count).map(|number| {
                let id = SubscriptionId(keys.allocate());
                ids.push(id);
                let subscribed = Subscribed { id, owner: None };
                let (options, conditions) = (Options::default(), Conditions::default());
                heads.push(Head::new(subscribed, number, options, conditions))
            });
            let places = places.collect();
            Self {
                heads,
                closures: (0..count).collect(),
                ids,
                places,
            }
        }

        fn remove(&mut self, number: usize) {
            let at = self.places[number];
            let head = &self.heads.places()[at];
            assert_eq!(
                (head.number, self.closures[at]),
                (number as u64, number as u64)
            );
            self.heads.vacate(at);
            let (ids, places) = (&self.ids, &mut self.places);
            self.heads.compact_with(&mut self.closures, &mut |id, at| {
                let number = ids.iter().position(|it| *it == id);
                places[number.expect("it is one of them")] = at;
            });
        }
    }

    #[test]
    fn empty_places_are_never_more_than_a_quarter_and_who_has_moved_is_told() {
        let mut list = Numbered::new(100);
        for number in (0..100).filter(|number| number % 10 != 3) {
            list.remove(number);
            let places = list.heads.places();
            let there = places.iter().filter(|head| !head.is_vacant());
            assert!(there.count() * 4 >= places.len() * 3);
            assert_eq!(places.len(), list.closures.len());
        }
        for number in (0..100).filter(|number| number % 10 == 3) {
            list.remove(number);
        }
        assert!(list.heads.is_empty() && list.closures.is_empty());
    }

    // holds: subscriptions.cost-of-change
    #[test]
    fn each_that_is_taken_out_moves_three_others_on_average_at_most_however_long_the_list_is() {
        for count in [100, 10_000, 100_000] {
            let mut list = Numbered::new(count);
            let mut moved = 0;
            for _ in 0..count {
                // The first one that is left.
                let at = list.heads.vacant;
                list.heads.vacate(at);
                let closures = &mut list.closures;
                list.heads.compact_with(closures, &mut |_, _| moved += 1);
            }
            assert!(list.heads.is_empty());
            assert!(moved <= 3 * count, "{moved} of {count}");
        }
    }

    #[test]
    fn a_list_is_plain_again_when_those_that_had_ended_are_taken_out() {
        let mut list = Numbered::new(20);
        assert!(list.heads.are_plain());
        assert!(list.heads.end(3) && !list.heads.end(3));
        list.heads.end_panicked(4);
        assert!(!list.heads.are_plain());
        list.remove(3);
        assert!(!list.heads.are_plain());
        list.remove(4);
        // Taken out while it was plain.
        list.remove(5);
        assert!(list.heads.are_plain());
    }
}
