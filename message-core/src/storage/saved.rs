//! What a save tells of the storage, and how it comes back.

use crate::address::MessageeId;
use crate::storage::{Families, Pool};

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

impl Families {
    /// Who has children.
    pub(crate) fn parents(
        &self,
        messagees: impl Iterator<Item = MessageeId>,
    ) -> impl Iterator<Item = MessageeId> {
        messagees.filter(|&id| self.has_children(id))
    }
}
