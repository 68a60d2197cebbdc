//! From one subscription to the next: who hears a message, and the loop that hands it to them.

use std::ops::ControlFlow;

use crate::context::{Context, ForSubscriber};
use crate::handler::RouteTable;
use crate::message::MessageIndex;
use crate::send::call::{Delivery, Frame, OnBusy, ReceiverSlot, Sent, Staging, Subscribed, Tally};
use crate::send::erased::{ErasedMessage, Replies};
use crate::send::instrument::{ask_predicate, instrument_listener};
use crate::send::verdict::Verdict;
use crate::subscription::index::{Found, Part, Topic};
use crate::subscription::record::Subscription;
use crate::time::Stage;

impl<'a> Context<'a, ForSubscriber> {
    /// Makes the context of a subscriber.
    #[inline]
    pub(crate) fn of(sent: &'a Sent<'a>, subscribed: Subscribed) -> Self {
        Self::new(Frame::of_subscription(sent, subscribed))
    }
}

impl Delivery<'_> {
    /// Hands the message to those that hear it before the addressed, or after them, in the order subscribed. Breaks
    /// when nobody else shall receive it.
    pub(crate) fn tell(
        &mut self,
        part: Part,
        found: &Found<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let sent = self.sent;
        // If the message waited for an interceptor, those before that have had it.
        let first = match (part, sent.extras.resumed) {
            (Part::Before, Some(resumed)) => resumed.intercepted,
            _ => 0,
        };
        for it in found.in_order(part) {
            if it.number < first || !it.hears(sent, self.begun) {
                continue;
            }
            if it.is_plain() {
                self.call_listener(it, message)?;
            } else {
                self.tell_one(it, message)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Hands the message to those that hear it after the addressed, unless it was consumed: W1-watched, W3-watched,
    /// W8-watched.
    #[inline(never)]
    pub(crate) fn tell_after(&mut self, table: &RouteTable, message: &mut dyn ErasedMessage) {
        if self.tally.consumed {
            return;
        }
        let found = self.sent.found(Some(table.index));
        if found.is_empty() {
            return;
        }
        let _ = self.tell(Part::After, &found, message);
        if self.tally.received == 0 && self.waiting.is_none() {
            self.note_unhandled(table);
        }
    }

    /// Hands the message to a subscription that has terms, if it passes the predicate: now, or in its stage.
    fn tell_one(
        &mut self,
        it: &Subscription,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let sent = self.sent;
        let ask = || it.listener.passes(message);
        if it.asks() && !ask_predicate(it.subscribed, sent, ask) {
            return ControlFlow::Continue(());
        }
        // Noted, so that it does not receive the message again as a retained one.
        if it.wants_retained() && sent.is_retained() {
            self.waiting().told.push(it.id());
        }
        if it.stage() == Stage::Immediate {
            let owner = it.overhearer();
            if owner.is_some_and(|owner| !sent.may_be_overheard_by(owner)) {
                return ControlFlow::Continue(());
            }
            return self.hand_to_subscription(it, message);
        }
        let receivers = sent.receivers_by(it);
        if receivers > 0 {
            self.waiting().staged.push(Staging {
                spot: ReceiverSlot::subscription(it.id()),
                stage: it.stage(),
                counts: if it.is_hidden() { 0 } else { receivers },
            });
        }
        ControlFlow::Continue(())
    }

    /// Hands the message to a subscription that receives it now.
    fn hand_to_subscription(
        &mut self,
        it: &Subscription,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        match it.overhearer() {
            Some(owner) => self.overhear(owner, it, message),
            None => self.call_listener(it, message),
        }
    }

    /// Calls the closure of a subscription, if it is free.
    #[inline]
    fn call_listener(
        &mut self,
        it: &Subscription,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let sent = self.sent;
        let verdict = if it.is_plain() && !self.traced && !self.catches {
            it.listener.call(message, sent, it.subscribed)
        } else {
            self.call_closely(it, message)
        };
        if sent.world.waiting.kept.any() && verdict != Verdict::Busy {
            let spot = ReceiverSlot::subscription(it.id());
            sent.world.deliver_kept(sent.parent, spot);
        }
        // An interceptor is a receiver of what it consumes.
        let counts = !it.is_hidden() && (it.part() == Part::After || verdict == Verdict::Consumed);
        match verdict {
            Verdict::NotReceived => {}
            Verdict::Busy => return self.meet_busy_listener(it),
            Verdict::Consumed => {
                self.tally.received += usize::from(counts);
                self.tally.consumed = true;
                return ControlFlow::Break(());
            }
            _ => self.tally.received += usize::from(counts),
        }
        ControlFlow::Continue(())
    }

    /// Calls the closure of a subscription that may end with that, or whose calls are traced or caught.
    fn call_closely(&mut self, it: &Subscription, message: &mut dyn ErasedMessage) -> Verdict {
        if it.listener.is_running() {
            return Verdict::Busy;
        }
        let sent = self.sent;
        it.use_up(sent.world);
        let verdict = if self.traced || self.catches {
            instrument_listener(it.subscribed, sent, || {
                it.listener.call(message, sent, it.subscribed)
            })
        } else {
            it.listener.call(message, sent, it.subscribed)
        };
        if verdict == Verdict::NotReceived {
            it.give_back();
        }
        verdict
    }

    /// Notes a subscription that is running. An interceptor makes the message wait for everybody.
    #[cold]
    fn meet_busy_listener(&mut self, it: &Subscription) -> ControlFlow<()> {
        let (world, spot) = (self.sent.world, ReceiverSlot::subscription(it.id()));
        let waiting = self.waiting();
        if it.part() == Part::Before {
            waiting.intercepting = Some((spot, it.number));
            return ControlFlow::Break(());
        }
        waiting.hidden += usize::from(it.is_hidden());
        waiting.add_busy(world, spot);
        ControlFlow::Continue(())
    }
}

/// Delivers a message that was kept for a subscription, or `retained` before it was made: then its predicate has not
/// been asked yet. Returns what that adds to the tally of the message's send.
pub(crate) fn tell_later(
    sent: &Sent<'_>,
    index: usize,
    message: &mut dyn ErasedMessage,
    retained: bool,
) -> Tally {
    let it = sent.world.listen.subscriptions.at(index);
    let Some(it) = it.filter(|it| it.part() == Part::After) else {
        return Tally::default();
    };
    let ask = || it.listener.passes(message);
    let hears = if retained {
        it.listens() && (!it.asks() || ask_predicate(it.subscribed, sent, ask))
    } else {
        it.is_listening()
    };
    let mut delivery = Delivery::new(sent, Replies::Ignore, OnBusy::Keep);
    if hears {
        // It is free, and that a messagee may overhear the message is known.
        let _ = delivery.hand_to_subscription(it, message);
    }
    if hears || !retained {
        // In case that it has not received the one message that it wanted.
        it.give_up();
    }
    delivery.tally
}

impl<'a> Sent<'a> {
    /// Returns the subscriptions that are found by the message as one of that type.
    fn found(&self, of: Option<MessageIndex>) -> Found<'a> {
        self.world.listen.subscriptions.found(of, self)
    }

    /// Returns the subscriptions among these that would hear the message now, if it passed their predicates: first the
    /// interceptors.
    fn hearers(&self, found: Found<'a>) -> impl Iterator<Item = &'a Subscription> {
        let now = self.world.structure.switches.count();
        let parts = [Part::Before, Part::After].into_iter();
        let all = parts.flat_map(move |part| found.in_order(part));
        all.filter(move |it| it.hears(self, now))
    }

    fn type_index(&self) -> Option<MessageIndex> {
        self.facts.table().map(|table| table.index)
    }

    /// Returns the number that receive the message by a subscription that hears it.
    fn receivers_by(&self, it: &Subscription) -> usize {
        let overhearer = it.overhearer();
        overhearer.map_or(1, |owner| self.count_overhearing(owner))
    }

    /// Returns a subscription or a component that overhears that would receive the message now, and is running already.
    pub(crate) fn find_busy_listener(&self) -> Option<ReceiverSlot> {
        let mut hearers = self.hearers(self.found(self.type_index()));
        hearers.find_map(|it| {
            if it.stage() != Stage::Immediate {
                return None;
            }
            match it.overhearer() {
                Some(owner) => self.find_busy_overhearing(owner),
                None => (it.listener.is_running()).then(|| ReceiverSlot::subscription(it.id())),
            }
        })
    }

    /// Returns `true` if a subscription that counts as a receiver could have received the message: one to its type,
    /// whatever its filter, or one to all types whose filter it passes.
    pub(crate) fn has_listener(&self) -> bool {
        let subscriptions = &self.world.listen.subscriptions;
        let typed = self.type_index().and_then(|of| subscriptions.to_type(of));
        typed.is_some_and(Topic::any_counts)
            || self
                .hearers(self.found(None))
                .any(|it| !it.is_hidden() && self.receivers_by(it) > 0)
    }

    /// Returns `true` if a subscription would receive the message, hidden or not. Of those by which messagees overhear,
    /// only the hidden ones are asked: the others are in its receipt.
    pub(crate) fn has_any_listener(&self) -> bool {
        let mut hearers = self.hearers(self.found(self.type_index()));
        hearers.any(|it| {
            let is_asked = it.is_hidden() || it.overhearer().is_none();
            is_asked && self.receivers_by(it) > 0
        })
    }

    /// Returns the number of subscriptions that count as receivers and would receive the message.
    pub(crate) fn count_listeners(&self) -> usize {
        let hearers = self.hearers(self.found(self.type_index()));
        let counting = hearers.filter(|it| !it.is_hidden() && it.part() == Part::After);
        counting.map(|it| self.receivers_by(it)).sum()
    }
}
