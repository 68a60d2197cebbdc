//! Values that modules above keep in the world. The world does not know their types.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};

use crate::address::MessageeId;
use crate::subscription::Subscriptions;

/// Something that is attached to messagees and ends with them, such as wires.
pub(crate) trait Attached: Any + Send {
    /// Takes the values attached to a messagee that is leaving. The caller drops them one by one.
    fn take_all_of(
        &mut self,
        id: MessageeId,
        subscriptions: &mut Subscriptions,
    ) -> Vec<Box<dyn Any + Send>>;

    /// Takes everything. The caller drops the values one by one.
    fn take_all(&mut self) -> Vec<Box<dyn Any + Send>>;
}

/// A place for it, filled on first use.
pub(crate) type Attachment = OnceCell<Box<dyn Attached>>;

/// The log of a manager, if it writes one.
#[derive(Debug, Default)]
pub(crate) struct LogSlot {
    is_on: Cell<bool>,
    log: RefCell<Option<Box<dyn Any + Send>>>,
}

impl LogSlot {
    pub(crate) fn is_on(&self) -> bool {
        self.is_on.get()
    }

    pub(crate) fn start<L: Any + Send>(&mut self, log: L) {
        self.is_on.set(true);
        *self.log.get_mut() = Some(Box::new(log));
    }

    pub(crate) fn stop<L: Any>(&self) -> Option<Box<L>> {
        self.is_on.set(false);
        self.log.take()?.downcast().ok()
    }

    /// Calls a function with the log, if there is one.
    pub(crate) fn with<L: Any, T>(&self, act: impl FnOnce(&mut L) -> T) -> Option<T> {
        let mut log = self.log.borrow_mut();
        log.as_deref_mut()?.downcast_mut().map(act)
    }
}
