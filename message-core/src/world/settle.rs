//! The end of an outermost send: what waits in [`Pending`](super::Pending) is done, one after the other,
//! until nothing is left.

use crate::send::Redelivery;
use crate::trace::because_of;
use crate::world::World;

impl World {
    /// Queues a change for the end of the outermost send.
    pub(crate) fn later(&self, change: impl FnOnce(&mut World) + Send + 'static) {
        self.waiting.pending.later(self.trace.cause(), change);
    }

    /// Ends an outermost send: makes every pending change, and delivers what a panic has left undelivered.
    #[inline]
    pub(crate) fn settle_outermost(&mut self) {
        if self.waiting.pending.is_unsettled() {
            self.settle();
        }
    }

    fn settle(&mut self) {
        self.structure.keep_parted();
        while self.waiting.pending.is_unsettled() {
            self.settle_kept();
            match self.waiting.pending.take_next() {
                Some((cause, task)) if self.trace.is_on() => {
                    because_of(self, |world| &world.trace, cause, task);
                }
                Some((_, task)) => task(self),
                None => {
                    if let Some(failure) = self.waiting.failures.end_dispatch() {
                        self.report(&failure);
                    }
                    self.structure.expected.end_dispatch();
                    self.waiting.pending.mark_settled();
                }
            }
        }
        self.waiting.kept.restart_count();
    }

    /// Delivers what is still kept when nothing is running. Has to come before any component
    /// changes its place.
    pub(super) fn settle_kept(&mut self) {
        while let Some(spot) = self.waiting.kept.first() {
            if spot.as_subscription().is_none() {
                let pool = self.structure.pools.at_mut(spot.component);
                if pool.is_busy(spot.slot as usize, false) {
                    // Nothing is running, so this is a borrow whose guard was leaked.
                    pool.free_all();
                }
            }
            Redelivery::outside(self).deliver_kept(spot);
        }
    }
}
