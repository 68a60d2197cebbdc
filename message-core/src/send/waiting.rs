//! The receivers of a send that cannot receive the message now.

use smallvec::SmallVec;

use crate::address::{HookId, MessageeId, SubscriptionId};
use crate::error::SendError;
use crate::send::{Delivery, ReceiverSlot};
use crate::time::Stage;
use crate::world::World;

/// A receiver that can be sent to but is not yet there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Unborn {
    Messagee(MessageeId),
    Component(HookId),
}

/// The receivers that cannot receive a message now.
#[derive(Default)]
pub(crate) struct Waiting<'a> {
    /// The busy receivers that the message is kept for, or the one that refused it.
    pub(crate) busy: SmallVec<[ReceiverSlot; 4]>,
    /// The world that counts the busy receivers until the send ends. Messages sent to them meanwhile were
    /// sent later.
    promised_in: Option<&'a World>,
    /// The busy receivers that overhear the message.
    pub(crate) overhearing: SmallVec<[Overhearing; 2]>,
    /// The subscriptions that ask for retained messages and have received this one, or will.
    pub(crate) told: SmallVec<[SubscriptionId; 2]>,
    /// The subscriptions that receive it in a stage of their own.
    pub(crate) staged: SmallVec<[Staging; 4]>,
    /// The number of busy receivers that do not count as receivers.
    pub(crate) hidden: usize,
    /// The receiver that the whole send is for and that is not yet there. Nothing was delivered.
    pub(crate) unborn: Option<Unborn>,
    /// The messagees of a larger audience that are not yet alive.
    pub(crate) newborns: SmallVec<[MessageeId; 2]>,
    /// The proxies in the audience whose outboxes do not have the message yet.
    pub(crate) proxies: SmallVec<[MessageeId; 2]>,
    /// The number of proxies that could not be reached.
    pub(crate) unreached: u32,
    /// The error of a send to a single proxy that could not be reached.
    pub(crate) not_carried: Option<SendError>,
    /// The interceptor that is busy, and its number. Nothing was delivered.
    pub(crate) intercepting: Option<(ReceiverSlot, u64)>,
}

/// A busy component that overhears a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overhearing {
    pub(crate) spot: ReceiverSlot,
    /// The subscription that makes it overhear.
    pub(crate) by: SubscriptionId,
    /// `true` if this is the one message that the subscription wanted, and others have received it.
    pub(crate) has_used_up: bool,
}

/// A subscription that receives a message in a stage of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Staging {
    pub(crate) spot: ReceiverSlot,
    pub(crate) stage: Stage,
    /// The number of receivers that it counts for.
    pub(crate) counts: usize,
}

impl Waiting<'_> {
    /// Returns `true` if nobody waits except those that asked to receive it later.
    pub(crate) fn is_for_later(&self) -> bool {
        self.busy.is_empty()
            && self.unborn.is_none()
            && self.newborns.is_empty()
            && self.proxies.is_empty()
            && self.intercepting.is_none()
    }
}

impl Delivery<'_> {
    /// Notes a busy receiver.
    #[cold]
    pub(crate) fn add_busy(&mut self, spot: ReceiverSlot) {
        let world = self.sent.world;
        world.waiting.kept.promise(spot, &world.structure.pools);
        let waiting = self.waiting();
        waiting.promised_in = Some(world);
        waiting.busy.push(spot);
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(world) = self.promised_in {
            for &spot in &self.busy {
                world.waiting.kept.withdraw(spot, &world.structure.pools);
            }
        }
    }
}
