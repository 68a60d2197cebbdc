//! What a save tells of the storage, and how it comes back.

use crate::address::MessageeId;
use crate::storage::messagees::MANY;
use crate::storage::{Families, Messagees, Pool};

impl Pool {
    /// The places of the hooks, in the order of the values.
    pub(crate) fn hook_places(&self) -> impl Iterator<Item = u32> {
        self.roster().hooks()
    }

    /// Only the first so many components are enabled. All were before.
    pub(crate) fn restore_enabled(&mut self, enabled: usize) {
        self.roster_mut().restore_active(enabled);
    }
}

impl Messagees {
    /// Puts the hooks of a messagee in this order. They are its own, all of them.
    pub(crate) fn restore_order(&mut self, owner: MessageeId, hooks: &[u32]) {
        let record = self.records.get_mut(owner.0.index());
        let record = record.expect("the messagee was brought to life");
        let own = if record.len == MANY {
            &mut self.lists[record.hooks[0] as usize][..]
        } else {
            &mut record.hooks[..usize::from(record.len)]
        };
        own.copy_from_slice(hooks);
    }
}

impl Families {
    /// Who has children.
    pub(crate) fn parents(
        &self,
        messagees: impl Iterator<Item = MessageeId>,
    ) -> impl Iterator<Item = MessageeId> {
        messagees.filter(|&id| self.has_children(id))
    }
}
