//! Saving and restoring the storage.

use std::any::TypeId;

use crate::storage::{Pool, Pools};

impl Pools {
    /// Returns the type of the components with an index, if one was ever hooked here.
    pub(crate) fn type_of(&self, component: u32) -> Option<TypeId> {
        self.get(component).map(Pool::type_of)
    }

    /// Returns the pools that are not empty with the types of their components, by index.
    pub(crate) fn by_type(&self) -> impl Iterator<Item = (TypeId, &Pool)> {
        let pools = self.iter().filter(|pool| pool.roster().len() > 0);
        pools.map(|pool| (pool.type_of(), pool))
    }

    /// Disables all but the first `enabled` components of a type. All were enabled before.
    pub(crate) fn restore_enabled(&mut self, of: TypeId, enabled: usize) {
        if let Some(index) = self.index_of(of) {
            self.at_mut(index).roster_mut().restore_active(enabled);
        }
    }
}
