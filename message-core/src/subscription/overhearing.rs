//! Overhearing: a messagee's own components receive what was sent to others.
//!
//! It is a delivery of the same send, under the same envelope. What it leads to knows of it, by the
//! frames around it or, if it was kept, by a list: so a messagee never overhears what its own
//! overhearing has led to.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::address::{MessageeId, Sender, SubscriptionId};
use crate::send::call::{Delivery, Extras, Overhearing, ReceiverSlot, ReportGuard, Resumed, Sent};
use crate::send::erased::{ErasedMessage, Replies};
use crate::send::step::why_passed_over;
use crate::storage::HookRef;
use crate::subscription::Head;
use crate::world::World;

impl World {
    /// Returns `true` if a messagee may overhear a message: it was not addressed, did not send the message, and did
    /// not lead to it by overhearing. The addressees are those at the time of the send.
    pub(crate) fn may_overhear(&self, owner: MessageeId, sent: &Sent<'_>) -> bool {
        sent.sender != Sender::Messagee(owner)
            && !sent.was_meant(owner)
            && sent.overhearers().all(|other| other != owner)
    }

    /// Returns the number of components of a messagee that would overhear a message now.
    pub(crate) fn count_overhearing(&self, owner: MessageeId, sent: &Sent<'_>) -> usize {
        if !self.may_overhear(owner, sent) {
            return 0;
        }
        let receivers = self.receivers_of(owner, sent.facts).into_iter();
        let overhears = |spot: &ReceiverSlot| {
            let pool = self.structure.pools.at(spot.component);
            why_passed_over(pool, spot.slot as usize, sent).is_none()
        };
        receivers.filter(overhears).count()
    }

    /// Frees the components of the messagee that overhears by a subscription, when nothing is running:
    /// a borrow is one whose guard was leaked.
    pub(crate) fn free_overhearer(&mut self, by: SubscriptionId) {
        let head = self.listen.subscriptions.head(by);
        let Some(owner) = head.and_then(Head::overhearer) else {
            return;
        };
        let components = self.structure.messagees.components_of(owner);
        let is_busy = |at: &HookRef| {
            self.structure
                .pools
                .at(at.component)
                .is_busy(at.slot as usize, false)
        };
        let busy: SmallVec<[HookRef; 4]> = components.filter(is_busy).collect();
        for HookRef { component, .. } in busy {
            self.structure.pools.at_mut(component).free_all();
        }
    }

    /// Delivers a message to the components of a messagee, which may overhear it. Breaks when nobody
    /// behind them shall receive it.
    #[cold]
    pub(crate) fn overhear_by(
        &self,
        owner: MessageeId,
        head: &Head,
        call: &mut Delivery<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let receivers = self.receivers_of(owner, call.sent.facts);
        if receivers.is_empty() {
            return ControlFlow::Continue(());
        }
        let ends = self.use_up(head);
        let before = call.sent.extras.resumed;
        let resumed = Resumed {
            intercepted: 0,
            reporting: before.map_or_else(ReportGuard::default, |resumed| resumed.reporting),
            to: call.sent.meant(),
            overhearer: Some(owner),
            overhearers: before.map_or(&[], |resumed| resumed.overhearers),
            mnemonics: before.map_or(&[], |resumed| resumed.mnemonics),
            audience: call.sent.audience(),
            addressee: call.sent.addressee(),
        };
        let extras = Extras {
            resumed: Some(&resumed),
            ..*call.sent.extras
        };
        let sent = Sent {
            extras: &extras,
            ..*call.sent
        };
        let mut overhearing = Delivery {
            begun: call.begun,
            ..Delivery::new(&sent, Replies::Ignore, call.on_busy)
        };
        let flow = receivers
            .into_iter()
            .try_for_each(|spot| self.overhear_at(spot, &mut overhearing, message));
        let Delivery { tally, waiting, .. } = overhearing;
        let busy = waiting.as_ref().map_or(&[][..], |waiting| waiting.busy());
        if tally.received == 0 {
            // Nobody has it yet: they have declined, or are busy.
            head.give_back();
        }
        call.tally.failed += tally.failed;
        call.tally.consumed |= tally.consumed;
        if !head.is_hidden() {
            call.tally.received += tally.received;
        }
        if !busy.is_empty() {
            let world = call.sent.world;
            let waiting = call.waiting();
            if head.is_hidden() {
                waiting.hidden += busy.len();
            }
            waiting
                .overhearing
                .extend(busy.iter().map(|&spot| Overhearing {
                    spot,
                    by: head.id(),
                    has_used_up: ends && tally.received > 0,
                }));
            for &spot in busy {
                waiting.add_busy(world, spot);
            }
        }
        flow
    }

    fn overhear_at(
        &self,
        ReceiverSlot { component, slot }: ReceiverSlot,
        call: &mut Delivery<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let table = call.sent.facts.table();
        match table.and_then(|table| table.route_to(component)) {
            Some(route) => call.step(route, self.structure.pools.at(component), slot, message),
            None => ControlFlow::Continue(()),
        }
    }

    /// A component that would overhear a message now and is running already.
    pub(crate) fn find_busy_overhearing(
        &self,
        owner: MessageeId,
        sent: &Sent<'_>,
    ) -> Option<ReceiverSlot> {
        if !self.may_overhear(owner, sent) {
            return None;
        }
        let table = sent.facts.table()?;
        let mut receivers = self.receivers_of(owner, sent.facts).into_iter();
        receivers.find(|spot| {
            let route = table.route_to(spot.component);
            let shared = route.is_some_and(|route| route.shared);
            let (pool, slot) = (self.structure.pools.at(spot.component), spot.slot);
            pool.find_busy(Some(slot), shared, sent.except()).is_some()
        })
    }
}
