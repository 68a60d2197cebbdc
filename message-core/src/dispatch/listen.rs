//! Subscribers: interceptors before the addressed receive a message, the others after.

use std::ops::ControlFlow;

use crate::address::SubscriptionId;
use crate::dispatch::attend::attend_listener;
use crate::dispatch::call::{Call, Frame, Sent, Spot, Staging, Subscribed};
use crate::dispatch::{Context, ForSubscriber, Parcel};
use crate::message::{AnyMessage, MessageIndex};
use crate::subscription::{AnyListeners, Head, Judgement};
use crate::world::World;

impl<'a> Context<'a, ForSubscriber> {
    /// What a subscriber is given.
    #[inline]
    pub(crate) fn of(sent: &'a Sent<'a>, subscribed: Subscribed) -> Self {
        Self::new(Frame::of_subscription(sent, subscribed))
    }
}

/// A subscriber: its list, and its place there.
#[derive(Clone, Copy)]
struct Place<'l> {
    list: &'l dyn AnyListeners,
    at: usize,
}

/// One of the two lists of those that listen.
type Part = fn(&dyn AnyListeners) -> &[Head];

/// The subscribers of two lists, in the order subscribed.
fn merged<'l>(
    typed: Option<&'l dyn AnyListeners>,
    any: &'l dyn AnyListeners,
    part: Part,
) -> impl Iterator<Item = (Place<'l>, &'l Head)> {
    let places = move |list: &'l dyn AnyListeners| {
        let heads = part(list).iter().enumerate();
        heads.map(move |(at, head)| (Place { list, at }, head))
    };
    let mut typed = typed.into_iter().flat_map(places).peekable();
    let mut any = places(any).peekable();
    std::iter::from_fn(move || {
        let number = |next: Option<&(Place<'_>, &Head)>| next.map(|(_, head)| head.number);
        let (first, other) = (number(typed.peek()), number(any.peek()));
        if other.is_none() || first.is_some_and(|first| Some(first) < other) {
            typed.next()
        } else {
            any.next()
        }
    })
}

impl World {
    /// Runs the interceptors of a message. Breaks when nobody else shall receive it now: one of
    /// them has consumed it, or is busy.
    pub(super) fn intercept(
        &self,
        of: MessageIndex,
        call: &mut Call<'_>,
        message: &mut dyn Parcel,
    ) -> ControlFlow<()> {
        let subscriptions = &self.subscriptions;
        let (typed, any) = (subscriptions.to_type(of), subscriptions.to_any());
        merged(typed, any, |list| list.before())
            .try_for_each(|(place, head)| self.intercept_by(place, head, call, message))
    }

