//! The lists in which subscriptions are found: by the messages that their filters ask for.
//!
//! A subscription is in one list. Those that ask for a recipient are in the list of that recipient, and of the others
//! those that ask for a sender in the list of that sender. So a message meets only those that ask for its recipient, for
//! its sender, or for neither.
//!
//! Lists are sorted by number, which is the order subscribed. One that is taken out leaves its place empty until more
//! than a quarter of the list is empty. So taking out costs the same in a long list and in a short one.

use std::any::Any;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use smallvec::SmallVec;

use crate::address::{MessageeId, Recipient, Sender};
use crate::hash::HashedMap;
use crate::send::Sent;
use crate::subscription::closures::{Closures, Typed};
use crate::subscription::listener::{Hear, Subject};
use crate::subscription::places::{Placed, Places};
use crate::subscription::record::Subscription;
use crate::subscription::terms::Asked;

/// The subscriptions of a manager, by the index of the id.
pub(super) type Records = Vec<Option<Subscription>>;

/// The lists of a [`Lists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The interceptors.
    Before,
    /// The subscriptions that hear a message when the addressed have received it.
    After,
    /// Those of them that need no closure for the message type: messagees that overhear, and wires.
    Apart,
}

/// The marker for a subscription that was taken out.
const EMPTY: u32 = u32::MAX;

/// Subscriptions by the indices of their ids, sorted by number.
#[derive(Default)]
pub(crate) struct List {
    records: Vec<u32>,
    /// The closure of each place; absent if there never was one.
    closures: Option<Box<dyn Closures>>,
    /// The number of empty places.
    empty: usize,
}

impl List {
    pub(super) fn records(&self) -> &[u32] {
        &self.records
    }

    pub(super) fn closures(&self) -> Option<&dyn Closures> {
        self.closures.as_deref()
    }

    fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Adds a place for a subscription that was made after all others.
    fn push(&mut self, record: u32) -> u32 {
        if self.is_empty() {
            // Most lists of those that ask for one recipient have one subscription.
            self.records.reserve_exact(1);
        }
        self.records.push(record);
        u32::try_from(self.records.len() - 1).expect("subscriptions are counted in 32 bits")
    }

    /// Takes out the subscription at a place. Returns its closure. Calls `moved` with each that gets another place, and
    /// the place.
    fn remove(&mut self, at: u32, mut moved: impl FnMut(u32, u32)) -> Option<Box<dyn Any + Send>> {
        let closures = self.closures.as_mut();
        let closure = closures.and_then(|closures| closures.take(at as usize));
        self.records[at as usize] = EMPTY;
        self.empty += 1;
        if self.empty * 4 > self.records.len() {
            let mut records = self.records.iter();
            let mut stays = || records.next().is_some_and(|&record| record != EMPTY);
            if let Some(closures) = &mut self.closures {
                closures.retain(&mut stays);
            }
            self.records.retain(|&record| record != EMPTY);
            self.empty = 0;
            (0..)
                .zip(&self.records)
                .for_each(|(at, &record)| moved(record, at));
        }
        closure
    }

    fn shrink_to_fit(&mut self) {
        self.records.shrink_to_fit();
        if let Some(closures) = &mut self.closures {
            closures.shrink_to_fit();
        }
    }
}

/// Subscriptions that ask for the same.
#[derive(Default)]
pub(crate) struct Lists {
    by_part: [List; 3],
}

impl Lists {
    /// Returns the lists of these parts in which there are subscriptions.
    pub(super) fn lists<'l>(&'l self, parts: &'static [Part]) -> impl Iterator<Item = &'l List> {
        let lists = parts.iter().map(|&part| &self.by_part[part as usize]);
        lists.filter(|list| !list.is_empty())
    }

    fn list_mut(&mut self, part: Part) -> &mut List {
        &mut self.by_part[part as usize]
    }

    fn is_empty(&self) -> bool {
        self.by_part.iter().all(List::is_empty)
    }

    fn shrink_to_fit(&mut self) {
        self.by_part.iter_mut().for_each(List::shrink_to_fit);
    }
}

