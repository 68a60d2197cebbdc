//! The lists in which subscriptions are found: by the messages that their filters ask for.
//!
//! A subscription is in one list. Those that ask for a recipient are in the list of that recipient, and of the others
//! those that ask for a sender in the list of that sender. So a message meets only those that ask for its recipient, for
//! its sender, or for neither.
//!
//! Lists are sorted by number, which is the order subscribed. One that is taken out leaves its place empty until more
//! than a quarter of the list is empty. So taking out costs the same in a long list and in a short one.

use std::any::Any;
use std::ops::Range;

use smallvec::SmallVec;

use crate::address::{MessageeId, Recipient, Sender};
use crate::hash::HashedMap;
use crate::send::Sent;
use crate::subscription::closures::{Closures, Typed};
use crate::subscription::listener::{Hear, Subject};
use crate::subscription::places::Places;
use crate::subscription::record::Subscription;
use crate::subscription::terms::{Asked, Part};

/// The subscriptions of a manager, by the index of the id.
pub(super) type Records = Vec<Option<Subscription>>;

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

    /// Returns all places of the list.
    pub(crate) fn places(&self) -> Range<usize> {
        0..self.records.len()
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

    fn is_empty(&self) -> bool {
        self.by_part.iter().all(List::is_empty)
    }

    fn shrink_to_fit(&mut self) {
        self.by_part.iter_mut().for_each(List::shrink_to_fit);
    }
}

/// The subscriptions to one message type, or to all.
#[derive(Default)]
pub(super) struct Topic {
    /// Those that ask for nothing.
    general: Lists,
    /// The others, by what they ask for.
    special: HashedMap<Asked, Lists>,
    places: Places,
    /// `true` if all are in one list, hear a message after the addressed, and do not ask for recipients as of the time of
    /// the send.
    is_in_one: bool,
    /// `true` if none is in the general lists.
    is_special: bool,
    /// The number of those that count as receivers.
    pub(super) counting: usize,
    /// The number of those that ask for recipients as of the time of the send.
    pub(super) looking_back: usize,
}

impl Topic {
    /// Adds a subscription that was made after all others, with its closure.
    pub(super) fn push<S: Subject + ?Sized>(
        &mut self,
        it: &mut Subscription,
        closure: Box<dyn Hear<S>>,
    ) {
        let lists = match it.asked {
            Asked::Nothing => &mut self.general,
            asked => {
                if !self.special.contains_key(&asked) {
                    self.places.add(asked, self.special.keys().copied());
                }
                self.special.entry(asked).or_default()
            }
        };
        let list = &mut lists.by_part[it.part() as usize];
        it.at = list.push(it.id().0.place());
        Typed::push(&mut list.closures, it, closure);
        self.counting += usize::from(!it.is_hidden());
        self.looking_back += usize::from(it.looks_back());
        self.renew();
    }

    /// Returns the closures among which that of a subscription is.
    pub(super) fn closures_of(&self, it: &Subscription) -> Option<&dyn Closures> {
        let lists = match it.asked {
            Asked::Nothing => &self.general,
            asked => self.special.get(&asked)?,
        };
        lists.by_part[it.part() as usize].closures()
    }

    /// Takes out a subscription, which is no longer among `records`. Returns its closure.
    pub(super) fn remove(
        &mut self,
        it: &Subscription,
        records: &mut Records,
    ) -> Option<Box<dyn Any + Send>> {
        let lists = match it.asked {
            Asked::Nothing => &mut self.general,
            asked => self.special.get_mut(&asked)?,
        };
        let list = &mut lists.by_part[it.part() as usize];
        let closure = list.remove(it.at, |record, at| {
            let moved = records[record as usize].as_mut();
            moved.expect("who is in a list is there").at = at;
        });
        if lists.is_empty() {
            self.special.remove(&it.asked);
        }
        if self.special.is_empty() {
            self.places = Places::default();
        }
        self.counting -= usize::from(!it.is_hidden());
        self.looking_back -= usize::from(it.looks_back());
        self.renew();
        closure
    }

    pub(super) fn is_empty(&self) -> bool {
        self.is_special && self.special.is_empty()
    }

    /// Returns `true` if certainly no subscription is found by a message without a header to a messagee. Asks less than
    /// [`found`](Self::found): W1-past.
    #[inline]
    pub(super) fn is_passed(&self, is_tagged: bool, to: MessageeId, from: Sender) -> bool {
        self.is_special
            && !(is_tagged && self.special.contains_key(&Asked::Tags))
            && !self.places.may_have(Asked::To(Recipient::Id(to)))
            && !self.places.may_have(Asked::From(from))
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
        let [before, _, apart] = &self.general.by_part;
        self.is_in_one = self.looking_back == 0
            && self.special.is_empty()
            && before.is_empty()
            && apart.is_empty();
        self.is_special = self.general.is_empty();
    }

    /// Returns the lists in which subscriptions are found by a message.
    pub(super) fn found(&self, sent: &Sent<'_>) -> impl Iterator<Item = &Lists> {
        let special = (!self.special.is_empty()).then(|| {
            let is_tagged = !sent.facts.tags().is_empty() || !sent.own_tags().is_empty();
            let tags = if is_tagged {
                Asked::Tags
            } else {
                Asked::Nothing
            };
            let asked = [
                tags,
                Asked::To(sent.resolved_to()),
                Asked::From(sent.sender),
            ];
            asked
                .into_iter()
                .filter(|asked| self.places.may_have(*asked))
        });
        let special = special.into_iter().flatten();
        let special = special.filter_map(|asked| self.special.get(&asked));
        let general = Some(&self.general).filter(|_| !self.is_special);
        general.into_iter().chain(special)
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.general.shrink_to_fit();
        self.special.values_mut().for_each(Lists::shrink_to_fit);
        self.special.shrink_to_fit();
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
