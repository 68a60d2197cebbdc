//! Components by the ids of their types and by their hooks, for code that does not know the types.

use std::any::TypeId;

use crate::address::HookId;
use crate::storage::Pool;
use crate::structure::Structure;

impl Structure {
    /// Returns the pools that are not empty, by index.
    pub(crate) fn filled_pools(&self) -> impl Iterator<Item = &Pool> {
        self.pools.iter().filter(|pool| pool.len() > 0)
    }

    /// Returns the pool and the slot of a hook's component, if it is attached.
    pub(crate) fn pool_of(&self, hook: HookId) -> Option<(&Pool, usize)> {
        let at = self.find_hook(hook)?;
        Some((self.pools.at(at.component), at.slot as usize))
    }

    /// Returns the pool of a component type, if there were any components of it.
    pub(crate) fn pool_mut(&mut self, component: TypeId) -> Option<&mut Pool> {
        Some(self.pools.at_mut(self.pools.index_with_pool(component)?))
    }

    /// Returns the hooks of all components of a type, in the order of storage.
    pub(crate) fn hooks_of_type(&self, component: TypeId) -> impl Iterator<Item = HookId> {
        let index = self.pools.index_of(component);
        let pool = index.and_then(|index| self.pools.get(index)).into_iter();
        let slots = pool.flat_map(|pool| (0..pool.len()).map(move |slot| (pool, slot)));
        slots.map(|(pool, slot)| self.keys.hook_in(pool, slot))
    }
}
