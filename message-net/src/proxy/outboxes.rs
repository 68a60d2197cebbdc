//! The outboxes of a manager: its carrier.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use message_core::carrier::{Carrier, Carrying};
use message_core::error::CarryError;
use message_core::registry::MessageIndex;
use message_core::{AnyMessage, MessageeId};

use crate::name::NodeName;
use crate::proxy::Outbox;
use crate::proxy::outbox::KnownTypes;

/// The outboxes of a manager, by number. The destination of a proxy is the number of its outbox.
#[derive(Debug, Default)]
pub(crate) struct Outboxes {
    /// In a cell because sends write to them.
    pub(super) open: RefCell<BTreeMap<u32, Outbox>>,
    /// The nodes for which they are, if they were opened by a node.
    pub(super) nodes: BTreeMap<u32, NodeName>,
    /// The number of outboxes that were ever opened.
    pub(super) made: u32,
    pub(super) known: RefCell<KnownTypes>,
    /// The messagees whose end is watched.
    pub(super) watched: BTreeSet<MessageeId>,
    /// The watched messagees that have ended, in order.
    pub(super) ended: Vec<MessageeId>,
}

impl Carrier for Outboxes {
    fn carry(
        &self,
        destination: u32,
        carrying: Carrying<'_>,
        message: &dyn AnyMessage,
    ) -> Result<(), CarryError> {
        let mut open = self.open.borrow_mut();
        let outbox = open.get_mut(&destination);
        let outbox = outbox.ok_or(CarryError::Unreachable)?;
        outbox.write(carrying, message, &mut self.known.borrow_mut())
    }

    fn has_carried(&self, of: MessageIndex) -> bool {
        let known = self.known.borrow();
        let mut carried = known.values().filter(|known| known.is_carried);
        carried.any(|known| known.index == Some(of))
    }

    fn note_end(&mut self, id: MessageeId) {
        if self.watched.remove(&id) {
            self.ended.push(id);
        }
    }
}

impl Outboxes {
    /// Adds an outbox and returns its number.
    pub(super) fn add(&mut self, outbox: Outbox) -> u32 {
        let number = self.made;
        self.made += 1;
        self.open.get_mut().insert(number, outbox);
        number
    }

    /// Returns the node for which an outbox is.
    pub(crate) fn node(&self, outbox: u32) -> Option<&NodeName> {
        self.nodes.get(&outbox)
    }
}
