//! One running delivery, and the places of receivers.
//!
//! A frame lives on the stack of its delivery and points outwards. The chain of running handlers is therefore
//! always available for an error, and costs nothing to keep.

use crate::address::{MessageeId, Sender, SubscriptionId};
use crate::error::{ChainLink, Receiver};
use crate::send::Sent;
use crate::storage::{Pool, Pools};

/// One delivery that is running.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    pub sent: &'a Sent<'a>,
    /// The messagee that the receiver sends as: its own, or for a subscription its owner.
    pub(crate) me: Option<MessageeId>,
    /// The receiver that is running.
    pub(crate) spot: ReceiverSlot,
}

impl<'a> Frame<'a> {
    /// Makes the frame of a component in a slot, which belongs to `me`.
    #[inline]
    pub(crate) fn at(pool: &Pool, slot: u32, me: MessageeId, sent: &'a Sent<'a>) -> Self {
        let component = pool.component();
        Self {
            sent,
            me: Some(me),
            spot: ReceiverSlot { component, slot },
        }
    }

    /// Makes the frame of a subscription.
    #[inline]
    pub fn of_subscription(sent: &'a Sent<'a>, subscribed: Subscribed) -> Self {
        let (me, spot) = (subscribed.owner, ReceiverSlot::subscription(subscribed.id));
        Self { sent, me, spot }
    }

    /// Returns the sender of messages from here.
    #[inline]
    pub(crate) fn sender(&self) -> Sender {
        self.me.map_or(Sender::Outside, Sender::Messagee)
    }

    pub(crate) fn link(&self) -> ChainLink {
        ChainLink {
            receiver: self.spot.receiver(self.sent),
            message: self.sent.message(),
            place: self.sent.place,
        }
    }
}

/// A subscription and its owner.
#[derive(Clone, Copy, Debug)]
pub struct Subscribed {
    pub id: SubscriptionId,
    pub owner: Option<MessageeId>,
}

impl Subscribed {
    /// Returns it as errors and traces name it.
    pub(crate) fn receiver(self) -> Receiver {
        let Self { id, owner } = self;
        Receiver::Subscription { id, owner }
    }
}

/// A receiver that can be busy: a component by type and slot, or a subscription by its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReceiverSlot {
    pub(crate) component: u32,
    pub(crate) slot: u32,
}

impl ReceiverSlot {
    /// Stored in place of a component type.
    const SUBSCRIPTION: u32 = u32::MAX;

    #[inline]
    pub(crate) fn subscription(id: SubscriptionId) -> Self {
        let (component, slot) = (Self::SUBSCRIPTION, id.0.place());
        Self { component, slot }
    }

    /// Returns the place in the table, if it is a subscription.
    pub(crate) fn as_subscription(self) -> Option<usize> {
        (self.component == Self::SUBSCRIPTION).then_some(self.slot as usize)
    }

    /// Returns the messagee of the component, or `None` if it is a subscription.
    pub(crate) fn owner(self, pools: &Pools) -> Option<MessageeId> {
        let is_component = self.as_subscription().is_none();
        is_component.then(|| pools.at(self.component).owner(self.slot as usize))
    }

    /// Returns the receiver, as errors and traces name it.
    pub(crate) fn receiver(self, sent: &Sent<'_>) -> Receiver {
        if let Some(at) = self.as_subscription() {
            let it = sent.world.listen.subscriptions.at(at);
            return it
                .expect("a running subscription exists")
                .subscribed
                .receiver();
        }
        let pool = sent.world.structure.pools.at(self.component);
        receiver_at(pool, self.slot as usize)
    }
}

/// Returns the component in a slot, as errors and traces name it.
pub(crate) fn receiver_at(pool: &Pool, slot: usize) -> Receiver {
    Receiver::Component {
        messagee: pool.owner(slot),
        component: pool.component_name(),
    }
}
