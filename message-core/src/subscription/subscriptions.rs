//! All subscriptions of a manager: their records by id, and the [lists](super::index) in which messages find them.
//!
//! During a dispatch neither changes. A subscription that has ended is marked, and taken out when the outermost send
//! returns.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::address::{MessageeId, Sender, SubscriptionId};
use crate::caught::FirstPanic;
use crate::handler::RouteTable;
use crate::hash::HashedMap;
use crate::identity::ManagerNumber;
use crate::key::Keys;
use crate::message::MessageIndex;
use crate::send::{Plans, Sent, Subscribed};
use crate::sort::sort_by_number;
use crate::storage::{Layouts, Removed};
use crate::subscription::index::{Records, Topic};
use crate::subscription::rewind::Remembered;
use crate::subscription::{Found, Hear, List, Missed, Subject, Subscription, Terms};
use crate::tag::TagSet;

/// A subscription that takes effect when the outermost send returns.
struct Announced {
    owner: Option<MessageeId>,
    /// `false` if it was paused since it was made.
    listens: bool,
}

/// The work around all sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Around {
    Nothing,
    /// A panic ends with the component.
    Catch,
    /// Deliveries are traced, or the config asks for something.
    Much,
}

/// The subscriptions of a manager.
pub struct Subscriptions {
    /// The receivers of each message type. The plans of types to which somebody listens are set aside.
    pub(crate) plans: Plans,
    pub keys: RefCell<Keys>,
    pub records: Records,
    /// The listeners of each message type, by index; absent where nobody listens.
    typed: Vec<Option<Box<Topic>>>,
    /// The subscriptions to every type, if there are any.
    to_all: Option<Box<Topic>>,
    /// The indices in `records` of those that have an owner, by that and their number.
    owned: BTreeMap<(MessageeId, u64), u32>,
    around: Around,
    /// The work around all sends without tracing, while deliveries are traced.
    untraced: Option<Around>,
    /// Made in this dispatch, and not ended since.
    announced: RefCell<HashedMap<SubscriptionId, Announced>>,
    /// The retained messages that are still to be delivered, by the subscriptions that ask for them.
    pub missed: RefCell<HashedMap<SubscriptionId, Missed>>,
    /// The number that have been made.
    pub(super) made: u64,
    /// Like `made`, but never rewound.
    pub(super) lives: u64,
    pub(super) remembered: Remembered,
}

impl Subscriptions {
    pub(crate) fn new(manager: ManagerNumber, around: Around) -> Self {
        Self {
            plans: Plans::default(),
            keys: Keys::new(manager).into(),
            records: Vec::new(),
            typed: Vec::new(),
            to_all: None,
            owned: BTreeMap::new(),
            around,
            untraced: None,
            announced: RefCell::default(),
            missed: RefCell::default(),
            made: 0,
            lives: 0,
            remembered: Remembered::default(),
        }
    }

    /// Returns `true` if anybody listens to that message type.
    #[inline]
    pub(crate) fn any_listens(&self, of: MessageIndex) -> bool {
        self.to_all.is_some() || self.topic(Some(of)).is_some()
    }

    /// Returns `true` if nobody listens to messages of a type, and nothing has to be done around a send except that panics
    /// may have to be caught.
    #[inline]
    pub(crate) fn is_unheard(&self, of: MessageIndex) -> bool {
        self.at_most_catches() && !self.any_listens(of)
    }

    /// Returns `true` if nothing has to be done around any send except that panics may have to be caught.
    #[inline]
    pub(crate) fn at_most_catches(&self) -> bool {
        self.around != Around::Much
    }

    /// Discards all plans, since the registry has this many message types now.
    pub(crate) fn renew_plans(&mut self, messages: usize, layouts: &Layouts) {
        self.plans.renew(messages, layouts);
        self.renew_aside(None);
    }

    /// Notes that a subscription to a type, or to all types, was added or taken out.
    pub(super) fn renew_aside(&mut self, of: Option<MessageIndex>) {
        let all = self.to_all.is_some() || !self.at_most_catches();
        let typed = &self.typed;
        let listens = |at: usize| matches!(typed.get(at), Some(Some(_)));
        self.plans.set_aside(of, |at| all || listens(at));
    }