/// Subscriptions that ask for one recipient, or for one sender.
struct Index<K> {
    lists: HashedMap<K, Lists>,
    places: Places,
}

impl<K> Default for Index<K> {
    fn default() -> Self {
        Self {
            lists: HashedMap::default(),
            places: Places::default(),
        }
    }
}

impl<K: Copy + Eq + Hash + Placed> Index<K> {
    fn lists_for(&mut self, key: K) -> &mut Lists {
        if !self.lists.contains_key(&key) {
            self.places.add(key, self.lists.keys().copied());
        }
        self.lists.entry(key).or_default()
    }

    /// Changes the lists of a key, and drops it if it is empty then.
    fn change<T>(&mut self, key: K, change: impl FnOnce(&mut Lists) -> T) -> T {
        let Entry::Occupied(mut entry) = self.lists.entry(key) else {
            unreachable!("who asks for a recipient or a sender is in the list of that");
        };
        let changed = change(entry.get_mut());
        if entry.get().is_empty() {
            entry.remove();
        }
        if self.lists.is_empty() {
            self.places = Places::default();
        }
        changed
    }

    #[inline]
    fn get(&self, key: impl FnOnce() -> K) -> Option<&Lists> {
        if self.lists.is_empty() {
            return None;
        }
        self.lists.get(&key())
    }

    fn shrink_to_fit(&mut self) {
        self.lists.values_mut().for_each(Lists::shrink_to_fit);
        self.lists.shrink_to_fit();
    }
}

/// The subscriptions to one message type, or to all.
#[derive(Default)]
pub(super) struct Topic {
    general: Lists,
    tagged: Lists,
    to: Index<Recipient>,
    from: Index<Sender>,
    len: usize,
    /// `true` if all are in one list, hear a message after the addressed, and do not ask for recipients as of the time of
    /// the send.
    is_in_one: bool,
    /// `true` if none is in the general lists.
    is_special: bool,
    /// The number of those that count as receivers.
    counting: usize,
    /// The number of those that ask for recipients as of the time of the send.
    looking_back: usize,
}

impl Topic {
    /// Adds a subscription that was made after all others, with its closure.
    pub(super) fn push<S: Subject + ?Sized>(
        &mut self,
        it: &mut Subscription,
        closure: Box<dyn Hear<S>>,
    ) {
        self.count(it, |count| *count += 1);
        let lists = match it.asked {
            Asked::Nothing => &mut self.general,
            Asked::Tags => &mut self.tagged,
            Asked::To(to) => self.to.lists_for(to),
            Asked::From(from) => self.from.lists_for(from),
        };
        let list = lists.list_mut(it.part());
        it.at = list.push(it.id().0.place());
        Typed::push(&mut list.closures, it, closure);
        self.renew();
    }

    /// Changes the numbers of subscriptions to which this one belongs.
    fn count(&mut self, it: &Subscription, mut change: impl FnMut(&mut usize)) {
        change(&mut self.len);
        if !it.is_hidden() {
            change(&mut self.counting);
        }
        if it.looks_back() {
            change(&mut self.looking_back);
        }
    }

    /// Returns the closures among which that of a subscription is.
    pub(super) fn closures_of(&self, it: &Subscription) -> Option<&dyn Closures> {
        let lists = match it.asked {
            Asked::Nothing => &self.general,
            Asked::Tags => &self.tagged,
            Asked::To(to) => self.to.get(|| to)?,
            Asked::From(from) => self.from.get(|| from)?,
        };
        lists.by_part[it.part() as usize].closures()
    }

