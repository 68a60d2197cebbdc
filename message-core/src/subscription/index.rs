//! The lists in which subscriptions are found: by the messages that their filters ask for.
//!
//! A subscription is in one list. Those that ask for a recipient are in the list of that recipient, and of the others
//! those that ask for a sender in the list of that sender. So a message meets only those that ask for its recipient, for
//! its sender, or for neither.

use smallvec::SmallVec;

use crate::address::{MessageeId, Recipient, Sender, SubscriptionId};
use crate::hash::HashedMap;
use crate::send::Sent;
use crate::subscription::list::Typed;
use crate::subscription::places::Places;
use crate::subscription::{Asked, Hear, List, Part, Subject, Subscription};

/// The subscriptions of a manager, by the index of the id.
pub(crate) type Records = Vec<Option<Subscription>>;

/// Subscriptions that ask for the same.
#[derive(Default)]
pub(crate) struct Lists {
    by_shelf: [Option<Box<dyn List>>; 4],
}

/// A list among those of subscriptions that ask for the same. It has closures of one type: those that take any message are
/// not among those that take the type.
#[derive(Clone, Copy)]
pub(super) enum Shelf {
    Before,
    After,
    /// Overhearing, wires, and closures that take any message.
    Apart,
    /// Interceptors that take any message.
    BeforeAny,
}

impl Shelf {
    const fn of(part: Part, takes_any: bool) -> Self {
        match (part, takes_any) {
            (Part::Before, false) => Self::Before,
            (Part::Before, true) => Self::BeforeAny,
            (Part::After, false) => Self::After,
            _ => Self::Apart,
        }
    }
}

impl Lists {
    /// Returns the lists of these parts in which there are subscriptions.
    pub(super) fn lists(&self, parts: &'static [Part]) -> impl Iterator<Item = &dyn List> {
        let shelves = |part: &Part| match part {
            Part::Before => &[Shelf::Before, Shelf::BeforeAny][..],
            Part::After => &[Shelf::After],
            Part::Apart => &[Shelf::Apart],
        };
        let shelves = parts.iter().flat_map(shelves);
        shelves.filter_map(|&shelf| self.by_shelf[shelf as usize].as_deref())
    }

    fn is_empty(&self) -> bool {
        self.by_shelf.iter().all(Option::is_none)
    }
}

/// The subscriptions to one message type, or to all.
#[derive(Default)]
pub(crate) struct Topic {
    /// The listeners that ask for nothing.
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
        records: Option<&mut Records>,
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
        it.list = Shelf::of(it.terms.part, S::IS_ANY && it.of.is_some());
        let list = &mut lists.by_shelf[it.list as usize];
        it.at = Typed::insert(list, it, closure, records);
        self.counting += usize::from(!it.terms.hidden);
        self.looking_back += usize::from(it.looks_back());
        self.renew();
    }

    /// Returns the list in which a subscription is.
    pub(super) fn list_of(&self, it: &Subscription) -> Option<&dyn List> {
        let lists = match it.asked {
            Asked::Nothing => &self.general,
            asked => self.special.get(&asked)?,
        };
        lists.by_shelf[it.list as usize].as_deref()
    }

    /// Takes out a subscription, which is no longer among `records`. Returns its closure, which `take` takes out of its
    /// list.
    pub(super) fn remove<T>(
        &mut self,
        it: &Subscription,
        records: &mut Records,
        take: impl FnOnce(&mut dyn List, usize, &mut dyn FnMut(SubscriptionId, u32)) -> Option<T>,
    ) -> Option<T> {
        let lists = match it.asked {
            Asked::Nothing => &mut self.general,
            asked => self.special.get_mut(&asked)?,
        };
        let place = &mut lists.by_shelf[it.list as usize];
        let list = place.as_mut()?;
        let closure = take(&mut **list, it.at as usize, &mut |id, at| {
            let moved = records[id.0.index()].as_mut();
            moved.expect("who is in a list is there").at = at;
        });
        if list.len() == 0 {
            *place = None;
        }
        if lists.is_empty() {
            self.special.remove(&it.asked);
            if self.special.is_empty() {
                self.places = Places::default();
            }
        }
        self.counting -= usize::from(!it.terms.hidden);
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
        let may_hear = !self.is_special
            || (is_tagged && self.special.contains_key(&Asked::Tags))
            || self.places.may_have(Asked::To(Recipient::Id(to)))
            || self.places.may_have(Asked::From(from));
        !may_hear
    }

    /// Returns the list of all subscriptions, if they are in one, hear a message after the addressed, and do not ask for
    /// recipients as of the time of the send.
    #[inline]
    pub(super) fn only_list(&self) -> Option<&dyn List> {
        let list = &self.general.by_shelf[Shelf::After as usize];
        list.as_deref().filter(|_| self.is_in_one)
    }

    /// Notes where the subscriptions are.
    fn renew(&mut self) {
        let [before, _, others @ ..] = &self.general.by_shelf;
        self.is_in_one = self.looking_back == 0
            && self.special.is_empty()
            && before.is_none()
            && others.iter().all(Option::is_none);
        self.is_special = self.general.is_empty();
    }

    /// Returns the lists in which subscriptions are found by a message.
    pub(super) fn found(&self, sent: &Sent<'_>) -> impl Iterator<Item = &Lists> {
        let special = (!self.special.is_empty()).then(|| {
            let is_tagged = !sent.facts.tags().is_empty() || !sent.own_tags().is_empty();
            let tags = is_tagged.then_some(Asked::Tags);
            let asked = [Asked::To(sent.resolved_to()), Asked::From(sent.sender)];
            let asked = asked.into_iter().filter(|it| self.places.may_have(*it));
            tags.into_iter().chain(asked)
        });
        let special = special.into_iter().flatten();
        let special = special.filter_map(|asked| self.special.get(&asked));
        let general = Some(&self.general).filter(|_| !self.is_special);
        general.into_iter().chain(special)
    }

    /// Returns the lists in which there are subscriptions.
    pub(super) fn lists_mut(&mut self) -> impl Iterator<Item = &mut dyn List> {
        let special = self.special.values_mut();
        let lists = special.chain([&mut self.general]);
        let lists = lists.flat_map(|lists| lists.by_shelf.iter_mut().flatten());
        lists.map(|list| &mut **list)
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.lists_mut().for_each(List::shrink_to_fit);
        self.special.shrink_to_fit();
    }
}

/// The lists in which subscriptions are found by one message. They are the same from its beginning to its end.
pub(crate) type Found<'l> = SmallVec<[&'l Lists; 4]>;
