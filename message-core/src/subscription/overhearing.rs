//! Overhearing: a messagee's own components receive messages to others.
//!
//! It is a delivery of the same send, under the same envelope. What it leads to knows of it, by the
//! frames around it or, if it was kept, by a list: so a messagee never overhears what its own
//! overhearing has led to.

use std::ops::ControlFlow;

use crate::address::{MessageeId, Sender, SubscriptionId};
use crate::message::AnyMessage;
use crate::send::{Callee, Delivery, Extras, Overhearing, ReceiverSlot, Replies, Resumed, Sent};
use crate::storage::HookRef;
use crate::structure::Structure;
use crate::subscription::{Subscription, Subscriptions};

impl Sent<'_> {
    /// Returns `true` if a messagee may overhear the message: it was not addressed, did not send the message, and did
    /// not lead to it by overhearing. The addressees are those at the time of the send.
    pub(super) fn may_be_overheard_by(&self, owner: MessageeId) -> bool {
        self.sender != Sender::Messagee(owner)
            && !self.was_meant(owner)
            && self.overhearers().all(|other| other != owner)
    }

    /// Returns the components of a messagee that may overhear the message.
    fn overhearing(&self, owner: MessageeId) -> impl Iterator<Item = ReceiverSlot> {
        let may_overhear = self.may_be_overheard_by(owner);
        let receivers = may_overhear.then(|| self.receivers_at(owner));
        receivers.into_iter().flatten()
    }

    /// Returns the number of components of a messagee that would overhear the message now.
    pub(super) fn count_overhearing(&self, owner: MessageeId) -> usize {
        let callees = self.overhearing(owner).filter_map(|spot| self.callee(spot));
        let overhearing = callees.filter(|callee| self.why_passed_over(callee).is_none());
        overhearing.count()
    }

    /// Returns a component of a messagee that would overhear the message now, and is running already.
    pub(super) fn find_busy_overhearing(&self, owner: MessageeId) -> Option<ReceiverSlot> {
        let is_busy = |Callee { route, pool, slot }: Callee<'_>| {
            let busy = pool.find_busy(Some(slot), route.row.shared, self.except());
            busy.is_some()
        };
        let mut components = self.overhearing(owner);
        components.find(|&spot| self.callee(spot).is_some_and(is_busy))
    }
}

impl Subscriptions {
    /// Frees the components of the messagee that overhears by a subscription, when nothing is running: a borrow is one
    /// whose guard was leaked.
    pub(crate) fn free_overhearer(&self, by: SubscriptionId, structure: &mut Structure) {
        let Some(owner) = self.find(by).and_then(Subscription::overhearer) else {
            return;
        };
        for HookRef { component, slot } in structure.messagees.components_of(owner) {
            structure.pools.at_mut(component).free(slot);
        }
    }
}

impl Delivery<'_> {
    /// Delivers the message to the components of a messagee, which may overhear it. Breaks when nobody behind them shall
    /// receive it.
    #[cold]
    pub(super) fn overhear(
        &mut self,
        owner: MessageeId,
        it: &Subscription,
        message: &mut dyn AnyMessage,
    ) -> ControlFlow<()> {
        let receivers = self.sent.receivers_at(owner);
        if receivers.is_empty() {
            return ControlFlow::Continue(());
        }
        let ends = it.use_up(self.sent.world);
        let resumed = Resumed {
            intercepted: 0,
            overhearer: Some(owner),
            addressee: self.sent.addressee(),
            ..self.sent.resumed()
        };
        let extras = Extras {
            resumed: Some(&resumed),
            ..*self.sent.extras
        };
        let sent = self.sent.with(&extras);
        let mut overhearing = Delivery {
            switches: self.switches,
            ..Delivery::new(&sent, Replies::Ignore, self.on_busy)
        };
        let mut callees = receivers.into_iter().filter_map(|spot| sent.callee(spot));
        let flow = callees.try_for_each(|callee| overhearing.step(&callee, message));
        overhearing.finish_messagee(message);
        let Delivery { tally, waiting, .. } = overhearing;
        let busy = waiting.as_ref().map_or(&[][..], |waiting| &waiting.busy);
        if tally.received == 0 {
            // Nobody has it yet: they have declined, or are busy.
            it.give_back();
        }
        self.tally.failed += tally.failed;
        if tally.consumed {
            self.close(None);
        }
        if !it.terms.hidden {
            self.tally.received += tally.received;
        }
        for &spot in busy {
            let waiting = self.waiting();
            waiting.hidden += usize::from(it.terms.hidden);
            waiting.overhearing.push(Overhearing {
                spot,
                by: it.id(),
                has_used_up: ends && tally.received > 0,
            });
            self.add_busy(spot);
        }
        flow
    }
}
