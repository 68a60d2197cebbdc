//! The end of an outermost send: what waits in [`Pending`](super::Pending) is done, one after the other,
//! until nothing is left.

use crate::trace::because_of;
use crate::world::{Task, World};

impl World {
    /// Queues a change for the end of the outermost send.
    pub(crate) fn later(&self, change: impl FnOnce(&mut World) + Send + 'static) {
        self.waiting.pending.later(self.trace.cause(), change);
    }

    /// Queues what follows from a change before the next one.
    pub(crate) fn next(&mut self, consequence: Task) {
        self.waiting.pending.next(self.trace.cause(), consequence);
    }

    /// The end of an outermost send.
    #[inline]
    pub(crate) fn settle_outermost(&mut self) {
        if self.waiting.pending.is_unsettled() {
            self.settle();
            self.waiting.kept.restart_count();
        }
    }

    /// Makes every pending change, and delivers what a panic has left undelivered.
    pub(crate) fn settle(&mut self) {
        while self.waiting.pending.is_unsettled() {
            self.settle_kept();
            match self.waiting.pending.take_next() {
                Some((cause, task)) if self.trace.is_on() => {
                    because_of(self, |world| &world.trace, cause, task);
                }
                Some((_, task)) => task(self),
                None => {
                    self.end_failures();
                    self.waiting.pending.clear_expectations();
                }
            }
        }
    }

    /// Delivers what is still kept when nothing is running. Has to come before any component
    /// changes its place.
    pub(crate) fn settle_kept(&mut self) {
        while let Some(spot) = self.waiting.kept.first() {
            if spot.as_subscription().is_none()
                && self
                    .structure
                    .pools
                    .at(spot.component)
                    .is_busy(spot.slot as usize, false)
            {
                // Nothing is running, so this is a borrow whose guard was leaked.
                self.structure.pools.at_mut(spot.component).free_all();
            }
            self.deliver_kept(None, spot);
        }
    }
}