    fn intercept_by(
        &self,
        Place { list, at }: Place<'_>,
        head: &Head,
        call: &mut Call<'_>,
        message: &mut dyn Parcel,
    ) -> ControlFlow<()> {
        let sent = call.sent;
        let resumed = sent.resumed;
        if resumed.is_some_and(|resumed| head.number < resumed.intercepted)
            || (!head.is_plain() && head.judge(sent) == Judgement::Pass)
        {
            return ControlFlow::Continue(());
        }
        if list.is_running_before(at) {
            let busy = (Spot::subscription(head.id()), head.number);
            call.waiting().intercepting = Some(busy);
            return ControlFlow::Break(());
        }
        let mut run = || {
            let verdict = list.intercept(at, message, sent);
            verdict.expect("it was free a moment ago, and nothing has run since")
        };
        self.begin_listener(head);
        let verdict = if self.is_attended() {
            attend_listener(head.subscribed, sent, &mut run)
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
    pub(super) fn tell_listeners(
        &self,
        of: MessageIndex,
        call: &mut Call<'_>,
        message: &dyn AnyMessage,
    ) {
        let (typed, any) = (self.subscriptions.to_type(of), self.subscriptions.to_any());
        if let Some(typed) = typed
            && any.after().is_empty()
            && !self.is_attended()
        {
            return self.tell_quickly(typed, call, message);
        }
        for (place, head) in merged(typed, any, |list| list.after()) {
            self.notify(place, head, call, message);
        }
    }

    /// Tells subscribers of one list of which most, if not all, hear everything.
    fn tell_quickly(&self, list: &dyn AnyListeners, call: &mut Call<'_>, message: &dyn AnyMessage) {
        let mut at = 0;
        loop {
            let called = list.hear_plainly(at, message, call.sent);
            call.tally.received += called;
            at += called;
            if called > 0 && self.kept.any() {
                self.end_listener(&list.after()[at - 1], call.sent);
            }
            let Some(head) = list.after().get(at) else {
                return;
            };
            self.notify(Place { list, at }, head, call, message);
            at += 1;
        }
    }

    fn notify(&self, place: Place<'_>, head: &Head, call: &mut Call<'_>, message: &dyn AnyMessage) {
        let mut counts = true;
        if !head.is_plain() {
            match head.judge(call.sent) {
                Judgement::Pass => return,
                Judgement::Hear => counts = !head.is_hidden(),
                Judgement::HearIn(stage) => {
                    call.waiting().staged.push(Staging {
                        spot: Spot::subscription(head.id()),
                        stage,
                        counts: !head.is_hidden(),
                    });
                    return;
                }
            }
        }
        if self.call_listener(place, head, call.sent, message) {
            call.tally.received += usize::from(counts);
        } else {
            let waiting = call.waiting();
            waiting.hidden += usize::from(!counts);
            waiting.busy.push(Spot::subscription(head.id()));
        }
    }

    /// Calls a subscriber's closure. Whether it was free.
    fn call_listener(
        &self,
        Place { list, at }: Place<'_>,
        head: &Head,
        sent: &Sent<'_>,
        message: &dyn AnyMessage,
    ) -> bool {
        if list.is_running_after(at) {
            return false;
        }
        self.begin_listener(head);
        let mut run = || {
            list.hear(at, message, sent);
        };
        if self.is_attended() {
            attend_listener(head.subscribed, sent, &mut run);
        } else {
            run();
        }
        self.end_listener(head, sent);
        true
    }

    /// Before a subscriber that is free is called.
    fn begin_listener(&self, head: &Head) {
        if !head.is_plain() && head.use_up() {
            self.remove_later(head.id());
        }
    }

    /// After a subscriber has been called.
    fn end_listener(&self, head: &Head, sent: &Sent<'_>) {
        if self.kept.any() {
            self.deliver_kept(sent.parent, Spot::subscription(head.id()));
        }
    }

    /// Removes a subscription that has received all that it wanted.
    fn remove_later(&self, id: SubscriptionId) {
        self.later(move |world| {
            // Whoever has ended it meanwhile removes it: it may have panicked.
            if !world.subscriptions.has_ended(id) {
                drop(world.subscriptions.remove(id));
            }
        });
    }

    /// The two lists of those that could receive a message.
    fn listeners(&self, of: Option<MessageIndex>) -> impl Iterator<Item = &dyn AnyListeners> {
        let typed = of.and_then(|of| self.subscriptions.to_type(of));
        typed
            .into_iter()
            .chain(std::iter::once(self.subscriptions.to_any()))
    }

    /// A subscriber that would receive a message now and is running already.
    pub(super) fn find_busy_listener(&self, of: MessageIndex, sent: &Sent<'_>) -> Option<Spot> {
        let would = |head: &Head| head.judge(sent) == Judgement::Hear;
        self.listeners(Some(of)).find_map(|list| {
            let mut before = list.before().iter().enumerate();
            let mut after = list.after().iter().enumerate();
            let busy = before.find(|(at, head)| list.is_running_before(*at) && would(head));
            let busy =
                busy.or_else(|| after.find(|(at, head)| list.is_running_after(*at) && would(head)));
            busy.map(|(_, head)| Spot::subscription(head.id()))
        })
    }

    /// Whether a subscriber that counts as a receiver could have received the message: one to its
    /// type, whatever its filter, or one to all types whose filter it passes.
    pub(super) fn has_listener(&self, sent: &Sent<'_>) -> bool {
        let any = self.subscriptions.to_any();
        let typed = sent.facts.table();
        let typed = typed.and_then(|table| self.subscriptions.to_type(table.index));
        let mut typed = typed
            .into_iter()
            .flat_map(|typed| typed.before().iter().chain(typed.after()));
        count(any.before(), sent) + count(any.after(), sent) > 0
            || typed.any(|head| !head.is_hidden())
    }

    /// How many subscribers that count as receivers would receive the message.
    pub(super) fn count_listeners(&self, sent: &Sent<'_>) -> usize {
        let of = sent.facts.table().map(|table| table.index);
        self.listeners(of)
            .map(|list| count(list.after(), sent))
            .sum()
    }

    /// Delivers a message that was kept for a subscriber, or retained before it subscribed: then
    /// it is one of those it may pass.
    pub(super) fn tell_kept(
        &self,
        sent: &Sent<'_>,
        at: usize,
        message: &dyn AnyMessage,
        retained: bool,
    ) {
        let Some(listed) = self.subscriptions.listed(at) else {
            return;
        };
        let list = match listed.message() {
            Some(of) => self.subscriptions.to_type(of),
            None => Some(self.subscriptions.to_any()),
        };
        let Some(list) = list else { return };
        let mut after = list.after().iter().enumerate();
        let Some((at, head)) = after.find(|(_, head)| head.id() == listed.id()) else {
            return;
        };
        let hears = if retained {
            head.judge(sent) != Judgement::Pass
        } else {
            head.still_hears()
        };
        if hears {
            // Whoever calls this has made sure that it is free.
            let _ = self.call_listener(Place { list, at }, head, sent, message);
        }
    }

    /// Whether the component or the subscriber is running.
    pub(super) fn is_running(&self, spot: Spot) -> bool {
        match spot.as_subscription() {
            None => self.pool(spot.component).is_busy(spot.slot as usize, false),
            Some(at) => self.subscriptions.is_running(at),
        }
    }
}

/// How many of a list count as receivers, and would receive the message.
fn count(list: &[Head], sent: &Sent<'_>) -> usize {
    let hears = |head: &&Head| !head.is_hidden() && head.judge(sent) != Judgement::Pass;
    list.iter().filter(hears).count()
}
