//! Those who could receive a message: the lists in which they stand, and who of them hears it.

use smallvec::SmallVec;

use crate::address::Recipient;
use crate::handler::RouteTable;
use crate::message::{AnyMessage, MessageIndex};
use crate::send::call::{Delivery, Sent};
use crate::send::instrument::ask_predicate;
use crate::subscription::heads::Heads;
use crate::subscription::{AnyListeners, AnyTopic, Head, Judgement, Part, Subscriptions};

/// A subscriber: its list, and its place there.
#[derive(Clone, Copy)]
pub(super) struct Place<'l> {
    pub(super) list: &'l dyn AnyListeners,
    pub(super) part: Part,
    pub(super) at: usize,
}

/// The lists of those who could receive a message. They are the same from its beginning to its end.
pub(crate) enum Listening<'l> {
    /// All who listen to the message type, as most often.
    One(&'l dyn AnyListeners),
    Several(SmallVec<[&'l dyn AnyListeners; 4]>),
}

/// A list that is walked together with others.
struct Walked<'l> {
    list: &'l dyn AnyListeners,
    heads: &'l [Head],
    /// The next place.
    at: usize,
}

impl<'l> Listening<'l> {
    #[inline]
    pub(super) fn lists(&self) -> &[&'l dyn AnyListeners] {
        match self {
            Self::One(list) => std::slice::from_ref(list),
            Self::Several(lists) => lists,
        }
    }

    /// Returns `true` if any of them is an interceptor.
    pub(crate) fn any_intercepts(&self) -> bool {
        self.lists()
            .iter()
            .any(|list| !list.heads(Part::Before).is_empty())
    }

    /// The subscribers of all lists, in the order subscribed.
    pub(super) fn merged(
        &self,
        part: Part,
    ) -> impl Iterator<Item = (Place<'l>, &'l Head)> + use<'l> {
        let lists = self.lists().iter().map(|&list| Walked {
            list,
            heads: list.heads(part).places(),
            at: 0,
        });
        let mut lists: SmallVec<[Walked<'l>; 4]> = lists.collect();
        std::iter::from_fn(move || {
            let next = |list: &Walked<'l>| list.heads.get(list.at).map(|head| head.number);
            let ahead = lists
                .iter_mut()
                .filter_map(|list| Some((next(list)?, list)));
            let (_, list) = ahead.min_by_key(|(number, _)| *number)?;
            let at = list.at;
            list.at += 1;
            let (list_of, heads) = (list.list, list.heads);
            let list = list_of;
            Some((Place { list, part, at }, &heads[at]))
        })
    }
}

/// Returns `true` if no subscription among them hears a message, whatever happens while it is delivered. If they are
/// many, they are asked one by one when it is their turn.
fn are_silent(heads: &Heads, sent: &Sent<'_>) -> bool {
    const FEW: usize = 4;
    let places = heads.places();
    places.is_empty()
        || !heads.are_plain()
            && places.len() <= FEW
            && places.iter().all(|head| head.excludes(sent))
}

impl Subscriptions {
    /// Those who could receive a message: who listens to its type, or to every type, and asks for its
    /// recipient or for none.
    #[inline]
    pub(crate) fn listening(&self, of: Option<MessageIndex>, sent: &Sent<'_>) -> Listening<'_> {
        match (of.and_then(|of| self.to_type(of)), self.to_any()) {
            (Some(topic), None) | (None, Some(topic)) if !topic.asks_for_recipients() => {
                Listening::One(topic.general())
            }
            _ => self.listening_in_several(of, sent),
        }
    }

    #[inline(never)]
    fn listening_in_several(&self, of: Option<MessageIndex>, sent: &Sent<'_>) -> Listening<'_> {
        let mut to = None;
        let mut lists = SmallVec::new();
        for topic in self.topics(of) {
            let general = topic.general();
            if !general.is_empty() {
                lists.push(general);
            }
            if topic.asks_for_recipients() {
                let to = to.get_or_insert_with(|| sent.resolved_to());
                lists.extend(topic.listeners_to(to));
            }
        }
        Listening::Several(lists)
    }

    /// Returns the only list of those who could receive a message to one messagee, if all of them hear everything after
    /// the addressed, nobody asks whom it was sent to, and nothing else has to be done around a send.
    #[inline]
    pub(crate) fn only_listeners(&self, of: MessageIndex) -> Option<&dyn AnyListeners> {
        if self.is_shut() || self.any_looks_back() {
            return None;
        }
        match (self.to_type(of), self.to_any()) {
            (Some(topic), None) | (None, Some(topic)) if !topic.asks_for_recipients() => {
                let listeners = topic.general();
                listeners.are_plain().then_some(listeners)
            }
            _ => None,
        }
    }

    /// Those who listen to a type, and those who listen to every type.
    #[inline]
    fn topics(&self, of: Option<MessageIndex>) -> impl Iterator<Item = &dyn AnyTopic> {
        let typed = of.and_then(|of| self.to_type(of));
        typed.into_iter().chain(self.to_any())
    }

    /// Returns `true` unless nobody can hear a message, whatever happens while it is delivered.
    #[inline]
    pub(crate) fn may_hear(&self, table: &RouteTable, sent: &Sent<'_>) -> bool {
        self.any_listens(table.index) && !self.hear_nothing(table, sent)
    }

    /// Returns `true` if nobody can hear a message, whatever happens while it is delivered: the filters
    /// of the few who listen ask for another sender, recipient or tag.
    #[inline(never)]
    fn hear_nothing(&self, table: &RouteTable, sent: &Sent<'_>) -> bool {
        let mut topics = self.topics(Some(table.index));
        if topics.any(|topic| topic.general().are_plain()) {
            return false;
        }
        if let Recipient::Id(id) = *sent.to
            && sent.extras.posted.is_none()
            && self.seem_passed(table, id, sent.sender)
        {
            return true;
        }
        self.topics(Some(table.index)).all(|topic| {
            let list = topic.general();
            are_silent(list.heads(Part::After), sent)
                && are_silent(list.heads(Part::Before), sent)
                && (!topic.asks_for_recipients()
                    || topic.listeners_to(&sent.resolved_to()).is_none())
        })
    }

    /// Returns `true` if a subscription shall receive a message that is under way.
    pub(super) fn judge(
        &self,
        Place { list, part, at }: Place<'_>,
        head: &Head,
        call: &Delivery<'_>,
        message: &dyn AnyMessage,
    ) -> Judgement {
        let judgement = head.judge(call.sent);
        if judgement == Judgement::Pass
            || (head.was_resumed() && self.was_resumed_since(head.id(), call.begun))
        {
            return Judgement::Pass;
        }
        let ask = || list.passes(part, at, message);
        if head.asks() && !ask_predicate(head.subscribed, call.sent, ask) {
            return Judgement::Pass;
        }
        judgement
    }
}
