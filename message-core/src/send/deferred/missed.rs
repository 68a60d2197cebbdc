//! Retaining messages, and delivering them to subscriptions that ask for them.

use crate::address::{MessageeId, Sender, SubscriptionId};
use crate::send::{Audience, Redelivery, Sent, Shared};
use crate::subscription::{Entry, Reached, Subscription};
use crate::world::World;

/// Queues the delivery of retained messages to a subscription that asks for them and is new or was resumed. Its filter is
/// evaluated now, so that a mnemonic means the messagee it is bound to now.
pub(crate) fn tell_missed(world: &mut World, id: SubscriptionId) {
    let (subscriptions, retained) = (&world.listen.subscriptions, &world.listen.retained);
    let Some((it, from, had)) = subscriptions.take_missed(id) else {
        return;
    };
    let on = Redelivery::outside(world);
    let candidates = retained.borrow().since(from, it.of).into_iter();
    let wanted = candidates.filter_map(|(number, message)| {
        let wants = |sent: &Sent<'_>| !had.contains(&number) && sent.wants(it, number);
        let is_wanted = on.deliver(&message, |message| message.cover.send_on(on, None, wants))?;
        is_wanted.then_some(number)
    });
    subscriptions.want(id, wanted);
    let changes = &mut world.changes();
    changes.next(move |world| deliver_next_missed(world, id));
}

/// Delivers the next message that a subscription has missed, and queues the delivery of the others.
fn deliver_next_missed(world: &mut World, id: SubscriptionId) {
    let Some(number) = world.listen.subscriptions.next_missed(id) else {
        return;
    };
    // Queued before the delivery, so that a panic loses none of them.
    let changes = &mut world.changes();
    changes.next(move |world| deliver_next_missed(world, id));
    let subscriptions = &world.listen.subscriptions;
    subscriptions.free_overhearer(id, &mut world.structure);
    // It may have been replaced since.
    let message = world.listen.retained.borrow().get(number);
    if let Some(message) = message {
        let on = Redelivery::outside(world);
        on.deliver(&message, |message| {
            message.deliver_retained(on, id.0.index());
        });
    }
}

impl Sent<'_> {
    /// Retains a message at the end of its send. `switches` is the number of switches when the send began; the
    /// subscriptions in `told` have received it already.
    pub(super) fn retain(&self, switches: u64, told: &[SubscriptionId], message: Shared) {
        let of = self.facts.index();
        let of = of.expect("a message that was sent is in the registry");
        let reached = match self.audience() {
            Some(Audience::Everyone) => Reached::Everyone,
            Some(Audience::Messagee(id, _)) => Reached::Messagees(Box::new([*id])),
            Some(Audience::Messagees(ids)) => Reached::Messagees(ids.as_slice().into()),
            Some(Audience::Component(hook)) => Reached::Messagees(Box::new([hook.owner])),
            // It is kept for that receiver, and retained when it is delivered.
            Some(Audience::Unborn(_)) | None => Reached::default(),
        };
        let listen = &self.world.listen;
        let (number, replaced) = listen.retained.borrow_mut().put(Entry {
            of,
            to: self.to.own(self.sender),
            reached,
            message,
        });
        let subscriptions = &listen.subscriptions;
        subscriptions.note_retained(number, told, switches);
        drop(replaced);
    }

    /// Returns `true` if a retained message passes the filter of a subscription. If a messagee overhears by the
    /// subscription, the messagee must neither have sent the message nor been reached by it.
    fn wants(&self, it: &Subscription, number: u64) -> bool {
        let is_other = |id: MessageeId| {
            self.sender != Sender::Messagee(id)
                && !self.world.listen.retained.borrow().reached(number, id)
        };
        it.terms.hold(self) && it.overhearer().is_none_or(is_other)
    }
}
