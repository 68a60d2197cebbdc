//! The parts of the world that a save reads and restores.

use crate::message::MessageIndex;
use crate::registry::{MessageInfo, Registry};
use crate::world::Common;

impl Common {
    pub(crate) fn message_info(&self, of: MessageIndex) -> &'static MessageInfo {
        let known = self.registry.messages.get(of.get());
        // The manager may not have taken up the type yet.
        let newest = || Registry::published()?.messages.get(of.get());
        known
            .or_else(newest)
            .expect("a type with an index is in the registry")
    }
}
