//! Changes that handlers asked for, until the outermost send returns.
//!
//! A change is a closure over the world it will be made in. The immediate consequences of a change
//! (lifecycle messages, messages kept for a newborn) go to a queue of its own that is emptied before the
//! next change. Everything is queued before it is begun, so a panic in a handler loses none of it. At the end of an
//! outermost send the changes are made, one after the other, until nothing is left.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use crate::caught::FirstPanic;
use crate::send::Redelivery;
use crate::trace::{TraceId, because_of};
use crate::world::World;

/// A change that waits.
pub(crate) type Task = Box<dyn FnOnce(&mut World) + Send>;

/// A change that waits, and its cause, if that is traced.
type Caused = (Option<TraceId>, Task);

#[derive(Default)]
pub(crate) struct Pending {
    changes: RefCell<VecDeque<Caused>>,
    consequences: VecDeque<Caused>,
    unsettled: Cell<bool>,
}

impl Pending {
    pub(crate) fn is_unsettled(&self) -> bool {
        self.unsettled.get()
    }

    /// Notes that something is to be done when the outermost send returns.
    pub(crate) fn mark_unsettled(&self) {
        self.unsettled.set(true);
    }

    /// Queues a change for the end of the outermost send, with its cause.
    pub(crate) fn later(
        &self,
        cause: Option<TraceId>,
        change: impl FnOnce(&mut World) + Send + 'static,
    ) {
        let mut changes = self.changes.borrow_mut();
        changes.push_back((cause, Box::new(change)));
        self.mark_unsettled();
    }

    /// Queues the consequences of a change before the next change.
    pub(super) fn next(&mut self, cause: Option<TraceId>, consequence: Task) {
        self.consequences.push_back((cause, consequence));
        self.mark_unsettled();
    }

    /// Takes the next task: the consequences of the last change come before the next change.
    pub(super) fn take_next(&mut self) -> Option<Caused> {
        let consequence = self.consequences.pop_front();
        consequence.or_else(|| self.changes.get_mut().pop_front())
    }

    /// Drops the waiting changes, one by one.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        panics.drop_each(self.consequences.drain(..));
        panics.drop_each(self.changes.get_mut().drain(..));
    }
}

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
