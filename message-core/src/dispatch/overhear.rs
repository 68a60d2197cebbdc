//! Overhearing: a messagee's own components receive what was sent to others.
//!
//! It is a delivery of the same send, under the same envelope. What it leads to knows of it, by the
//! frames around it or, if it was kept, by a list: so a messagee never overhears what its own
//! overhearing has led to.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::address::{MessageeId, Sender};
use crate::dispatch::call::{Call, ReceiverSlot, Resumed, Sent};
use crate::dispatch::erased::{ErasedMessage, Replies};
use crate::subscription::Head;
use crate::world::World;

impl World {
    /// Returns `true` if a messagee may overhear a message: it is not meant by it, has not sent it, and
    /// has not led to it by overhearing.
    fn may_overhear(&self, owner: MessageeId, sent: &Sent<'_>) -> bool {
        let to = sent.resumed.map_or(*sent.to, |resumed| resumed.to);
        sent.sender != Sender::Messagee(owner)
            && !self.is_meant(owner, to, sent.sender)
            && sent.overhearers().all(|other| other != owner)
    }

    /// Delivers a message to the components of a messagee that overhears it. Breaks when nobody behind
    /// them shall receive it.
    #[cold]
    pub(super) fn overhear_by(
        &self,
        owner: MessageeId,
        head: &Head,
        call: &mut Call<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        if !self.may_overhear(owner, call.sent) {
            return ControlFlow::Continue(());
        }
        let receivers = self.receivers_of(owner, call.sent.facts);
        if receivers.is_empty() {
            return ControlFlow::Continue(());
        }
        if head.use_up() {
            self.remove_later(head.id());
        }
        let telling = call.sent.resumed.map(|resumed| resumed.telling);
        let resumed = Resumed {
            intercepted: 0,
            telling: telling.unwrap_or_default(),
            step: call.sent.resumed.and_then(|resumed| resumed.step),
            to: call.sent.resolved_to(),
            overhearer: Some(owner),
            overhearers: call.sent.resumed.map_or(&[], |resumed| resumed.overhearers),
        };
        let sent = Sent {
            resumed: Some(&resumed),
            ..*call.sent
        };
        let mut overhearing = Call {
            begun: call.begun,
            ..Call::new(&sent, Replies::Ignore, call.on_busy)
        };
        let flow = receivers
            .into_iter()
            .try_for_each(|spot| self.overhear_at(spot, &mut overhearing, message));
        let Call { tally, waiting, .. } = overhearing;
        let busy = waiting.map_or_else(SmallVec::new, |waiting| waiting.busy);
        if tally.received == 0 && busy.is_empty() {
            head.give_back();
        }
        call.tally.failed += tally.failed;
        call.tally.consumed |= tally.consumed;
        if !head.is_hidden() {
            call.tally.received += tally.received;
        }
        if !busy.is_empty() {
            let waiting = call.waiting();
            if head.is_hidden() {
                waiting.hidden += busy.len();
            }
            waiting.overhearing.extend_from_slice(&busy);
            waiting.busy.extend(busy);
        }
        flow
    }

    fn overhear_at(
        &self,
        ReceiverSlot { component, slot }: ReceiverSlot,
        call: &mut Call<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let table = call.sent.facts.table();
        let Some(route) = table.and_then(|table| table.position(component)) else {
            return ControlFlow::Continue(());
        };
        let pool = self.pool(component);
        if (self.kept.any() || self.switches.any())
            && let Some(flow) = call.except(pool, slot as usize)
        {
            return flow;
        }
        let (sent, replies) = (call.sent, &mut call.replies);
        let verdict = self.hand_to_one(route, (pool, slot), message, sent, replies);
        call.take(verdict, pool, slot as usize)
    }

    /// A component that would overhear a message now and is running already.
    pub(super) fn find_busy_overhearing(
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
            let shared = table
                .position(spot.component)
                .is_some_and(|at| table.all()[at].shared);
            let (pool, slot) = (self.pool(spot.component), spot.slot);
            pool.find_busy(Some(slot), shared, sent.except()).is_some()
        })
    }
}
