//! Runs of messages of one type, from one sender to one receiver.
//!
//! Most messages of a batch belong to such a run. Findings about the first one hold for the others, as long as
//! both messagees are alive: nothing that a handler can do changes what the node knows of another one.

use message_core::{MessageManager, MessageeId, Recipient};
use message_data::MessageBuffer;

use crate::node::accept::Readable;

/// The route of a message that was accepted.
pub(crate) struct Way {
    pub(crate) known: Readable,
    pub(crate) to: Recipient,
    /// The proxy of its sender.
    pub(crate) from: MessageeId,
    /// Keeps the memory of one message for the next one.
    pub(crate) buffer: MessageBuffer,
}

impl Way {
    #[inline]
    pub(crate) fn holds(&self, manager: &MessageManager) -> bool {
        let is_there = match self.to {
            Recipient::Id(id) => manager.is_alive(id),
            _ => true,
        };
        is_there && manager.is_alive(self.from)
    }
}
