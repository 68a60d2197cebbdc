//! Direct access to components.

use std::any::TypeId;
use std::cell::{Ref, RefMut};

use crate::address::{HookId, MessageeId};
use crate::component::Component;
use crate::error::MessageeError;
use crate::names::Names;
use crate::storage::{Hook, Pool, Values};
use crate::structure::Structure;

impl Structure {
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

    /// Lets components of a type be borrowed at the same time, each on its own.
    pub(crate) fn part<C: Component>(&self) {
        if let Some(pool) = self.pools.of::<C>() {
            pool.values::<C>().part();
        }
    }

    /// Returns all components of a type with their messagees, in storage order, the disabled ones last.
    ///
    /// # Panics
    ///
    /// Panics if one is borrowed so that `borrow` returns `None`.
    #[track_caller]
    pub(crate) fn iter_at_desk<'s, C: Component, T>(
        &'s self,
        borrow: fn(&'s Values<C>, usize) -> Option<T>,
    ) -> impl Iterator<Item = (MessageeId, T)> + use<'s, C, T> {
        self.part::<C>();
        self.pools.of::<C>().into_iter().flat_map(move |pool| {
            let owners = pool.owners().enumerate();
            owners.map(move |(slot, owner)| match borrow(pool.values(), slot) {
                Some(borrowed) => (owner, borrowed),
                None => panic!(
                    "{}; here it is borrowed at this desk, and a walk over all components of its type \
                     comes to it: put the borrow away before, or borrow one by one with `get_mut`, which \
                     returns an error",
                    busy::<C>(owner)
                ),
            })
        })
    }

    /// Like [`get_mut`](Self::get_mut), when nothing can be running.
    pub(crate) fn get_exclusive<C: Component>(
        &mut self,
        id: MessageeId,
    ) -> Result<&mut C, MessageeError> {
        let (pool, slot) = self.find::<C>(id)?;
        let component = pool.component();
        Ok(self.pools.at_mut(component).values_mut().get_mut(slot))
    }

    /// Returns the component of a hook, when nothing can be running.
    pub(crate) fn hooked_exclusive<C: Component>(
        &mut self,
        hook: HookId,
    ) -> Result<&mut C, MessageeError> {
        let at = self.check_hooked_as::<C>(hook)?;
        let values = self.pools.at_mut(at.component).values_mut();
        Ok(values.get_mut(at.slot as usize))
    }

    /// Returns the hook of the first component of type `C` of a messagee.
    pub(crate) fn hook_of<C: Component>(&self, id: MessageeId) -> Result<HookId, MessageeError> {
        let (pool, slot) = self.find::<C>(id)?;
        Ok(self.keys.hook_in(pool, slot))
    }

    /// Returns the hooks of the components of a messagee, in hook order.
    pub(crate) fn hooks_of(&self, id: MessageeId) -> Vec<HookId> {
        let components = self.messagees.components_of(id);
        components.map(|at| self.hook_at(at)).collect()
    }

    /// Like [`hooks_of`](Self::hooks_of), for the components of type `C`.
    pub(crate) fn hooks_of_type<C: Component>(&self, id: MessageeId) -> Vec<HookId> {
        let index = self.pools.index_of_type::<C>();
        let components = self.messagees.components_of(id);
        let of_type = components.filter(|at| Some(at.component) == index);
        of_type.map(|at| self.hook_at(at)).collect()
    }

    pub(crate) fn owner(&self, hook: HookId) -> Result<MessageeId, MessageeError> {
        Ok(self.check_attached(hook)?.owner)
    }

    pub(crate) fn is_enabled(&self, hook: HookId) -> Result<bool, MessageeError> {
        let at = self.check_attached(hook)?;
        Ok(self.pools.at(at.component).is_enabled(at.slot as usize))
    }

    /// Returns the name of the type of an attached component.
    pub(crate) fn component_name(&self, hook: HookId) -> Option<&'static str> {
        self.owner_and_name(hook).map(|(_, name)| name)
    }

    /// Returns the messagees that are alive and whose name matches a pattern, in the order of their places.
    pub(crate) fn find_named(&self, names: &Names, pattern: &str) -> Vec<MessageeId> {
        names.find(pattern, |id| self.messagees.is_alive(id))
    }

    /// Checks that a hook is live and holds a component of type `C`.
    pub(crate) fn check_hooked_as<C: Component>(
        &self,
        hook: HookId,
    ) -> Result<Hook, MessageeError> {
        let at = self.check_attached(hook)?;
        let pool = self.pools.at(at.component);
        if pool.type_of() == TypeId::of::<C>() {
            return Ok(at);
        }
        Err(MessageeError::WrongComponent {
            hook,
            expected: std::any::type_name::<C>(),
            found: pool.component_name(),
        })
    }

    /// Returns the first component of type `C` of a messagee.
    pub(super) fn find<C: Component>(
        &self,
        id: MessageeId,
    ) -> Result<(&Pool, usize), MessageeError> {
        self.check_alive(id)?;
        let index = self.pools.index_of_type::<C>();
        let mut components = self.messagees.components_of(id);
        match components.find(|at| Some(at.component) == index) {
            Some(at) => Ok((self.pools.at(at.component), at.slot as usize)),
            None => Err(MessageeError::NoComponent {
                id,
                component: std::any::type_name::<C>(),
            }),
        }
    }
}

fn busy<C>(id: MessageeId) -> MessageeError {
    MessageeError::Busy {
        id,
        component: std::any::type_name::<C>(),
    }
}
