//! Deciding whether a recipient includes a messagee.

use crate::address::{MessageeId, Recipient, Sender};
use crate::structure::{Hooking, Structure};

impl Structure {
    /// Returns `true` if a recipient includes a messagee when that sender uses it.
    pub(crate) fn is_meant(&self, id: MessageeId, recipient: Recipient, sender: Sender) -> bool {
        // The place of a messagee that is gone may be taken by a new one with a family of its own.
        let is_above = |high: MessageeId, low: MessageeId| {
            high == low || self.exists(low) && self.addresses.is_above(high, low)
        };
        match self.addresses.resolve(recipient) {
            Recipient::Everyone => true,
            Recipient::EveryoneElse => sender.id() != Some(id),
            Recipient::Me => sender.id() == Some(id),
            Recipient::Id(to) => to == id,
            Recipient::Mnemonic(_) | Recipient::UpFrom(_) | Recipient::DownFrom(_) => false,
            Recipient::Group(group) => self.addresses.is_member(group, id),
            Recipient::Up(low) => is_above(id, low),
            Recipient::Down(high) => is_above(high, id),
            Recipient::Hook(hook) => match self.hooking(hook) {
                Hooking::Attached(at) => at.owner == id,
                Hooking::Awaited(owner) => owner == id,
                Hooking::Gone | Hooking::Foreign => false,
            },
        }
    }
}
