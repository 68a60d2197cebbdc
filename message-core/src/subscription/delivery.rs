//! Subscribers: interceptors before the addressed receive a message, the others after.

use std::ops::ControlFlow;

use crate::address::SubscriptionId;
use crate::context::{Context, ForSubscriber};
use crate::message::{AnyMessage, MessageIndex};
use crate::send::call::{Delivery, Frame, OnBusy, ReceiverSlot, Sent, Staging, Subscribed, Tally};
use crate::send::erased::Replies;
use crate::send::instrument::{ask_predicate, instrument_listener};
use crate::send::{ErasedMessage, Verdict};
use crate::subscription::list::Heard;
use crate::subscription::listening::{Listening, Place};
use crate::subscription::{AnyListeners, AnyTopic, Head, Judgement, Part};
use crate::world::World;

impl<'a> Context<'a, ForSubscriber> {
    /// What a subscriber is given.
    #[inline]
    pub(crate) fn of(sent: &'a Sent<'a>, subscribed: Subscribed) -> Self {
        Self::new(Frame::of_subscription(sent, subscribed))
    }
}

impl World {
    /// Runs the interceptors of a message. Breaks when nobody else shall receive it now: one of
    /// them has consumed it, or is busy.
    pub(crate) fn intercept(
        &self,
        listening: &Listening<'_>,
        call: &mut Delivery<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        listening
            .merged(Part::Before)
            .try_for_each(|(place, head)| self.intercept_by(place, head, call, message))
    }

    fn intercept_by(
        &self,
        place: Place<'_>,
        head: &Head,
        call: &mut Delivery<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let Place { list, at, .. } = place;
        let sent = call.sent;
        let resumed = sent.extras.resumed;
        if resumed.is_some_and(|resumed| head.number < resumed.intercepted)
            || (!head.is_plain()
                && self.listen.subscriptions.judge(place, head, call, message) == Judgement::Pass)
        {
            return ControlFlow::Continue(());
        }
        if list.is_running(Part::Before, at) {
            let busy = (ReceiverSlot::subscription(head.id()), head.number);
            call.waiting().intercepting = Some(busy);
            return ControlFlow::Break(());
        }
        let mut run = || {
            let verdict = list.intercept(at, message, sent);
            verdict.expect("it was free a moment ago, and nothing has run since")
        };
        self.begin_listener(head);
        let verdict = if self.listen.subscriptions.are_instrumented() {
            instrument_listener(head.subscribed, sent, &mut run)
        } else {
            run()
        };
        self.end_listener(head, sent);
        if verdict.is_break() {
            call.tally.consumed = true;
            call.tally.received += usize::from(!head.is_hidden());
        }
        verdict
    }

    /// Tells the subscribers of a message that the addressed have received.
    pub(crate) fn tell_listeners(
        &self,
        listening: &Listening<'_>,
        call: &mut Delivery<'_>,
        message: &mut dyn ErasedMessage,
    ) {
        // If the message is retained, its receivers are noted, so that they do not receive it again.
        let is_noted = call.sent.is_retained();
        if let &[list] = listening.lists()
            && !self.listen.subscriptions.are_instrumented()
            && !is_noted
        {
            return self.tell_quickly(list, call, message);
        }
        let _ = listening
            .merged(Part::After)
            .try_for_each(|(place, head)| self.notify(place, head, call, message));
    }

    /// Tells subscribers of one list of which most, if not all, hear everything.
    pub(crate) fn tell_quickly(
        &self,
        list: &dyn AnyListeners,
        call: &mut Delivery<'_>,
        message: &mut dyn ErasedMessage,
    ) {
        let heads = list.heads(Part::After);
        let places = heads.places();
        let mut at = 0;
        loop {
            let told = if heads.are_plain() {
                list.hear_plainly(at, message, call.sent)
            } else {
                Heard::default()
            };
            call.tally.received += told.called - told.declined;
            at += told.called;
            if told.called > 0 && self.waiting.kept.any() {
                self.end_listener(&places[at - 1], call.sent);
            }
            if told.consumed {
                call.tally.consumed = true;
                return;
            }
            let Some(head) = places.get(at) else {
                return;
            };
            let part = Part::After;
            if self
                .notify(Place { list, part, at }, head, call, message)
                .is_break()
            {
                return;
            }
            at += 1;
        }
    }

