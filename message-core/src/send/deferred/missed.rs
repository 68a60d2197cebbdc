//! Retaining messages, and delivering them to subscriptions that ask for them.

use crate::address::{MessageeId, Sender, SubscriptionId};
use crate::send::Sent;
use crate::send::audience::Audience;
use crate::send::deferred::{Redelivery, Shared};
use crate::subscription::{Entry, Reached, Subscription};
use crate::world::World;

impl World {
    /// Queues the delivery of retained messages to a subscription that asks for them and is new or was resumed.
    /// Its filter is evaluated now, so that a mnemonic means the messagee it is bound to now.
    pub(crate) fn tell_missed(&mut self, id: SubscriptionId) {
        let Some((from, had)) = self.listen.subscriptions.take_missed(id) else {
            return;
        };
        let Some(it) = self.listen.subscriptions.find(id) else {
            return;
        };
        let candidates = self.listen.retained.since(from, it.of()).into_iter();
        let on = Redelivery::outside(self);
        let wanted = candidates.filter_map(|(number, message)| {
            let is_wanted = !had.contains(&number)
                && on.begin(&message).is_some_and(|delivering| {
                    let wants = |sent: &Sent<'_>| sent.wants(it, number);
                    delivering.message.is_wanted(on, wants)
                });
            is_wanted.then_some(number)
        });
        self.listen.subscriptions.want(id, wanted);
        self.changes().next(move |world| world.deliver_missed(id));
    }

    /// Delivers the next message that a subscription has missed, and queues the delivery of the others.
    fn deliver_missed(&mut self, id: SubscriptionId) {
        let Some(number) = self.listen.subscriptions.next_missed(id) else {
            return;
        };
        // Queued before the delivery, so that a panic loses none of them.
        self.changes().next(move |world| world.deliver_missed(id));
        let subscriptions = &self.listen.subscriptions;
        subscriptions.free_overhearer(id, &mut self.structure);
        // It may have been replaced since.
        if let Some(message) = self.listen.retained.get(number) {
            let on = Redelivery::outside(self);
            on.deliver(&message, |message| {
                message.deliver_retained(on, id.0.index())
            });
        }
    }
}

impl Sent<'_> {
    /// Retains a message at the end of its send. `begun` is the number of switches when the send began; the
    /// subscriptions in `told` have received it already.
    pub(super) fn retain(&self, begun: u64, told: &[SubscriptionId], message: Shared) {
        let table = self.facts.table();
        let of = table.map(|table| table.index);
        let of = of.expect("a message that was sent is in the registry");
        let reached = match self.audience() {
            Some(Audience::Everyone) => Reached::Everyone,
            Some(Audience::Messagee(id, _)) => Reached::Messagees(Box::new([*id])),
            Some(Audience::Messagees(ids)) => Reached::Messagees(ids.as_slice().into()),
            Some(Audience::Component(hook)) => Reached::Messagees(Box::new([hook.owner])),
            // It is kept for that receiver, and retained when it is delivered.
            Some(Audience::Unborn(_)) | None => Reached::default(),
        };
        let (number, replaced) = self.world.listen.retained.put(Entry {
            of,
            to: self.to.own(self.sender),
            reached,
            message,
        });
        self.world
            .listen
            .subscriptions
            .note_retained(number, told, begun);
        drop(replaced);
    }

    /// Returns `true` if a retained message passes the filter of a subscription. If a messagee overhears by the
    /// subscription, the messagee must neither have sent the message nor been reached by it.
    fn wants(&self, it: &Subscription, number: u64) -> bool {
        let is_other = |id: MessageeId| {
            self.sender != Sender::Messagee(id) && !self.world.listen.retained.reached(number, id)
        };
        it.holds(self) && it.overhearer().is_none_or(is_other)
    }
}
