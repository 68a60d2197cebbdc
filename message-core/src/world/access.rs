//! Direct access to components.

use std::any::TypeId;
use std::cell::{Ref, RefMut};

use crate::address::{HookId, MessageeId};
use crate::component::Component;
use crate::error::MessageeError;
use crate::storage::Pool;
use crate::world::World;

impl World {
    pub(crate) fn get<C: Component>(&self, id: MessageeId) -> Result<Ref<'_, C>, MessageeError> {
        let (pool, slot) = self.find::<C>(id)?;
        pool.values().borrow(slot).ok_or_else(|| busy::<C>(id))
    }

    pub(crate) fn get_mut<C: Component>(
        &self,
        id: MessageeId,
    ) -> Result<RefMut<'_, C>, MessageeError> {
        let (pool, slot) = self.find::<C>(id)?;
        pool.values().borrow_mut(slot).ok_or_else(|| busy::<C>(id))
    }

    /// Like [`get_mut`](Self::get_mut), when nothing can be running.
    pub(crate) fn get_exclusive<C: Component>(
        &mut self,
        id: MessageeId,
    ) -> Result<&mut C, MessageeError> {
        let (pool, slot) = self.find::<C>(id)?;
        let component = pool.roster().component();
        Ok(self
            .structure
            .pools
            .at_mut(component)
            .values_mut()
            .get_mut(slot))
    }

    /// Returns the component of a hook, when nothing can be running.
    pub(crate) fn hooked_exclusive<C: Component>(
        &mut self,
        hook: HookId,
    ) -> Result<&mut C, MessageeError> {
        self.check_hooked_as::<C>(hook)?;
        let at = self.find_hook(hook);
        let at = at.ok_or(MessageeError::NotHooked { hook })?;
        Ok(self
            .structure
            .pools
            .at_mut(at.component)
            .values_mut()
            .get_mut(at.slot as usize))
    }

    /// Returns the hook of the first component of type `C` of a messagee.
    pub(crate) fn hook_of<C: Component>(&self, id: MessageeId) -> Result<HookId, MessageeError> {
        let (pool, slot) = self.find::<C>(id)?;
        Ok(self.structure.keys.hook_in(pool, slot))
    }

    /// Returns the hooks of the components of type `C` of a messagee, in hook order.
    pub(crate) fn hooks_of_type<C: Component>(&self, id: MessageeId) -> Vec<HookId> {
        let Some(index) = self.structure.pools.index_of(TypeId::of::<C>()) else {
            return Vec::new();
        };
        let components = self.structure.messagees.components_of(id);
        let of_type = components.filter(|at| at.component == index);
        of_type.map(|at| self.hook_at(at)).collect()
    }

    pub(crate) fn owner(&self, hook: HookId) -> Result<MessageeId, MessageeError> {
        self.check_hook(hook)?;
        let at = self.find_hook(hook);
        at.map(|at| at.owner)
            .ok_or(MessageeError::NotYetHooked { hook })
    }

    pub(crate) fn is_enabled(&self, hook: HookId) -> Result<bool, MessageeError> {
        self.check_hook(hook)?;
        let at = self.find_hook(hook);
        let at = at.ok_or(MessageeError::NotYetHooked { hook })?;
        Ok(self
            .structure
            .pools
            .at(at.component)
            .roster()
            .is_enabled(at.slot as usize))
    }

    /// Checks that a hook is live and holds a component of type `C`.
    pub(crate) fn check_hooked_as<C: Component>(&self, hook: HookId) -> Result<(), MessageeError> {
        self.check_hook(hook)?;
        let at = self.find_hook(hook);
        let at = at.ok_or(MessageeError::NotYetHooked { hook })?;
        if self.structure.pools.index_of(TypeId::of::<C>()) == Some(at.component) {
            return Ok(());
        }
        Err(MessageeError::WrongComponent {
            hook,
            expected: std::any::type_name::<C>(),
            found: self
                .structure
                .pools
                .at(at.component)
                .roster()
                .component_name(),
        })
    }

    /// Returns the first component of type `C` of a messagee.
    pub(super) fn find<C: Component>(
        &self,
        id: MessageeId,
    ) -> Result<(&Pool, usize), MessageeError> {
        self.find_of_type(id, TypeId::of::<C>(), std::any::type_name::<C>())
    }

    fn find_of_type(
        &self,
        id: MessageeId,
        of: TypeId,
        component: &'static str,
    ) -> Result<(&Pool, usize), MessageeError> {
        self.check_alive(id)?;
        let missing = || MessageeError::NoComponent { id, component };
        let index = self.structure.pools.index_of(of);
        let index = index.ok_or_else(missing)?;
        let record = self
            .structure
            .messagees
            .get(id)
            .ok_or(MessageeError::Gone { id })?;
        let mut hooks = self.structure.messagees.components(record);
        let at = hooks.find(|at| at.component == index).ok_or_else(missing)?;
        Ok((self.structure.pools.at(index), at.slot as usize))
    }
}

pub(super) fn busy<C>(id: MessageeId) -> MessageeError {
    MessageeError::Busy {
        id,
        component: std::any::type_name::<C>(),
    }
}
