//! From one subscription to the next: who hears a message, and the loop that hands it to them.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::address::SubscriptionId;
use crate::handler::RouteTable;
use crate::message::{AnyMessage, MessageIndex};
use crate::send::{
    Delivery, OnBusy, ReceiverSlot, Redelivery, Replies, Sent, Staging, Tally, Verdict,
};
use crate::subscription::{Found, List, Part, Subscription};
use crate::time::Stage;

impl Delivery<'_> {
    /// Hands the message to the subscriptions that hear it before the addressed, or after them, in the order subscribed.
    /// Breaks if nobody else may receive it.
    pub(crate) fn tell<'w>(
        &mut self,
        part: Part,
        found: &Found<'w>,
        message: &mut dyn AnyMessage,
    ) -> ControlFlow<()> {
        // If the message waited for an interceptor, those before that have had it.
        let (first, parts): (_, &[Part]) = match (part, self.sent.extras.resumed) {
            (Part::Before, Some(resumed)) => (resumed.intercepted, &[Part::Before]),
            (Part::Before, None) => (0, &[Part::Before]),
            _ => (0, &[Part::After, Part::Apart]),
        };
        let subscriptions = &self.sent.world.listen.subscriptions;
        let lists = found.iter().flat_map(|lists| lists.lists(parts));
        let lists: SmallVec<[&dyn List; 4]> = lists.collect();
        if let ([list], 0) = (&lists[..], first) {
            return list.tell(0..usize::MAX, self, message);
        }
        // The number and the place of the next subscription of each list.
        let number = |list: &dyn List, at| Some(subscriptions.find(list.id_at(at)?)?.number);
        let next_in = |list: &'w dyn List, from: usize| {
            let mut next = (from..list.len()).filter_map(|at| Some((number(list, at)?, at, list)));
            next.find(|(number, ..)| *number >= first)
        };
        let next = lists.into_iter().filter_map(|list| next_in(list, 0));
        let mut next: SmallVec<[(u64, usize, &dyn List); 4]> = next.collect();
        while let Some(least) = (0..next.len()).min_by_key(|&of| next[of].0) {
            let (_, at, list) = next[least];
            let end = if next.len() > 1 { at + 1 } else { usize::MAX };
            list.tell(at..end, self, message)?;
            match next_in(list, end) {
                Some(behind) => next[least] = behind,
                None => {
                    next.remove(least);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Hands the message to those that hear it after the addressed, unless it was consumed.
    pub(crate) fn tell_after(
        &mut self,
        table: &RouteTable,
        found: &Found<'_>,
        message: &mut dyn AnyMessage,
    ) {
        if self.tally.consumed || found.is_empty() {
            return;
        }
        let _ = self.tell(Part::After, found, message);
        if self.tally.received == 0 && self.waiting.is_none() {
            self.note_unhandled(table);
        }
    }

    /// Handles the consequences of a call that was not usual. Or hands the message to a subscription that was not called
    /// because it hears it on terms, or because calls are traced or caught: now, or in its stage.
    pub(super) fn tell_closely(
        &mut self,
        id: SubscriptionId,
        called: Option<Verdict>,
        list: &dyn List,
        message: &mut dyn AnyMessage,
    ) -> ControlFlow<()> {
        let sent = self.sent;
        let it = match (sent.world.listen.subscriptions.find(id), called) {
            (Some(it), Some(verdict)) => return self.follow_listener(it, verdict),
            (Some(it), None) if it.hears(sent, self.switches) => it,
            _ => return ControlFlow::Continue(()),
        };
        let terms = it.terms;
        let ask = || list.passes(it.at as usize, message);
        if it.asks && !sent.ask_predicate(it.subscribed, ask) {
            return ControlFlow::Continue(());
        }
        // Noted, so that it does not receive the message again as a retained one.
        if terms.with_retained && sent.is_retained() {
            self.waiting().told.push(it.id());
        }
        if terms.stage == Stage::Immediate {
            let owner = it.overhearer();
            if owner.is_some_and(|owner| !sent.may_be_overheard_by(owner)) {
                return ControlFlow::Continue(());
            }
            return self.hand_to_subscription(it, list, message);
        }
        let receivers = sent.receivers_by(it);
        if receivers > 0 {
            self.waiting().staged.push(Staging {
                spot: ReceiverSlot::subscription(it.id()),
                stage: terms.stage,
                counts: if it.terms.hidden { 0 } else { receivers },
            });
        }
        ControlFlow::Continue(())
    }

    /// Hands the message to a subscription that receives it now, if it is free.
    fn hand_to_subscription(
        &mut self,
        it: &Subscription,
        list: &dyn List,
        message: &mut dyn AnyMessage,
    ) -> ControlFlow<()> {
        if let Some(owner) = it.overhearer() {
            return self.overhear(owner, it, message);
        }
        let sent = self.sent;
        if it.terms.not_in_replay && sent.world.common.is_replaying {
            return ControlFlow::Continue(());
        }
        if list.is_running(it.at as usize) {
            return self.meet_busy_listener(it);
        }
        it.use_up(sent.world);
        let mut call = || list.call(it.at as usize, message, sent);
        let verdict = if sent.world.listen.subscriptions.is_clear() {
            call()
        } else {
            sent.call_listener(it.subscribed, call)
        };
        if verdict == Verdict::NotReceived {
            it.give_back();
        }
        self.follow_listener(it, verdict)
    }

    /// Handles the consequences of the call of a subscription: delivers the messages that were kept for it
    /// meanwhile, and counts it.
    fn follow_listener(&mut self, it: &Subscription, verdict: Verdict) -> ControlFlow<()> {
        if verdict == Verdict::NotCalled {
            return self.meet_busy_listener(it);
        }
        if self.sent.world.waiting.kept.any() {
            let spot = ReceiverSlot::subscription(it.id());
            Redelivery::of(self.sent).deliver_kept(spot);
        }
        if verdict == Verdict::Consumed {
            // An interceptor is a receiver of what it consumes.
            self.tally.received += usize::from(!it.terms.hidden);
            self.close(None);
            return ControlFlow::Break(());
        }
        self.tally.received += usize::from(it.counts() && verdict != Verdict::NotReceived);
        ControlFlow::Continue(())
    }

    /// Notes a subscription that is running. An interceptor makes the message wait for everybody.
    #[cold]
    fn meet_busy_listener(&mut self, it: &Subscription) -> ControlFlow<()> {
        self.add_busy(ReceiverSlot::subscription(it.id()));
        let waiting = self.waiting();
        if it.terms.part == Part::Before {
            waiting.intercepting = Some(it.number);
            return ControlFlow::Break(());
        }
        waiting.hidden += usize::from(it.terms.hidden);
        ControlFlow::Continue(())
    }
}

/// Delivers a message that was kept for a subscription, or `retained` before it was made: then its predicate has not
/// been asked yet. Returns what that adds to the tally of the message's send.
pub(crate) fn tell_later(
    sent: &Sent<'_>,
    index: usize,
    message: &mut dyn AnyMessage,
    retained: bool,
) -> Tally {
    let subscriptions = &sent.world.listen.subscriptions;
    let it = subscriptions.at(index);
    let it = it.filter(|it| it.terms.part != Part::Before);
    let Some((it, list)) = it.and_then(|it| Some((it, subscriptions.list_of(it)?))) else {
        return Tally::default();
    };
    let ask = || list.passes(it.at as usize, message);
    let hears = if retained {
        it.listens() && (!it.asks || sent.ask_predicate(it.subscribed, ask))
    } else {
        it.is_listening()
    };
    let mut delivery = Delivery::new(sent, Replies::Ignore, OnBusy::Keep);
    if hears {
        // It is free, and that a messagee may overhear the message is known.
        let _ = delivery.hand_to_subscription(it, list, message);
    }
    if hears || !retained {
        // In case that it has not received the one message that it wanted.
        it.give_up();
    }
    delivery.tally
}

impl<'a> Sent<'a> {
    /// Returns the subscriptions that would hear the message as one of that type now, if it passed their predicates.
    fn hearers(&self, of: Option<MessageIndex>) -> impl Iterator<Item = &'a Subscription> {
        let subscriptions = &self.world.listen.subscriptions;
        let now = self.world.structure.switches.get();
        let all = &[Part::Before, Part::After, Part::Apart];
        let lists = subscriptions.found(of, self).into_iter();
        let lists = lists.flat_map(|lists| lists.lists(all));
        let ids = lists.flat_map(|list| (0..list.len()).filter_map(|at| list.id_at(at)));
        let all = ids.filter_map(|id| subscriptions.find(id));
        all.filter(move |it| it.hears(self, now))
    }

    /// Returns the number that receive the message by a subscription that hears it.
    fn receivers_by(&self, it: &Subscription) -> usize {
        let overhearer = it.overhearer();
        overhearer.map_or(1, |owner| self.count_overhearing(owner))
    }

    /// Returns the first subscription or component that overhears that would receive the message now, and is running
    /// already.
    pub(crate) fn find_busy_listener(&self) -> Option<ReceiverSlot> {
        let subscriptions = &self.world.listen.subscriptions;
        let now = |it: &&Subscription| it.terms.stage == Stage::Immediate;
        let hearers = self.hearers(self.facts.index()).filter(now);
        let busy = hearers.filter_map(|it| {
            let spot = match it.overhearer() {
                Some(owner) => self.find_busy_overhearing(owner)?,
                None if subscriptions.is_running(it) => ReceiverSlot::subscription(it.id()),
                None => return None,
            };
            Some(((it.terms.part != Part::Before, it.number), spot))
        });
        Some(busy.min_by_key(|(order, _)| *order)?.1)
    }

    /// Returns `true` if a subscription that counts as a receiver could have received the message: one to its type,
    /// whatever its filter, or one to all types whose filter it passes.
    pub(crate) fn has_listener(&self) -> bool {
        let subscriptions = &self.world.listen.subscriptions;
        let of = self.facts.index();
        let typed = of.and_then(|of| subscriptions.topic(Some(of)));
        let would_receive = |it: &Subscription| !it.terms.hidden && self.receivers_by(it) > 0;
        typed.is_some_and(|topic| topic.counting > 0) || self.hearers(None).any(would_receive)
    }

    /// Returns `true` if a subscription would receive the message, hidden or not. Of those by which messagees overhear,
    /// only the hidden ones are asked: the others are in its receipt.
    pub(crate) fn has_any_listener(&self) -> bool {
        let mut hearers = self.hearers(self.facts.index());
        hearers.any(|it| {
            let is_asked = it.terms.hidden || it.overhearer().is_none();
            is_asked && self.receivers_by(it) > 0
        })
    }

    /// Returns the number of subscriptions that count as receivers and would receive the message.
    pub(crate) fn count_listeners(&self) -> usize {
        let counting = self.hearers(self.facts.index()).filter(|it| it.counts());
        counting.map(|it| self.receivers_by(it)).sum()
    }
}
