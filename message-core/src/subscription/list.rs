//! One list of subscriptions, with their closures. The type of these is looked up once for a whole list, not at each
//! call.
//!
//! A list is sorted by number: by priority, and then in the order subscribed. One that is taken out leaves its place
//! empty until more than a quarter of the list is empty. So taking out costs the same in a long list and in a short one.

use std::any::Any;
use std::cell::Cell;
use std::ops::{ControlFlow, Range};

use crate::address::SubscriptionId;
use crate::message::AnyMessage;
use crate::send::{Delivery, Sent, Subscribed, Verdict};
use crate::storage::{Removed, narrow};
use crate::subscription::index::Records;
use crate::subscription::rewind::Retired;
use crate::subscription::{Hear, Subject, Subscription};

/// Subscriptions whose type of closures is not known here.
pub(crate) trait List: Any + Send {
    /// Hands the message to the subscriptions at these places that hear it. Breaks if nobody else may receive it.
    fn tell(
        &self,
        places: Range<usize>,
        delivery: &mut Delivery<'_>,
        message: &mut dyn AnyMessage,
    ) -> ControlFlow<()>;

    /// Returns the number of places.
    fn len(&self) -> usize;

    /// Returns the subscription at a place, unless it was taken out.
    fn id_at(&self, at: usize) -> Option<SubscriptionId>;

    /// Calls the closure at a place, unless it is running.
    fn call(&self, at: usize, message: &mut dyn AnyMessage, sent: &Sent<'_>) -> Verdict;

    /// Asks the predicate of the closure at a place.
    fn passes(&self, at: usize, message: &dyn AnyMessage) -> bool;

    fn is_running(&self, at: usize) -> bool;

    /// Sets the number of switches from which on the closure at a place can be called with nothing else to ask.
    fn set_at_hand(&self, at: usize, at_hand: u64);

    /// Takes out the subscription at a place, and returns its closure. Calls `moved` with each that gets another place, and
    /// the place.
    fn remove(&mut self, at: usize, moved: &mut dyn FnMut(SubscriptionId, u32)) -> Removed;

    /// Like [`remove`](Self::remove), but returns the closure so that it can be added again.
    fn retire(
        &mut self,
        at: usize,
        moved: &mut dyn FnMut(SubscriptionId, u32),
    ) -> Option<Box<dyn Retired>>;

    /// Removes the empty places, whose ids can be given out again after a rewind, and puts the subscriptions that were
    /// added to the end in their places.
    fn rewind(&mut self, records: &mut Records);

    fn shrink_to_fit(&mut self);
}

/// A closure with all that a usual call needs, so that the record of its subscription is not read: W7.
struct Ear<S: ?Sized> {
    /// Absent if it was taken out.
    closure: Option<Box<dyn Hear<S>>>,
    subscribed: Subscribed,
    /// The number of [switches](crate::structure::Switches) from which on the closure can be called with nothing else to
    /// ask.
    at_hand: Cell<u64>,
    /// `true` if it counts as a receiver of a message that goes on.
    counts: bool,
}

pub(super) struct Typed<S: ?Sized> {
    ears: Vec<Ear<S>>,
    /// The number of empty places.
    empty: usize,
    /// The largest number of a subscription that was added.
    last: u64,
}

impl<S: Subject + ?Sized> Typed<S> {
    /// Adds a subscription with its closure, in the order of their numbers. Returns its place. Without records, adds it
    /// to the end, until the list is [rewound](List::rewind).
    pub(super) fn insert(
        list: &mut Option<Box<dyn List>>,
        it: &Subscription,
        closure: Box<dyn Hear<S>>,
        records: Option<&mut Records>,
    ) -> u32 {
        let list = list.get_or_insert_with(|| {
            // Most lists of those that ask for one recipient have one subscription.
            let ears = Vec::with_capacity(1);
            Box::new(Self {
                ears,
                empty: 0,
                last: 0,
            })
        });
        let list = (&mut **list as &mut dyn Any).downcast_mut();
        let Self { ears, last, .. } = list.expect("the closures of a list are of one type");
        let ear = Ear {
            closure: Some(closure),
            subscribed: it.subscribed,
            at_hand: it.at_hand().into(),
            counts: it.counts(),
        };
        let Some(records) = records.filter(|_| it.number < *last) else {
            *last = it.number.max(*last);
            ears.push(ear);
            return narrow(ears.len() - 1);
        };
        // The record of an empty place may be that of another subscription by now.
        let record = |ear: &Ear<S>| ear.closure.as_ref().map(|_| ear.subscribed.id.0.index());
        let is_later = |ear: &Ear<S>| {
            let other = record(ear).and_then(|at| records[at].as_ref());
            other.is_some_and(|other| other.number > it.number)
        };
        let at = ears.iter().position(is_later).unwrap_or(ears.len());
        ears.insert(at, ear);
        for (at, ear) in ears.iter().enumerate().skip(at + 1) {
            if let Some(moved) = record(ear).and_then(|at| records[at].as_mut()) {
                moved.at = narrow(at);
            }
        }
        narrow(at)
    }

