//! Overhearing: a messagee's own components receive messages to others.
//!
//! It is a delivery of the same send, under the same envelope. What it leads to knows of it, by the
//! frames around it or, if it was kept, by a list: so a messagee never overhears what its own
//! overhearing has led to.

use std::ops::ControlFlow;

use crate::address::{MessageeId, Sender, SubscriptionId};
use crate::send::erased::{ErasedMessage, Replies};
use crate::send::step::why_passed_over;
use crate::send::{Delivery, Extras, Overhearing, ReceiverSlot, Resumed, Sent};
use crate::storage::HookRef;
use crate::structure::Structure;
use crate::subscription::record::Subscription;
use crate::subscription::subscriptions::Subscriptions;
use crate::world::World;

impl Sent<'_> {
    /// Returns `true` if a messagee may overhear the message: it was not addressed, did not send the message, and did
    /// not lead to it by overhearing. The addressees are those at the time of the send.
    pub(super) fn may_be_overheard_by(&self, owner: MessageeId) -> bool {
        self.sender != Sender::Messagee(owner)
            && !self.was_meant(owner)
            && self.overhearers().all(|other| other != owner)
    }

    /// Returns the number of components of a messagee that would overhear the message now.
    pub(super) fn count_overhearing(&self, owner: MessageeId) -> usize {
        if !self.may_be_overheard_by(owner) {
            return 0;
        }
        let receivers = self.receivers_at(owner).into_iter();
        let overhears = |spot: &ReceiverSlot| {
            let pool = self.world.structure.pools.at(spot.component);
            why_passed_over(pool, spot.slot as usize, self).is_none()
        };
        receivers.filter(overhears).count()
    }

    /// Returns a component of a messagee that would overhear the message now, and is running already.
    pub(super) fn find_busy_overhearing(&self, owner: MessageeId) -> Option<ReceiverSlot> {
        if !self.may_be_overheard_by(owner) {
            return None;
        }
        let table = self.facts.table()?;
        let mut receivers = self.receivers_at(owner).into_iter();
        receivers.find(|spot| {
            let route = table.route_to(spot.component);
            let shared = route.is_some_and(|route| route.shared);
            let pool = self.world.structure.pools.at(spot.component);
            pool.find_busy(Some(spot.slot), shared, self.except())
                .is_some()
        })
    }
}

impl Subscription {
    /// Notes that it receives a message. One that is `once` ends with that. Returns `true` if it does.
    pub(crate) fn use_up(&self, world: &World) -> bool {
        let ends = self.note_received();
        if ends {
            let id = self.id();
            world.later(move |world| {
                // It may have declined, or somebody has ended it who removes it: it may have panicked.
                let subscriptions = &mut world.listen.subscriptions;
                if subscriptions.find(id).is_some_and(Subscription::is_used_up) {
                    drop(subscriptions.remove(id));
                }
            });
        }
        ends
    }
}

impl Subscriptions {
    /// Frees the components of the messagee that overhears by a subscription, when nothing is running: a borrow is one
    /// whose guard was leaked.
    pub(crate) fn free_overhearer(&self, by: SubscriptionId, structure: &mut Structure) {
        let Some(owner) = self.find(by).and_then(Subscription::overhearer) else {
            return;
        };
        let components: Vec<HookRef> = structure.messagees.components_of(owner).collect();
        for HookRef { component, slot } in components {
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
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let world = self.sent.world;
        let receivers = self.sent.receivers_at(owner);
        let Some(table) = self.sent.facts.table().filter(|_| !receivers.is_empty()) else {
            return ControlFlow::Continue(());
        };
        let ends = it.use_up(world);
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
        let sent = Sent {
            extras: &extras,
            ..*self.sent
        };
        let mut overhearing = Delivery {
            begun: self.begun,
            ..Delivery::new(&sent, Replies::Ignore, self.on_busy)
        };
        let flow = receivers.into_iter().try_for_each(|spot| {
            let Some(route) = table.route_to(spot.component) else {
                return ControlFlow::Continue(());
            };
            let pool = world.structure.pools.at(spot.component);
            overhearing.step(route, pool, spot.slot, message)
        });
        let Delivery { tally, waiting, .. } = overhearing;
        let busy = waiting.as_ref().map_or(&[][..], |waiting| waiting.busy());
        if tally.received == 0 {
            // Nobody has it yet: they have declined, or are busy.
            it.give_back();
        }
        self.tally.failed += tally.failed;
        self.tally.consumed |= tally.consumed;
        if !it.is_hidden() {
            self.tally.received += tally.received;
        }
        for &spot in busy {
            let waiting = self.waiting();
            waiting.hidden += usize::from(it.is_hidden());
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
