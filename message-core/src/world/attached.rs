//! What rooms above the world keep in it. They alone know the types.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};

use crate::address::MessageeId;
use crate::subscription::Subscriptions;

/// What is attached to messagees.
pub(crate) trait Attached: Any + Send {
    /// Takes what is attached to one who goes, to be dropped one by one.
    fn take_all_of(
        &mut self,
        id: MessageeId,
        subscriptions: &mut Subscriptions,
    ) -> Vec<Box<dyn Any + Send>>;

    /// Takes everything, to be dropped one by one.
    fn take_all(&mut self) -> Vec<Box<dyn Any + Send>>;
}

/// A place for it, filled when it is first asked for.
pub(crate) type Attachment = OnceCell<Box<dyn Attached>>;

/// The log of a manager, if it writes one.
#[derive(Debug, Default)]
pub(crate) struct LogSlot {
    is_on: Cell<bool>,
    log: RefCell<Option<Box<dyn Any + Send>>>,
}

impl LogSlot {
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.is_on.get()
    }

    pub(crate) fn start<L: Any + Send>(&mut self, log: L) {
        self.is_on.set(true);
        *self.log.get_mut() = Some(Box::new(log));
    }

    pub(crate) fn stop<L: Any>(&mut self) -> Option<Box<L>> {
        self.is_on.set(false);
        self.log.get_mut().take()?.downcast().ok()
    }

    /// Does something with the log, if there is one.
    pub(crate) fn with<L: Any, T>(&self, act: impl FnOnce(&mut L) -> T) -> Option<T> {
        let mut log = self.log.borrow_mut();
        log.as_deref_mut()?.downcast_mut().map(act)
    }
}