    fn take_out(
        &mut self,
        at: usize,
        moved: &mut dyn FnMut(SubscriptionId, u32),
    ) -> Option<Box<dyn Hear<S>>> {
        let closure = self.ears[at].closure.take()?;
        self.empty += 1;
        if self.empty * 4 > self.ears.len() {
            self.close_up(moved);
        }
        Some(closure)
    }

    fn close_up(&mut self, moved: &mut dyn FnMut(SubscriptionId, u32)) {
        self.ears.retain(|ear| ear.closure.is_some());
        self.empty = 0;
        for (at, ear) in (0..).zip(&self.ears) {
            moved(ear.subscribed.id, at);
        }
    }

    fn closure(&self, at: usize) -> Option<&dyn Hear<S>> {
        self.ears.get(at)?.closure.as_deref()
    }
}

impl<S: Subject + ?Sized> List for Typed<S> {
    fn tell(
        &self,
        places: Range<usize>,
        delivery: &mut Delivery<'_>,
        message: &mut dyn AnyMessage,
    ) -> ControlFlow<()> {
        let sent = delivery.sent;
        let kept = &sent.world.waiting.kept;
        // None is at hand where calls are traced or caught.
        let is_clear = sent.world.listen.subscriptions.is_clear();
        let at_hand = if is_clear { delivery.switches + 1 } else { 0 };
        let end = places.end.min(self.ears.len());
        let mut ears = self.ears[places.start..end].iter();
        loop {
            let typed = S::change(message);
            // Summed up in a register: W7.
            let mut received = 0;
            let unusual = ears.find_map(|ear| {
                if ear.at_hand.get() >= at_hand {
                    return Some((ear.subscribed.id, None));
                }
                let closure = ear.closure.as_ref()?;
                let verdict = closure.call(typed, sent, &ear.subscribed);
                if verdict != Verdict::Received || kept.any() {
                    return Some((ear.subscribed.id, Some(verdict)));
                }
                received += usize::from(ear.counts);
                None
            });
            delivery.tally.received += received;
            let Some((id, called)) = unusual else {
                return ControlFlow::Continue(());
            };
            delivery.tell_closely(id, called, self, message)?;
        }
    }

    fn len(&self) -> usize {
        self.ears.len()
    }

    fn id_at(&self, at: usize) -> Option<SubscriptionId> {
        let ear = self.ears.get(at)?;
        ear.closure.as_ref().map(|_| ear.subscribed.id)
    }

    fn call(&self, at: usize, message: &mut dyn AnyMessage, sent: &Sent<'_>) -> Verdict {
        let Some(closure) = self.closure(at) else {
            return Verdict::NotReceived;
        };
        closure.call(S::change(message), sent, &self.ears[at].subscribed)
    }

    fn passes(&self, at: usize, message: &dyn AnyMessage) -> bool {
        let closure = self.closure(at);
        closure.is_some_and(|closure| closure.passes(S::read(message)))
    }

