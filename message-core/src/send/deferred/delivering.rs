//! Kept messages on their way back into delivery.

use std::sync::{Arc, MutexGuard, TryLockError};

use crate::address::SubscriptionId;
use crate::send::deferred::send::{KeptSend, Shared};
use crate::send::{Frame, ReceiverSlot, Sent};
use crate::structure::Unborn;
use crate::world::World;

/// The delivery of kept messages, within a running handler or outside of all.
#[derive(Clone, Copy)]
pub(crate) struct Redelivery<'w> {
    pub(super) world: &'w World,
    pub(super) parent: Option<&'w Frame<'w>>,
}

/// Returns a kept message, unless it is being delivered.
pub fn lock(shared: &Shared) -> Option<MutexGuard<'_, KeptSend>> {
    match shared.try_lock() {
        Ok(message) => Some(message),
        Err(TryLockError::Poisoned(message)) => Some(message.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

impl<'w> Redelivery<'w> {
    /// Makes the redelivery outside all handlers, where nobody else delivers a shared message.
    pub(crate) fn outside(world: &'w World) -> Self {
        let parent = None;
        Self { world, parent }
    }

    /// Makes the redelivery inside the handler that has sent a message, if one has.
    pub(crate) fn of(sent: &Sent<'w>) -> Self {
        let Sent { world, parent, .. } = *sent;
        Self { world, parent }
    }

    /// Delivers a shared message. Returns `None` if it is being delivered already. Lost receivers are reported when the
    /// outermost send ends: more can be lost until then.
    pub(super) fn deliver<T>(
        self,
        shared: &Shared,
        deliver: impl FnOnce(&mut KeptSend) -> T,
    ) -> Option<T> {
        let mut message = lock(shared)?;
        let had_lost = !message.lost.is_empty();
        let delivered = deliver(&mut message);
        if !message.lost.is_empty() && !had_lost {
            let shared = Arc::clone(shared);
            self.world.later(move |world| {
                let is_last = Arc::strong_count(&shared) == 1;
                let on = Redelivery::outside(world);
                if let Some(mut message) = lock(&shared) {
                    message.bury(on, is_last);
                }
            });
        }
        Some(delivered)
    }

    /// Delivers the messages kept for a component or a subscriber, if it is free now.
    #[cold]
    pub(crate) fn deliver_kept(self, spot: ReceiverSlot) {
        let world = self.world;
        let (kept, pools) = (&world.waiting.kept, &world.structure.pools);
        let Some(_draining) = kept.drain(spot) else {
            return;
        };
        let is_running = || match spot.as_subscription() {
            None => pools.at(spot.component).is_busy(spot.slot as usize, false),
            Some(at) => {
                let subscriptions = &world.listen.subscriptions;
                subscriptions
                    .at(at)
                    .is_some_and(|it| subscriptions.is_running(it))
            }
        };
        while !is_running() {
            let Some(entry) = kept.pop(spot, pools) else {
                return;
            };
            let delivered = self.deliver(&entry.message, |message| message.deliver(self, spot));
            if delivered.is_none() {
                return kept.put_back(spot, entry, pools);
            }
        }
    }

    /// Delivers a message to a subscriber whose stage has come.
    pub(crate) fn deliver_staged(self, shared: &Shared, id: SubscriptionId) {
        if self.world.listen.subscriptions.find(id).is_some() {
            self.deliver(shared, |message| {
                // The send in which messagees overheard something has ended.
                message.cover.overhearers = Box::default();
                message.deliver(self, ReceiverSlot::subscription(id));
            });
        }
    }

    /// Delivers a message to a receiver that has just come.
    pub(crate) fn deliver_to_unborn(self, shared: &Shared, unborn: Unborn) {
        let receivers = self.deliver(shared, |message| message.receivers_in(self, unborn));
        for spot in receivers.unwrap_or_default() {
            self.deliver(shared, |message| message.deliver(self, spot));
        }
    }
}