    /// Takes out a subscription, which is no longer among `records`. Returns its closure.
    pub(super) fn remove(
        &mut self,
        it: &Subscription,
        records: &mut Records,
    ) -> Option<Box<dyn Any + Send>> {
        self.count(it, |count| *count -= 1);
        let mut remove = |lists: &mut Lists| {
            lists.list_mut(it.part()).remove(it.at, |record, at| {
                let moved = records[record as usize].as_mut();
                moved.expect("who is in a list is there").at = at;
            })
        };
        let closure = match it.asked {
            Asked::Nothing => remove(&mut self.general),
            Asked::Tags => remove(&mut self.tagged),
            Asked::To(to) => self.to.change(to, remove),
            Asked::From(from) => self.from.change(from, remove),
        };
        self.renew();
        closure
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns `true` if any subscription counts as a receiver, whatever its filter.
    pub(super) fn any_counts(&self) -> bool {
        self.counting > 0
    }

    /// Returns `true` if any subscription asks for recipients as of the time of the send.
    pub(super) fn looks_back(&self) -> bool {
        self.looking_back > 0
    }

    /// Returns `true` if certainly no subscription is found by a message without a header to a messagee. Asks less than
    /// [`found`](Self::found): W1-past.
    #[inline]
    pub(super) fn is_passed(&self, is_tagged: bool, to: MessageeId, from: Sender) -> bool {
        self.is_special
            && (!is_tagged || self.tagged.is_empty())
            && !self.to.places.may_have(Recipient::Id(to))
            && !self.from.places.may_have(from)
    }

    /// Returns the list of all subscriptions, if they are in one, hear a message after the addressed, and do not ask for
    /// recipients as of the time of the send.
    #[inline]
    pub(super) fn only_list(&self) -> Option<&List> {
        self.is_in_one
            .then_some(&self.general.by_part[Part::After as usize])
    }

    /// Notes where the subscriptions are.
    fn renew(&mut self) {
        let [_, list, _] = &self.general.by_part;
        let in_list = list.records.len() - list.empty;
        self.is_in_one = in_list == self.len && self.looking_back == 0;
        self.is_special = self.general.is_empty();
    }

    /// Returns the lists in which subscriptions are found by a message.
    pub(super) fn found(&self, sent: &Sent<'_>) -> impl Iterator<Item = &Lists> {
        let is_tagged = || !sent.facts.tags().is_empty() || !sent.own_tags().is_empty();
        let tagged = Some(&self.tagged).filter(|lists| !lists.is_empty() && is_tagged());
        let to = self.to.get(|| sent.resolved_to());
        let from = self.from.get(|| sent.sender);
        let general = Some(&self.general).filter(|lists| !lists.is_empty());
        [general, tagged, to, from].into_iter().flatten()
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.general.shrink_to_fit();
        self.tagged.shrink_to_fit();
        self.to.shrink_to_fit();
        self.from.shrink_to_fit();
    }
}

/// The lists in which subscriptions are found by one message. They are the same from its beginning to its end.
pub(crate) type Found<'l> = SmallVec<[&'l Lists; 4]>;

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of numbers, and the place of each.
    struct Numbered {
        list: List,
        places: Vec<u32>,
        moved: usize,
    }

    impl Numbered {
        fn new(count: u32) -> Self {
            let mut list = List::default();
            let places = (0..count).map(|number| list.push(number));
            let places = places.collect();
            let moved = 0;
            Self {
                list,
                places,
                moved,
            }
        }

        fn remove(&mut self, number: u32) {
            let at = self.places[number as usize];
            assert_eq!(self.list.records[at as usize], number);
            self.list.remove(at, |number, at| {
                self.places[number as usize] = at;
                self.moved += 1;
            });
        }
    }

    #[test]
    fn at_most_a_quarter_of_a_list_is_empty_and_moved_subscriptions_are_found() {
        let mut it = Numbered::new(100);
        for number in (0..100).filter(|number| number % 10 != 3) {
            it.remove(number);
            let records = &it.list.records;
            let there = records.iter().filter(|&&record| record != EMPTY);
            assert!(there.count() * 4 >= records.len() * 3);
        }
        for number in (0..100).filter(|number| number % 10 == 3) {
            it.remove(number);
        }
        assert!(it.list.records.is_empty());
    }

    // holds: subscriptions.cost-of-change
    #[test]
    fn each_that_is_taken_out_moves_at_most_three_others_on_average_however_long_the_list_is() {
        for count in [100, 10_000, 100_000] {
            let mut it = Numbered::new(count);
            (0..count).for_each(|number| it.remove(number));
            assert!(it.list.records.is_empty());
            assert!(it.moved <= 3 * count as usize, "{} of {count}", it.moved);
        }
    }
}
