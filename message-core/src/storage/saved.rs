//! What a save tells of the storage, and how it comes back.

use std::any::TypeId;

use crate::address::MessageeId;
use crate::storage::{Families, Pool, Pools};

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

impl Pools {
    /// The type of the components with that index.
    pub(crate) fn type_of(&self, component: u32) -> Option<TypeId> {
        let found = self.types().find(|(_, index)| *index == component);
        found.map(|(of, _)| of)
    }

    /// The pools that are not empty, with the types of their components, by index.
    pub(crate) fn by_type(&self) -> Vec<(TypeId, &Pool)> {
        let mut types: Vec<_> = self.types().collect();
        types.sort_unstable_by_key(|(_, index)| *index);
        let pools = types.into_iter().filter_map(|(of, index)| {
            let pool = self.get(index)?;
            (pool.roster().len() > 0).then_some((of, pool))
        });
        pools.collect()
    }

    /// The components of a type are all there, enabled: only the first so many stay so.
    pub(crate) fn restore_enabled(&mut self, of: TypeId, enabled: usize) {
        if let Some(index) = self.index_of(of) {
            self.at_mut(index).restore_enabled(enabled);
        }
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
