//! Those who could receive a message: the lists in which they stand, and who of them hears it.

use smallvec::SmallVec;

use crate::address::MessageeId;
use crate::handler::RouteTable;
use crate::message::{AnyMessage, MessageIndex};
use crate::send::call::{Call, Sent};
use crate::send::instrument::ask_predicate;
use crate::subscription::heads::Heads;
use crate::subscription::{AnyListeners, Head, Judgement, Part, Subscriptions};

/// A subscriber: its list, and its place there.
#[derive(Clone, Copy)]
pub(super) struct Place<'l> {
    pub(super) list: &'l dyn AnyListeners,
    pub(super) part: Part,
    pub(super) at: usize,
}

/// The lists of those who could receive a message. They are the same from its beginning to its end.
pub(crate) struct Listening<'l>(pub(super) SmallVec<[&'l dyn AnyListeners; 4]>);

/// A list that is walked together with others.
struct Walked<'l> {
    list: &'l dyn AnyListeners,
    heads: &'l [Head],
    /// The next place.
    at: usize,
}

impl<'l> Listening<'l> {
    /// The lists that have anybody for that part of the delivery.
    pub(super) fn lists(&self, part: Part) -> impl Iterator<Item = &'l dyn AnyListeners> {
        let lists = self.0.iter().copied();
        lists.filter(move |list| !list.heads(part).is_empty())
    }

    /// The subscribers of all lists, in the order subscribed.
    pub(super) fn merged(
        &self,
        part: Part,
    ) -> impl Iterator<Item = (Place<'l>, &'l Head)> + use<'l> {
        let lists = self.lists(part).map(|list| Walked {
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

/// Who hears a message that is sent to one messagee.
pub(crate) enum Hearing<'l> {
    Nobody,
    /// The subscribers of one list, and no interceptors.
    One(&'l dyn AnyListeners),
    Many,
}

/// Returns `true` if no subscription among them hears a message, whatever happens while it is delivered. If they are
/// many, they are asked one by one when it is their turn.
fn are_silent(heads: &Heads, sent: &Sent<'_>) -> bool {
    const FEW: usize = 4;
    let places = heads.places();
    places.len() <= FEW && places.iter().all(|head| head.excludes(sent))
}

impl Subscriptions {
    /// Those who could receive a message: who listens to its type, or to every type, and asks for its
    /// recipient or for none.
    pub(crate) fn listening(&self, of: Option<MessageIndex>, sent: &Sent<'_>) -> Listening<'_> {
        let typed = of.and_then(|of| self.to_type(of));
        let topics = [typed, Some(self.to_any())];
        let mut to = None;
        let mut lists = SmallVec::new();
        for topic in topics.into_iter().flatten() {
            lists.push(topic.general());
            if topic.asks_for_recipients() {
                let to = to.get_or_insert_with(|| sent.resolved_to());
                lists.extend(topic.listeners_to(to));
            }
        }
        Listening(lists)
    }

    /// Returns `true` unless nobody can hear a message, whatever happens while it is delivered.
    #[inline]
    pub(crate) fn may_hear(&self, of: MessageIndex, sent: &Sent<'_>) -> bool {
        self.any_listens(of) && !self.hear_nothing(of, sent)
    }

    /// Returns `true` if nobody can hear a message, whatever happens while it is delivered: the filters
    /// of the few who listen ask for another sender, recipient or tag.
    fn hear_nothing(&self, of: MessageIndex, sent: &Sent<'_>) -> bool {
        let topics = [self.to_type(of), Some(self.to_any())];
        topics.into_iter().flatten().all(|topic| {
            let list = topic.general();
            are_silent(list.heads(Part::Before), sent)
                && are_silent(list.heads(Part::After), sent)
                && (!topic.asks_for_recipients()
                    || topic.listeners_to(&sent.resolved_to()).is_none())
        })
    }

    /// Who hears a message that is sent to that messagee.
    #[inline]
    pub(crate) fn hearing(
        &self,
        table: &RouteTable,
        to: MessageeId,
        sent: &Sent<'_>,
    ) -> Hearing<'_> {
        if self.seem_passed(table, to, sent.sender) {
            return Hearing::Nobody;
        }
        self.only_list(table.index)
            .map_or_else(|| self.hearing_of_many(table.index, sent), Hearing::One)
    }

    /// As [`hearing`](Self::hearing), where there are several lists.
    #[inline(never)]
    fn hearing_of_many(&self, of: MessageIndex, sent: &Sent<'_>) -> Hearing<'_> {
        let typed = self.to_type(of);
        let mut only = None;
        for topic in [typed, Some(self.to_any())].into_iter().flatten() {
            if topic.asks_for_recipients() && topic.listeners_to(sent.to).is_some() {
                return Hearing::Many;
            }
            let list = topic.general();
            if !are_silent(list.heads(Part::Before), sent) {
                return Hearing::Many;
            }
            if !are_silent(list.heads(Part::After), sent) && only.replace(list).is_some() {
                return Hearing::Many;
            }
        }
        only.map_or(Hearing::Nobody, Hearing::One)
    }

    /// Returns `true` if a subscription shall receive a message that is under way.
    pub(super) fn judge(
        &self,
        Place { list, part, at }: Place<'_>,
        head: &Head,
        call: &Call<'_>,
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
