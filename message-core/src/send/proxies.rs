//! The outboxes of a manager, for messages to messagees of other managers.
//!
//! The record of a proxy has the number of its outbox. Outboxes are in cells because sends write to them.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::Location;

use crate::address::{MessageeId, Sender};
use crate::error::SendError;
use crate::header::Header;
use crate::message::{AnyMessage, MessageIndex};

/// The data that is carried with a message.
#[derive(Clone, Copy)]
pub(crate) struct Carrying<'a> {
    pub(crate) proxy: MessageeId,
    pub(crate) sender: Sender,
    pub(crate) header: Option<&'a Header>,
    pub(crate) place: &'static Location<'static>,
}

/// An outbox. [`proxy`](crate::proxy), a module above, implements it.
pub(crate) trait Carrier: Any + Send + fmt::Debug {
    fn carry(&mut self, carrying: Carrying<'_>, message: &dyn AnyMessage) -> Result<(), SendError>;
}

/// The outboxes of a manager.
#[derive(Debug, Default)]
pub(crate) struct Proxies {
    pub(crate) outboxes: RefCell<BTreeMap<u32, Box<dyn Carrier>>>,
    pub(crate) made: Cell<u32>,
    /// By message type: `true` if a message of it was sent to a proxy.
    carried: RefCell<Vec<bool>>,
    /// The messagees whose end is watched.
    watched: BTreeSet<MessageeId>,
    /// The watched messagees that have ended, in order.
    ended: Vec<MessageeId>,
}

impl Proxies {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Returns the outbox with that number, if it has this type.
    pub(crate) fn outbox<C: Carrier>(&mut self, number: u32) -> Option<&mut C> {
        let outbox: &mut dyn Any = &mut **self.outboxes.get_mut().get_mut(&number)?;
        outbox.downcast_mut()
    }

    pub(crate) fn watch_end(&mut self, id: MessageeId) {
        self.watched.insert(id);
    }

    pub(crate) fn take_ended(&mut self) -> Vec<MessageeId> {
        std::mem::take(&mut self.ended)
    }

    /// Notes that a messagee has ended.
    #[inline]
    pub(crate) fn note_end(&mut self, id: MessageeId) {
        if !self.watched.is_empty() && self.watched.remove(&id) {
            self.ended.push(id);
        }
    }

    /// Returns `true` if there can be proxies.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.made.get() > 0
    }

    /// Returns `true` if a message of that type was sent to a proxy.
    pub(crate) fn have_carried(&self, of: MessageIndex) -> bool {
        let carried = self.carried.borrow();
        carried.get(of.0 as usize).copied().unwrap_or_default()
    }

    /// Notes that a message of that type is sent to a proxy.
    pub(super) fn note_carried(&self, of: MessageIndex) {
        let mut carried = self.carried.borrow_mut();
        let at = of.0 as usize;
        if carried.len() <= at {
            carried.resize(at + 1, false);
        }
        carried[at] = true;
    }
}