    fn is_running(&self, at: usize) -> bool {
        self.closure(at).is_some_and(Hear::is_running)
    }

    fn set_at_hand(&self, at: usize, at_hand: u64) {
        self.ears[at].at_hand.set(at_hand);
    }

    fn remove(&mut self, at: usize, moved: &mut dyn FnMut(SubscriptionId, u32)) -> Removed {
        Some(self.take_out(at, moved)?)
    }

    fn retire(
        &mut self,
        at: usize,
        moved: &mut dyn FnMut(SubscriptionId, u32),
    ) -> Option<Box<dyn Retired>> {
        Some(Box::new(self.take_out(at, moved)?))
    }

    fn rewind(&mut self, records: &mut Records) {
        const THERE: &str = "a subscription in a list has a record";
        self.close_up(&mut |_, _| {});
        let record = |ear: &Ear<S>| ear.subscribed.id.0.index();
        let number = |ear: &Ear<S>| records[record(ear)].as_ref().expect(THERE).number;
        self.ears.sort_by_cached_key(number);
        self.last = self.ears.last().map_or(0, number);
        for (at, ear) in (0..).zip(&self.ears) {
            records[record(ear)].as_mut().expect(THERE).at = at;
        }
    }

    fn shrink_to_fit(&mut self) {
        self.ears.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::num::NonZeroU16;

    use super::*;
    use crate::identity::ManagerNumber;
    use crate::key::Keys;
    use crate::subscription::listener::overhearer;
    use crate::subscription::terms::Terms;

    /// A list of subscriptions, and the place of each.
    struct Numbered {
        list: Option<Box<dyn List>>,
        ids: Vec<SubscriptionId>,
        places: HashMap<SubscriptionId, u32>,
        moved: usize,
    }

    impl Numbered {
        fn new(count: usize) -> Self {
            let mut keys = Keys::new(ManagerNumber::new(NonZeroU16::MIN));
            let mut it = Self {
                list: None,
                ids: Vec::new(),
                places: HashMap::new(),
                moved: 0,
            };
            for number in 0..count as u64 {
                let id = SubscriptionId(keys.allocate());
                let subscribed = Subscribed { id, owner: None };
                let terms = Terms::default();
                let new = Subscription::new(subscribed, number, number, None, terms);
                let at = Typed::insert(&mut it.list, &new, overhearer(Vec::new()), None);
                it.ids.push(id);
                it.places.insert(id, at);
            }
            it
        }

        fn list(&self) -> &dyn List {
            self.list.as_deref().expect("it has subscriptions")
        }

        fn remove(&mut self, number: usize) {
            let id = self.ids[number];
            let at = self.places[&id] as usize;
            assert_eq!(self.list().id_at(at), Some(id));
            let list = self.list.as_mut().expect("it has subscriptions");
            let removed = list.remove(at, &mut |id, at| {
                self.places.insert(id, at);
                self.moved += 1;
            });
            assert!(removed.is_some());
        }
    }

    #[test]
    fn at_most_a_quarter_of_a_list_is_empty_and_moved_subscriptions_are_found() {
        let mut it = Numbered::new(100);
        for number in (0..100).filter(|number| number % 10 != 3) {
            it.remove(number);
            let places = it.list().len();
            let there = (0..places).filter(|at| it.list().id_at(*at).is_some());
            assert!(there.count() * 4 >= places * 3);
        }
        for number in (0..100).filter(|number| number % 10 == 3) {
            it.remove(number);
        }
        assert_eq!(it.list().len(), 0);
    }

    // holds: subscriptions.cost-of-change
    #[test]
    fn each_that_is_taken_out_moves_at_most_three_others_on_average_however_long_the_list_is() {
        for count in [100, 10_000, 100_000] {
            let mut it = Numbered::new(count);
            (0..count).for_each(|number| it.remove(number));
            assert_eq!(it.list().len(), 0);
            assert!(it.moved <= 3 * count, "{} of {count}", it.moved);
        }
    }
}
