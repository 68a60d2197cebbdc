//! Changes that handlers asked for, until the outermost send returns.
//!
//! A change is a closure over the world it will be made in. The immediate consequences of a change
//! (lifecycle messages, messages kept for a newborn) go to a queue of its own that is emptied before the
//! next change. Everything is queued before it is begun, so a panic in a handler loses none of it.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use crate::caught::FirstPanic;
use crate::trace::TraceId;
use crate::world::World;

/// A change that waits.
pub(crate) type Task = Box<dyn FnOnce(&mut World) + Send>;

/// A change that waits, and its cause, if that is traced.
type Caused = (Option<TraceId>, Task);

#[derive(Default)]
pub(crate) struct Pending {
    changes: RefCell<VecDeque<Caused>>,
    consequences: VecDeque<Caused>,
    pub(super) unsettled: Cell<bool>,
}

impl Pending {
    #[inline]
    pub(crate) fn is_unsettled(&self) -> bool {
        self.unsettled.get()
    }

    /// Notes that something is to be done when the outermost send returns.
    #[inline]
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
    #[inline]
    pub(super) fn next(&mut self, cause: Option<TraceId>, consequence: Task) {
        self.consequences.push_back((cause, consequence));
        self.mark_unsettled();
    }

    /// Takes the next task: the consequences of the last change come before the next change.
    #[inline]
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
