//! The outboxes of a manager, for messages to messagees of other managers.
//!
//! The record of a proxy has the number of its outbox. Outboxes are in cells because sends write to them.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::{SendError, SendErrorKind};
use crate::hash::HashedSet;
use crate::header::Header;
use crate::message::{AnyMessage, MessageIndex};
use crate::storage::{Messagees, Record};

/// The data that is carried with a message.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(feature = "data"),
    expect(dead_code, reason = "only a `Carrier` reads them, and there is none")
)]
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
    /// The types of messages that were sent to a proxy.
    carried: RefCell<HashedSet<MessageIndex>>,
    /// The messagees whose end is watched.
    watched: BTreeSet<MessageeId>,
    /// The watched messagees that have ended, in order.
    ended: Vec<MessageeId>,
}

impl Proxies {
    /// Returns the outbox with that number, if it has this type.
    #[cfg(feature = "data")]
    pub(crate) fn outbox<C: Carrier>(&mut self, number: u32) -> Option<&mut C> {
        let outbox: &mut dyn Any = &mut **self.outboxes.get_mut().get_mut(&number)?;
        outbox.downcast_mut()
    }

    #[cfg(feature = "data")]
    pub(crate) fn watch_end(&mut self, id: MessageeId) {
        self.watched.insert(id);
    }

    #[cfg(feature = "data")]
    pub(crate) fn take_ended(&mut self) -> Vec<MessageeId> {
        std::mem::take(&mut self.ended)
    }

    /// Notes that a messagee has ended.
    pub(crate) fn note_end(&mut self, id: MessageeId) {
        if !self.watched.is_empty() && self.watched.remove(&id) {
            self.ended.push(id);
        }
    }

    /// Returns `true` if there can be proxies.
    pub(crate) fn any(&self) -> bool {
        cfg!(feature = "data") && self.made.get() > 0
    }

    /// Returns `true` if a message of that type was sent to a proxy.
    pub(crate) fn have_carried(&self, of: MessageIndex) -> bool {
        self.carried.borrow().contains(&of)
    }

    /// Returns the proxy that a post with this header is addressed to by its id.
    pub(crate) fn posted_to(&self, header: &Header, messagees: &Messagees) -> Option<MessageeId> {
        match header.recipient() {
            Recipient::Id(id) if self.any() && messagees.is_proxy(id) => Some(id),
            _ => None,
        }
    }

    /// Writes a message into the outbox of a proxy.
    pub(crate) fn carry(
        &self,
        messagees: &Messagees,
        carrying: Carrying<'_>,
        message: &dyn AnyMessage,
    ) -> Result<(), SendError> {
        let unreachable = SendErrorKind::Unreachable {
            id: carrying.proxy,
            message: message.name(),
        };
        let record = messagees.get(carrying.proxy);
        let Some(outbox) = record.and_then(Record::outbox) else {
            return Err(unreachable.into());
        };
        let mut outboxes = self.outboxes.borrow_mut();
        let outbox = outboxes.get_mut(&outbox).ok_or(unreachable)?;
        outbox.carry(carrying, message)?;
        if let Some(table) = message.facts().table() {
            self.carried.borrow_mut().insert(table.index);
        }
        Ok(())
    }
}