    /// Returns `true` if nobody hears a message on its way from that sender to that messagee, though somebody listens. May
    /// return `false` where nobody hears it. The message is tagged if its type or its header has tags.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "part of the one call: W1-past")]
    pub(crate) fn are_passed(
        &self,
        of: MessageIndex,
        is_tagged: bool,
        from: Sender,
        to: MessageeId,
    ) -> bool {
        let is_passed = |topic: &Topic| topic.is_passed(is_tagged, to, from);
        self.topic(Some(of)).is_none_or(is_passed) && self.topic(None).is_none_or(is_passed)
    }

    /// Returns `true` if nothing has to be done around any send.
    #[inline]
    pub(crate) fn is_clear(&self) -> bool {
        self.around == Around::Nothing
    }

    /// Returns the list of all that hear messages of a type, if they are in one, hear a message after the addressed, and
    /// do not ask for recipients as of the time of the send.
    #[inline]
    pub(crate) fn only_list(&self, of: MessageIndex) -> Option<&dyn List> {
        match (self.topic(Some(of)), self.topic(None)) {
            (Some(topic), None) | (None, Some(topic)) => topic.only_list(),
            _ => None,
        }
    }

    /// Returns `true` if anybody who listens to a type asks for the recipients of a message as of the time of the send.
    #[inline]
    pub(crate) fn look_back(&self, of: MessageIndex) -> bool {
        let looks_back = |topic: &Topic| topic.looking_back > 0;
        self.topic(Some(of)).is_some_and(looks_back) || self.topic(None).is_some_and(looks_back)
    }

    #[inline]
    pub(crate) fn are_traced(&self) -> bool {
        self.untraced.is_some()
    }

    pub(crate) fn set_traced(&mut self, traced: bool) {
        let around = self.untraced.take().unwrap_or(self.around);
        self.untraced = traced.then_some(around);
        self.around = if traced { Around::Much } else { around };
        self.renew_aside(None);
    }

    /// Returns the subscriptions to a type, or to all types, if there are any.
    #[inline]
    pub(super) fn topic(&self, of: Option<MessageIndex>) -> Option<&Topic> {
        match of {
            Some(of) => self.typed.get(of.get())?.as_deref(),
            None => self.to_all.as_deref(),
        }
    }

