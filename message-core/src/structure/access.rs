//! Direct access to components.

use std::any::{TypeId, type_name};
use std::cell::Ref;

use crate::address::{HookId, MessageeId};
use crate::component::Component;
use crate::error::MessageeError;
use crate::storage::{Access, Hook, Pool, Shared};
use crate::structure::Structure;

impl Structure {
    /// Borrows the first component of type `C` of a messagee.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Health { hp: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let (orc, stone) = (manager.spawn((Health { hp: 10 },)), manager.spawn(()));
    /// assert_eq!(manager.get::<Health>(orc)?.hp, 10);
    /// assert!(matches!(manager.get::<Health>(stone), Err(MessageeError::NoComponent { .. })));
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NoComponent`], [`Gone`](crate::Absence::Gone),
    /// [`OtherManager`](crate::Absence::OtherManager); [`MessageeError::Busy`] when it is mutably borrowed
    /// already, as a component is while its handler runs with `&mut self`; in a handler,
    /// [`NotYetThere`](crate::Absence::NotYetThere).
    pub fn get<C: Component>(&self, id: MessageeId) -> Result<Ref<'_, C>, MessageeError> {
        self.borrow_first::<C, Shared>(id)
    }

    /// Borrows the first component of type `C` of a messagee, shared or exclusively.
    pub(crate) fn borrow_first<C: Component, A: Access>(
        &self,
        id: MessageeId,
    ) -> Result<A::Guard<'_, C>, MessageeError> {
        let (pool, slot) = self.find_component::<C>(id)?;
        pool.values::<C>()
            .borrow::<A>(slot)
            .ok_or_else(|| busy::<C>(id))
    }

    /// Returns every component of type `C` with its messagee, in storage order, the disabled ones
    /// last. Those that are mutably borrowed, as those that run with `&mut self`, are left out.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Health { hp: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let [orc, _troll] = [10, 30].map(|hp| manager.spawn((Health { hp },)));
    /// let weakest = manager.iter::<Health>().min_by_key(|(_, health)| health.hp);
    /// assert_eq!(weakest.map(|(id, _)| id), Some(orc));
    /// ```
    pub fn iter<C: Component>(&self) -> impl Iterator<Item = (MessageeId, Ref<'_, C>)> {
        self.pools.of::<C>().into_iter().flat_map(Pool::iter)
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
    /// Panics if one is in use.
    #[track_caller]
    pub(crate) fn iter_at_desk<C: Component, A: Access>(
        &self,
    ) -> impl Iterator<Item = (MessageeId, A::Guard<'_, C>)> + use<'_, C, A> {
        self.part::<C>();
        self.pools.of::<C>().into_iter().flat_map(move |pool| {
            let owners = pool.owners().enumerate();
            owners.map(move |(slot, owner)| match pool.values().borrow::<A>(slot) {
                Some(borrowed) => (owner, borrowed),
                None => panic!(
                    "cannot iterate over all components of type `{}`: that of messagee {owner} is busy, since it \
                     is borrowed at this desk; drop that borrow first, or borrow them one by one with `get_mut`, \
                     which returns an error",
                    type_name::<C>()
                ),
            })
        })
    }

    /// Returns the hook of the first component of type `C` of a messagee: the one that
    /// [`get`](Self::get) borrows.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Gun;
    /// struct Radio;
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Gun, Radio));
    /// let radio = manager.hook_of::<Radio>(tank)?;
    /// manager.set_enabled(radio, false)?;
    /// assert_eq!(manager.owner(radio)?, tank);
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NoComponent`], [`Gone`](crate::Absence::Gone),
    /// [`OtherManager`](crate::Absence::OtherManager); in a handler, [`NotYetThere`](crate::Absence::NotYetThere).
    pub fn hook_of<C: Component>(&self, id: MessageeId) -> Result<HookId, MessageeError> {
        let (pool, slot) = self.find_component::<C>(id)?;
        Ok(self.keys.hook_in(pool, slot))
    }

    /// Returns the components of a messagee, in the order of hooking; none when it is not alive.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Gun;
    /// struct Radio;
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Gun,));
    /// let radio = manager.hook(tank, Radio)?;
    /// assert_eq!(manager.hooks(tank).last(), Some(radio));
    /// manager.despawn(tank)?;
    /// assert_eq!(manager.hooks(tank).count(), 0);
    /// # Ok::<(), MessageeError>(())
    /// ```
    pub fn hooks(&self, id: MessageeId) -> impl DoubleEndedIterator<Item = HookId> + use<> {
        let components = self.messagees.components_of(id);
        let hooks: Vec<HookId> = components.map(|at| self.hook_at(at)).collect();
        hooks.into_iter()
    }

