//! Saving and restoring the storage.

use std::any::TypeId;

use crate::address::MessageeId;
use crate::storage::{Families, Pool, Pools};

impl Pool {
    /// Returns the places of the hooks, in the order of the values.
    pub(crate) fn hook_places(&self) -> impl Iterator<Item = u32> {
        self.roster().hooks()
    }

    /// Disables all but the first `enabled` components. All were enabled before.
    pub(crate) fn restore_enabled(&mut self, enabled: usize) {
        self.roster_mut().restore_active(enabled);
    }
}

impl Pools {
    /// Returns the type of the components with an index.
    pub(crate) fn type_of(&self, component: u32) -> Option<TypeId> {
        let found = self.types().find(|(_, index)| *index == component);
        found.map(|(of, _)| of)
    }

    /// Returns the pools that are not empty with the types of their components, by index.
    pub(crate) fn by_type(&self) -> Vec<(TypeId, &Pool)> {
        let mut types: Vec<_> = self.types().collect();
        types.sort_unstable_by_key(|(_, index)| *index);
        let pools = types.into_iter().filter_map(|(of, index)| {
            let pool = self.get(index)?;
            (pool.roster().len() > 0).then_some((of, pool))
        });
        pools.collect()
    }

    /// Disables all but the first `enabled` components of a type. All were enabled before.
    pub(crate) fn restore_enabled(&mut self, of: TypeId, enabled: usize) {
        if let Some(index) = self.index_of(of) {
            self.at_mut(index).restore_enabled(enabled);
        }
    }
}

impl Families {
    /// Returns the messagees that have children.
    pub(crate) fn parents(
        &self,
        messagees: impl Iterator<Item = MessageeId>,
    ) -> impl Iterator<Item = MessageeId> {
        messagees.filter(|&id| self.has_children(id))
    }
}