    /// Returns the place of the subscriptions to a type, or to all types.
    fn topic_in<'t>(
        typed: &'t mut Vec<Option<Box<Topic>>>,
        to_all: &'t mut Option<Box<Topic>>,
        of: Option<MessageIndex>,
    ) -> &'t mut Option<Box<Topic>> {
        let Some(of) = of.map(MessageIndex::get) else {
            return to_all;
        };
        if of >= typed.len() {
            typed.resize_with(of + 1, || None);
        }
        &mut typed[of]
    }

    /// Returns `true` if anybody asks for messages of that type alone.
    pub(crate) fn any_asks_for(&self, of: MessageIndex) -> bool {
        self.topic(Some(of)).is_some()
    }

    /// Returns the lists in which subscriptions are found by a message, which is of that type.
    pub(crate) fn found(&self, of: Option<MessageIndex>, sent: &Sent<'_>) -> Found<'_> {
        let typed = of.and_then(|of| self.topic(Some(of)));
        let topics = typed.into_iter().chain(self.topic(None));
        topics.flat_map(|topic| topic.found(sent)).collect()
    }

    /// Returns the list in which a subscription is.
    pub(super) fn list_of(&self, it: &Subscription) -> Option<&dyn List> {
        self.topic(it.of)?.list_of(it)
    }

    /// Returns `true` if the closure of a subscription is running.
    pub(crate) fn is_running(&self, it: &Subscription) -> bool {
        let list = self.list_of(it);
        list.is_some_and(|list| list.is_running(it.at as usize))
    }

    /// Returns `true` if somebody may hear a message.
    #[inline]
    pub(crate) fn may_hear(&self, table: &RouteTable, sent: &Sent<'_>) -> bool {
        self.any_listens(table.index) && !self.found(Some(table.index), sent).is_empty()
    }

    /// Returns the subscription with that index.
    pub(crate) fn at(&self, index: usize) -> Option<&Subscription> {
        self.records.get(index)?.as_ref()
    }

    pub fn find(&self, id: SubscriptionId) -> Option<&Subscription> {
        self.at(id.0.index()).filter(|it| it.id() == id)
    }

    pub fn reserve(&self) -> SubscriptionId {
        SubscriptionId(self.keys.borrow_mut().allocate())
    }

    /// Announces a subscription that takes effect when the outermost send returns.
    pub(crate) fn announce(&self, id: SubscriptionId, owner: Option<MessageeId>) {
        let listens = true;
        let announced = Announced { owner, listens };
        self.announced.borrow_mut().insert(id, announced);
    }

    /// Returns `true` if any subscription waits for the end of the outermost send.
    pub(crate) fn any_announced(&self) -> bool {
        !self.announced.borrow().is_empty()
    }

    /// Returns `true` if a subscription that was announced listens, and `false` if it was paused since. Returns `None`
    /// if it is not wanted any more, because it has ended or its owner has not stayed.
    pub(crate) fn take_announced(&mut self, id: SubscriptionId, owner_stays: bool) -> Option<bool> {
        let announced = self.announced.get_mut().remove(&id);
        let wanted = announced.filter(|_| owner_stays);
        if wanted.is_none() {
            self.keys.get_mut().release(id.0.place());
        }
        wanted.map(|announced| announced.listens)
    }

    /// Pauses or resumes a subscription that waits for the end of the outermost send. Returns `false` if none does.
    pub(crate) fn switch_announced(&self, id: SubscriptionId, listening: bool) -> bool {
        let mut announced = self.announced.borrow_mut();
        let announced = announced.get_mut(&id);
        announced.map(|it| it.listens = listening).is_some()
    }

    /// Adds a subscription to the messages of a type, of which the tags are given, or of all types.
    pub fn enter<S: Subject + ?Sized>(
        &mut self,
        subscribed: Subscribed,
        of: Option<(MessageIndex, TagSet)>,
        terms: Terms,
        closure: Box<dyn Hear<S>>,
    ) {
        let mut it = Subscription::new(subscribed, self.lives, self.made, of, terms);
        it.asks = closure.asks();
        self.made += 1;
        self.lives += 1;
        self.list(&mut it, |topic, it, records| {
            topic.push(it, closure, Some(records));
        });
        self.records[subscribed.id.0.index()] = Some(it);
    }

    /// Lists a subscription, whose record comes next. A function adds its closure to its list.
    pub(super) fn list(
        &mut self,
        it: &mut Subscription,
        push: impl FnOnce(&mut Topic, &mut Subscription, &mut Records),
    ) {
        let Subscribed { id, owner } = it.subscribed;
        let at = id.0.index();
        if at >= self.records.len() {
            self.records.resize_with(at + 1, || None);
        }
        if let Some(owner) = owner {
            self.owned.insert((owner, it.made()), id.0.place());
        }
        let topic = Self::topic_in(&mut self.typed, &mut self.to_all, it.of);
        let topic = topic.get_or_insert_default();
        push(topic, it, &mut self.records);
        self.renew_aside(it.of);
    }

    /// Ends a subscription, which the caller removes: it receives nothing from now on. Returns `true` if it could have: not
    /// if it has had the one message that it wanted.
    pub(crate) fn end(&self, id: SubscriptionId) -> bool {
        if self.any_announced() && self.announced.borrow_mut().remove(&id).is_some() {
            return true;
        }
        self.find(id).is_some_and(|it| {
            let ends = it.end();
            self.renew_at_hand(it);
            ends
        })
    }

    /// Notes whether the closure of a subscription can be called with nothing else to ask.
    pub(super) fn renew_at_hand(&self, it: &Subscription) {
        if let Some(list) = self.list_of(it) {
            list.set_at_hand(it.at as usize, it.at_hand());
        }
    }

    /// Returns the places of the subscriptions of a messagee, in the order subscribed.
    fn owned(&self, owner: MessageeId) -> impl Iterator<Item = &Subscription> {
        let of_owner = self.owned.range((owner, 0)..=(owner, u64::MAX));
        of_owner.filter_map(|(_, &place)| self.at(place as usize))
    }

    /// Returns the subscriptions of a messagee: those in effect in the order subscribed, then those that were announced.
    pub(crate) fn of_owner(&self, owner: MessageeId) -> Vec<SubscriptionId> {
        let announced = self.announced.borrow();
        let announced = announced.iter().filter(|(_, it)| it.owner == Some(owner));
        let announced = announced.map(|(id, _)| *id);
        let in_effect = self.owned(owner).map(Subscription::id);
        in_effect.chain(announced).collect()
    }

    /// Like [`end`](Self::end), for all that belong to a messagee.
    pub(crate) fn end_owned(&self, owner: MessageeId) {
        self.owned(owner).for_each(|it| {
            it.end();
            self.renew_at_hand(it);
        });
        if self.any_announced() {
            let mut announced = self.announced.borrow_mut();
            announced.retain(|_, it| it.owner != Some(owner));
        }
    }

    /// Takes out all that belong to a messagee. Returns the closures in the order subscribed, to be dropped by the
    /// caller.
    pub(crate) fn remove_owned(&mut self, owner: MessageeId) -> Vec<Box<dyn Any + Send>> {
        if self.owned.is_empty() {
            return Vec::new();
        }
        let ids = self.of_owner(owner);
        ids.into_iter().filter_map(|id| self.remove(id)).collect()
    }

    /// Takes a subscription out. Returns its closure, to be dropped by the caller, unless a snapshot may need it.
    pub fn remove(&mut self, id: SubscriptionId) -> Removed {
        self.find(id)?;
        let it = self.records[id.0.index()].take()?;
        self.keys.get_mut().release(id.0.place());
        if let Some(owner) = it.subscribed.owner {
            self.owned.remove(&(owner, it.made()));
        }
        if !self.missed.get_mut().is_empty() {
            self.missed.get_mut().remove(&id);
        }
        let place = Self::topic_in(&mut self.typed, &mut self.to_all, it.of);
        let topic = place.as_mut()?;
        let records = &mut self.records;
        let closure = if self.remembered.needs(it.life) {
            let closure = topic.remove(&it, records, List::retire);
            self.remembered.retire(it.life, closure);
            None
        } else {
            topic.remove(&it, records, List::remove)
        };
        if topic.is_empty() {
            *place = None;
        }
        self.renew_aside(it.of);
        closure
    }

    /// Returns `true` if the subscription has taken effect, and has neither ended nor been paused.
    pub(crate) fn is_listening(&self, id: SubscriptionId) -> bool {
        self.find(id).is_some_and(Subscription::is_listening)
    }

    /// Pauses or resumes a subscription by the switch with that number. Returns `None` if it has ended, and otherwise
    /// `true` if it was resumed.
    pub fn set_listening(&self, id: SubscriptionId, listening: bool, switch: u64) -> Option<bool> {
        let it = self.find(id).filter(|it| it.is_open())?;
        let changes = it.set_listening(listening, switch);
        self.renew_at_hand(it);
        Some(changes && listening)
    }

    /// Drops the closures one by one in the order subscribed. The manager goes.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        panics.drop_each(std::mem::take(&mut self.remembered).retired.into_values());
        let all = self.records.iter().flatten();
        let mut all: Vec<(u64, SubscriptionId)> = all.map(|it| (it.made(), it.id())).collect();
        sort_by_number(&mut all, |(made, _)| *made);
        panics.drop_each(all.into_iter().map(|(_, id)| self.remove(id)));
    }

    fn topics_mut(&mut self) -> impl Iterator<Item = &mut Topic> {
        let topics = self.typed.iter_mut().chain([&mut self.to_all]);
        topics.flatten().map(|topic| &mut **topic)
    }

    /// Puts the lists in order, and prepares them for ids and numbers that are given out again.
    pub(super) fn rewind_lists(&mut self) {
        let mut records = std::mem::take(&mut self.records);
        for list in self.topics_mut().flat_map(Topic::lists_mut) {
            list.rewind(&mut records);
        }
        self.records = records;
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.topics_mut().for_each(Topic::shrink_to_fit);
        let last = self.records.iter().rposition(Option::is_some);
        self.records.truncate(last.map_or(0, |last| last + 1));
        self.records.shrink_to_fit();
        self.announced.get_mut().shrink_to_fit();
        self.missed.get_mut().shrink_to_fit();
    }
}