    /// Returns the hooks of the components of type `C` of a messagee, in the order of hooking; none
    /// when it is not alive.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Gun { rounds: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Gun { rounds: 3 },));
    /// let second = manager.hook(tank, Gun { rounds: 5 })?;
    /// let guns: Vec<HookId> = manager.hooks_of::<Gun>(tank).collect();
    /// assert_eq!(guns, [manager.hook_of::<Gun>(tank)?, second]);
    /// assert_eq!(manager.component_mut::<Gun>(guns[1])?.rounds, 5);
    /// # Ok::<(), MessageeError>(())
    /// ```
    pub fn hooks_of<C: Component>(&self, id: MessageeId) -> impl Iterator<Item = HookId> + use<C> {
        let index = self.pools.index_of(TypeId::of::<C>());
        let components = self.messagees.components_of(id);
        let of_type = components.filter(|at| Some(at.component) == index);
        let hooks: Vec<HookId> = of_type.map(|at| self.hook_at(at)).collect();
        hooks.into_iter()
    }

    /// Returns the messagee that a component is hooked to.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Radio;
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn(());
    /// let radio = manager.hook(tank, Radio)?;
    /// assert_eq!(manager.owner(radio)?, tank);
    /// manager.despawn(tank)?;
    /// assert!(matches!(manager.owner(radio), Err(MessageeError::NotHooked { why: Absence::Gone, .. })));
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`OtherManager`](crate::Absence::OtherManager); in a handler,
    /// [`NotYetThere`](crate::Absence::NotYetThere).
    pub fn owner(&self, hook: HookId) -> Result<MessageeId, MessageeError> {
        Ok(self.check_attached(hook)?.owner)
    }

    /// Returns `true` if a component is enabled, as each is when it is hooked.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Gun;
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Gun,));
    /// let gun = manager.hook_of::<Gun>(tank)?;
    /// assert!(manager.is_enabled(gun)?);
    /// manager.set_enabled(gun, false)?;
    /// assert!(!manager.is_enabled(gun)?);
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`OtherManager`](crate::Absence::OtherManager); in a handler,
    /// [`NotYetThere`](crate::Absence::NotYetThere).
    pub fn is_enabled(&self, hook: HookId) -> Result<bool, MessageeError> {
        let at = self.check_attached(hook)?;
        Ok(self.pools.at(at.component).is_enabled(at.slot as usize))
    }

    /// Returns the name of the type of a component, or `None` if it is gone.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Lock;
    ///
    /// let mut manager = MessageManager::new();
    /// let gate = manager.spawn((Lock,));
    /// let hook = manager.hook_of::<Lock>(gate)?;
    /// assert!(manager.component_name(hook).is_some_and(|name| name.ends_with("Lock")));
    /// manager.despawn(gate)?;
    /// assert_eq!(manager.component_name(hook), None);
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn component_name(&self, hook: HookId) -> Option<&'static str> {
        self.owner_and_name(hook).map(|(_, name)| name)
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
            expected: type_name::<C>(),
            found: pool.component_name(),
        })
    }

    /// Returns the first component of type `C` of a messagee.
    pub(crate) fn find_component<C: Component>(
        &self,
        id: MessageeId,
    ) -> Result<(&Pool, usize), MessageeError> {
        self.check_alive(id)?;
        let index = self.pools.index_of(TypeId::of::<C>());
        let mut components = self.messagees.components_of(id);
        let (found, component) = (
            components.find(|at| Some(at.component) == index),
            type_name::<C>(),
        );
        let at = found.ok_or(MessageeError::NoComponent { id, component })?;
        Ok((self.pools.at(at.component), at.slot as usize))
    }
}

fn busy<C>(id: MessageeId) -> MessageeError {
    let component = type_name::<C>();
    MessageeError::Busy { id, component }
}
