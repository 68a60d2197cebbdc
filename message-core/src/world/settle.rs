//! The end of an outermost send: the changes in [`Pending`](super::Pending) are made, one after the
//! other, until nothing is left.

use crate::send::Redelivery;
use crate::trace::because_of;
use crate::world::World;

impl World {
    /// Queues a change for the end of the outermost send.
    pub(crate) fn later(&self, change: impl FnOnce(&mut World) + Send + 'static) {
        self.waiting.pending.later(self.trace.cause(), change);
    }

    /// Ends an outermost send: makes every pending change, and delivers the messages that a panic has left
    /// undelivered.
    #[inline]
    pub(crate) fn settle_outermost(&mut self) {
        if self.waiting.pending.is_unsettled() {
            settle(self);
        }
    }
}

fn settle(world: &mut World) {
    while world.waiting.pending.is_unsettled() {
        settle_kept(world);
        match world.waiting.pending.take_next() {
            Some((cause, task)) if world.trace.is_on() => {
                because_of(world, |world| &world.trace, cause, task);
            }
            Some((_, task)) => task(world),
            None => {
                if let Some(failure) = world.waiting.failures.end_dispatch() {
                    world.report(&failure);
                }
                world.structure.expected.end_dispatch();
                world.waiting.pending.unsettled.set(false);
            }
        }
    }
    world.waiting.kept.restart_count();
}

/// Delivers the messages that are still kept when nothing is running. Must run before any component changes
/// its place.
pub(super) fn settle_kept(world: &mut World) {
    while let Some(spot) = world.waiting.kept.spots().first().copied() {
        if spot.as_subscription().is_none() {
            world.structure.pools.at_mut(spot.component).free(spot.slot);
        }
        Redelivery::outside(world).deliver_kept(spot);
    }
}
