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

/// Something is to be done when the outermost send returns.
const UNSETTLED: u8 = 1;

/// A sink receives the inputs.
const OBSERVED: u8 = 2;

#[derive(Default)]
pub struct Pending {
    changes: RefCell<VecDeque<Caused>>,
    consequences: VecDeque<Caused>,
    /// [`UNSETTLED`] and [`OBSERVED`] in one byte, so that the short ways of calls from outside ask for both at once:
    /// W1, W5.
    state: Cell<u8>,
}

impl Pending {
    pub fn is_unsettled(&self) -> bool {
        self.state.get() & UNSETTLED != 0
    }

    /// Returns `true` if a sink receives the inputs.
    pub fn is_observed(&self) -> bool {
        self.state.get() & OBSERVED != 0
    }

    /// Returns `true` if a call from outside need neither pass an input nor settle.
    pub(crate) fn is_quiet(&self) -> bool {
        self.state.get() == 0
    }

    /// Notes that something is to be done when the outermost send returns.
    pub(crate) fn mark_unsettled(&self) {
        self.set(UNSETTLED, true);
    }

    pub(crate) fn set_observed(&self, is_observed: bool) {
        self.set(OBSERVED, is_observed);
    }

    fn set(&self, flag: u8, is_on: bool) {
        let others = self.state.get() & !flag;
        self.state.set(others | if is_on { flag } else { 0 });
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

    /// Frees the memory of the queues, which are empty.
    pub(super) fn shrink_to_fit(&mut self) {
        self.consequences.shrink_to_fit();
        self.changes.get_mut().shrink_to_fit();
    }

    /// Drops the waiting changes, one by one.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        panics.drop_each(self.consequences.drain(..));
        panics.drop_each(self.changes.get_mut().drain(..));
    }
}

impl World {
    /// Queues a change for the end of the outermost send.
    pub fn later(&self, change: impl FnOnce(&mut World) + Send + 'static) {
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
        let pending = &mut world.waiting.pending;
        let consequence = pending.consequences.pop_front();
        match consequence.or_else(|| pending.changes.get_mut().pop_front()) {
            Some((cause, task)) if world.trace.is_on() => {
                because_of(world, |world| &world.trace, cause, task);
            }
            Some((_, task)) => task(world),
            None => {
                if let Some(failure) = world.waiting.failures.end_dispatch() {
                    world.report(&failure);
                }
                world.structure.expected.end_dispatch();
                world.waiting.pending.set(UNSETTLED, false);
            }
        }
    }
    world.waiting.kept.accepted.set(0);
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
