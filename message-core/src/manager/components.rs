//! The manager's components, borrowed from outside.

#[cfg(feature = "data")]
use std::any::TypeId;
use std::cell::Ref;
#[cfg(feature = "data")]
use std::panic::Location;

use crate::address::{HookId, MessageeId};
use crate::component::Component;
use crate::error::MessageeError;
use crate::manager::MessageManager;

impl MessageManager {
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
    /// [`MessageeError::NoComponent`], [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`]; [`MessageeError::Busy`] when it is mutably borrowed
    /// already.
    pub fn get<C: Component>(&self, id: MessageeId) -> Result<Ref<'_, C>, MessageeError> {
        self.world.structure.get(id)
    }

    /// Mutably borrows the first component of type `C` of a messagee.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Health { hp: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Health { hp: 10 },));
    /// manager.get_mut::<Health>(orc)?.hp += 5;
    /// assert_eq!(manager.get::<Health>(orc)?.hp, 15);
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NoComponent`], [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    #[cfg_attr(feature = "data", track_caller)]
    pub fn get_mut<C: Component>(&mut self, id: MessageeId) -> Result<&mut C, MessageeError> {
        self.settle();
        #[cfg(feature = "data")]
        if self.world.outside.log.is_on()
            && let Ok(hook) = self.world.structure.hook_of::<C>(id)
        {
            self.world.log_touched(hook, Location::caller());
        }
        self.world.structure.get_exclusive(id)
    }

    /// Mutably borrows the component of a hook.
    ///
    /// This is for a messagee with several components of one type, of which [`get_mut`](Self::get_mut)
    /// borrows the first:
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Gun { rounds: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Gun { rounds: 3 },));
    /// let rear = manager.hook(tank, Gun { rounds: 5 })?;
    /// manager.hooked_mut::<Gun>(rear)?.rounds -= 1;
    /// assert_eq!(manager.hooked_mut::<Gun>(rear)?.rounds, 4);
    /// assert_eq!(manager.get_mut::<Gun>(tank)?.rounds, 3);
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`],
    /// [`MessageeError::WrongComponent`].
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    #[cfg_attr(feature = "data", track_caller)]
    pub fn hooked_mut<C: Component>(&mut self, hook: HookId) -> Result<&mut C, MessageeError> {
        self.settle();
        #[cfg(feature = "data")]
        if self.world.outside.log.is_on() {
            self.world.log_touched(hook, Location::caller());
        }
        self.world.structure.hooked_exclusive(hook)
    }

    /// Returns every component of type `C` with its messagee, in storage order, the disabled ones
    /// last.
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
        self.world.structure.pools.iter_of()
    }

    /// Returns mutable references to every component of type `C` with its messagee, in storage order.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Health { hp: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let [orc, troll] = [10, 30].map(|hp| manager.spawn((Health { hp },)));
    /// for (_, health) in manager.iter_mut::<Health>() {
    ///     health.hp *= 2;
    /// }
    /// assert_eq!(manager.get::<Health>(orc)?.hp, 20);
    /// assert_eq!(manager.get::<Health>(troll)?.hp, 60);
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    #[cfg_attr(feature = "data", track_caller)]
    pub fn iter_mut<C: Component>(&mut self) -> impl Iterator<Item = (MessageeId, &mut C)> {
        self.settle();
        #[cfg(feature = "data")]
        if self.world.outside.log.is_on() {
            self.world
                .log_touched_all(TypeId::of::<C>(), Location::caller());
        }
        self.world.structure.pools.iter_mut_of()
    }
}