    /// Tells one subscriber. Breaks when nobody behind it shall receive the message.
    fn notify(
        &self,
        place: Place<'_>,
        head: &Head,
        call: &mut Delivery<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let judgement = if head.is_plain() {
            Judgement::Hear
        } else {
            self.listen.subscriptions.judge(place, head, call, message)
        };
        if judgement == Judgement::Pass {
            return ControlFlow::Continue(());
        }
        if head.wants_retained() && call.sent.is_retained() {
            call.waiting().told.push(head.id());
        }
        let counts = !head.is_hidden();
        if let Judgement::HearIn(stage) = judgement {
            let receivers = self.receivers_by(head, call.sent);
            if receivers > 0 {
                call.waiting().staged.push(Staging {
                    spot: ReceiverSlot::subscription(head.id()),
                    stage,
                    counts: if counts { receivers } else { 0 },
                });
            }
            return ControlFlow::Continue(());
        }
        if let Some(owner) = head.overhearer() {
            if !self.may_overhear(owner, call.sent) {
                return ControlFlow::Continue(());
            }
            return self.overhear_by(owner, head, call, message);
        }
        match self.call_listener(place, head, call.sent, message) {
            Verdict::NotReceived => {}
            Verdict::Busy => {
                let busy = ReceiverSlot::subscription(head.id());
                let world = call.sent.world;
                let waiting = call.waiting();
                waiting.hidden += usize::from(!counts);
                waiting.add_busy(world, busy);
            }
            verdict => {
                call.tally.received += usize::from(counts);
                if verdict == Verdict::Consumed {
                    call.tally.consumed = true;
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls a subscriber's closure, if it is free.
    fn call_listener(
        &self,
        Place { list, at, .. }: Place<'_>,
        head: &Head,
        sent: &Sent<'_>,
        message: &dyn AnyMessage,
    ) -> Verdict {
        if list.is_running(Part::After, at) {
            return Verdict::Busy;
        }
        self.begin_listener(head);
        let mut run = || list.hear(at, message, sent);
        let verdict = if self.listen.subscriptions.are_instrumented() {
            instrument_listener(head.subscribed, sent, &mut run)
        } else {
            run()
        };
        if verdict == Verdict::NotReceived {
            head.give_back();
        }
        self.end_listener(head, sent);
        verdict
    }

    /// Before a subscriber that is free is called.
    fn begin_listener(&self, head: &Head) {
        if !head.is_plain() {
            self.use_up(head);
        }
    }

    /// A subscription receives a message: one that is `once` ends with that. Returns `true` if it does.
    pub(crate) fn use_up(&self, head: &Head) -> bool {
        let ends = head.use_up();
        if ends {
            self.remove_later(head.id());
        }
        ends
    }

    /// After a subscriber has been called.
    pub(crate) fn end_listener(&self, head: &Head, sent: &Sent<'_>) {
        if self.waiting.kept.any() {
            self.deliver_kept(sent.parent, ReceiverSlot::subscription(head.id()));
        }
    }

    /// Removes a subscription that has received all that it wanted.
    fn remove_later(&self, id: SubscriptionId) {
        self.later(move |world| {
            // It may have declined, or somebody has ended it, who removes it: it may have panicked.
            if world.listen.subscriptions.is_used_up(id) {
                drop(world.listen.subscriptions.remove(id));
            }
        });
    }

    /// A subscriber that would receive a message now and is running already.
    pub(crate) fn find_busy_listener(
        &self,
        of: MessageIndex,
        sent: &Sent<'_>,
    ) -> Option<ReceiverSlot> {
        let listening = self.listen.subscriptions.listening(Some(of), sent);
        let find = |part| {
            let mut places = listening.merged(part);
            places.find_map(|(Place { list, at, .. }, head)| {
                let overhearer = head.overhearer();
                let hears = || head.judge(sent) == Judgement::Hear;
                match overhearer {
                    Some(owner) if hears() => self.find_busy_overhearing(owner, sent),
                    None if list.is_running(part, at) && hears() => {
                        Some(ReceiverSlot::subscription(head.id()))
                    }
                    _ => None,
                }
            })
        };
        find(Part::Before).or_else(|| find(Part::After))
    }

    /// Returns `true` if a subscriber that counts as a receiver could have received the message: one
    /// to its type, whatever its filter, or one to all types whose filter it passes.
    pub(crate) fn has_listener(&self, sent: &Sent<'_>) -> bool {
        let typed = sent.facts.table();
        let typed = typed.and_then(|table| self.listen.subscriptions.to_type(table.index));
        let any = self.listen.subscriptions.listening(None, sent);
        typed.is_some_and(AnyTopic::any_counts)
            || any.lists().iter().any(|&list| {
                [Part::Before, Part::After].map(|part| self.count_in(list, part, sent)) != [0; 2]
            })
    }

    /// Returns `true` if a subscriber or an interceptor would receive the message, hidden or not. Of
    /// those who overhear it, only the hidden ones are asked for: the others are in its receipt.
    pub(crate) fn has_any_listener(&self, sent: &Sent<'_>) -> bool {
        let of = sent.facts.table().map(|table| table.index);
        let hears = |head: &Head| {
            let asked = head.overhearer().is_none() || head.is_hidden();
            asked && head.judge(sent) != Judgement::Pass && self.receivers_by(head, sent) > 0
        };
        self.listen
            .subscriptions
            .listening(of, sent)
            .lists()
            .iter()
            .any(|list| {
                [Part::Before, Part::After]
                    .iter()
                    .any(|&part| list.heads(part).places().iter().any(hears))
            })
    }

    /// How many subscribers that count as receivers would receive the message.
    pub(crate) fn count_listeners(&self, sent: &Sent<'_>) -> usize {
        let of = sent.facts.table().map(|table| table.index);
        let listening = self.listen.subscriptions.listening(of, sent);
        let lists = listening.lists().iter().copied();
        lists
            .map(|list| self.count_in(list, Part::After, sent))
            .sum()
    }

    /// Returns the number of those in a list that count as receivers and would receive the message.
    fn count_in(&self, list: &dyn AnyListeners, part: Part, sent: &Sent<'_>) -> usize {
        let heads = list.heads(part).places().iter();
        let hearing = heads.filter(|head| !head.is_hidden() && head.judge(sent) != Judgement::Pass);
        hearing.map(|head| self.receivers_by(head, sent)).sum()
    }

    /// Returns the number that receive a message by a subscription that lets it pass.
    fn receivers_by(&self, head: &Head, sent: &Sent<'_>) -> usize {
        let overhearer = head.overhearer();
        overhearer.map_or(1, |owner| self.count_overhearing(owner, sent))
    }

    /// Delivers a message that was kept for a subscriber, or retained before it subscribed: then its
    /// predicate has not been asked yet. Returns what that adds to the tally of the message's send.
    pub(crate) fn tell_kept(
        &self,
        sent: &Sent<'_>,
        at: usize,
        message: &mut dyn ErasedMessage,
        retained: bool,
    ) -> Tally {
        let Some(listed) = self.listen.subscriptions.listed(at) else {
            return Tally::default();
        };
        let list = self.listen.subscriptions.listeners_of(listed);
        let Some(list) = list.filter(|_| !listed.intercepts()) else {
            return Tally::default();
        };
        let place = Place {
            list,
            part: Part::After,
            at: listed.at(),
        };
        let head = &list.heads(Part::After).places()[place.at];
        let ask = || list.passes(place.part, place.at, message);
        let hears = if retained {
            head.listens() && (!head.asks() || ask_predicate(head.subscribed, sent, ask))
        } else {
            head.still_hears() && !head.is_paused()
        };
        if !hears {
            if !retained {
                self.listen.subscriptions.return_message(at);
            }
            return Tally::default();
        }
        if let Some(owner) = head.overhearer() {
            // That it may overhear the message is known.
            // Nothing is running now, so none of the owner's components is busy.
            let mut call = Delivery::new(sent, Replies::Ignore, OnBusy::Keep);
            let _ = self.overhear_by(owner, head, &mut call, message);
            // In case that nobody has received it.
            self.listen.subscriptions.return_message(at);
            return call.tally;
        }
        // The caller has made sure that it is free.
        let verdict = self.call_listener(place, head, sent, message);
        Tally {
            received: usize::from(verdict != Verdict::NotReceived && !head.is_hidden()),
            consumed: verdict == Verdict::Consumed,
            ..Tally::default()
        }
    }

    /// Returns `true` if the component or the subscriber is running.
    pub(crate) fn is_running(&self, spot: ReceiverSlot) -> bool {
        match spot.as_subscription() {
            None => self
                .structure
                .pools
                .at(spot.component)
                .is_busy(spot.slot as usize, false),
            Some(at) => self.listen.subscriptions.is_running(at),
        }
    }
}
