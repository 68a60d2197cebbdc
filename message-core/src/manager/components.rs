//! The manager's components: borrowed from outside, and unhooked.

use std::any::TypeId;
use std::panic::Location;

use crate::address::{HookId, MessageeId};
use crate::component::{Bundle, Component};
use crate::error::{Absence, MessageeError};
use crate::input::Input;
use crate::manager::MessageManager;
use crate::storage::Pool;
use crate::world::part_with;

impl MessageManager {
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
    /// [`MessageeError::NoComponent`], [`Gone`](crate::Absence::Gone),
    /// [`OtherManager`](crate::Absence::OtherManager).
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    #[track_caller]
    pub fn get_mut<C: Component>(&mut self, id: MessageeId) -> Result<&mut C, MessageeError> {
        self.settle();
        let (component, place) = (TypeId::of::<C>(), Location::caller());
        let outermost = self.input(|| Input::GetMut(id, component, place));
        let structure = &mut outermost.0.structure;
        let (pool, slot) = structure.find_component::<C>(id)?;
        let component = pool.component();
        Ok(structure.pools.at_mut(component).values_mut().get_mut(slot))
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
    /// manager.component_mut::<Gun>(rear)?.rounds -= 1;
    /// assert_eq!(manager.component_mut::<Gun>(rear)?.rounds, 4);
    /// assert_eq!(manager.get_mut::<Gun>(tank)?.rounds, 3);
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`OtherManager`](crate::Absence::OtherManager),
    /// [`MessageeError::WrongComponent`].
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    #[track_caller]
    pub fn component_mut<C: Component>(&mut self, hook: HookId) -> Result<&mut C, MessageeError> {
        self.settle();
        let place = Location::caller();
        let outermost = self.input(|| Input::ComponentMut(hook, place));
        let structure = &mut outermost.0.structure;
        let at = structure.check_hooked_as::<C>(hook)?;
        let values = structure.pools.at_mut(at.component).values_mut();
        Ok(values.get_mut(at.slot as usize))
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
    #[track_caller]
    pub fn iter_mut<C: Component>(&mut self) -> impl Iterator<Item = (MessageeId, &mut C)> {
        self.settle();
        let (component, place) = (TypeId::of::<C>(), Location::caller());
        let outermost = self.input(|| Input::IterMut(component, place));
        let pools = &mut outermost.0.structure.pools;
        let index = pools.index_with_pool(component);
        let pool = index.map(|index| pools.at_mut(index));
        pool.into_iter().flat_map(Pool::iter_mut)
    }

    /// Returns each messagee that has a component of each of these types, with mutable references to the first of each
    /// type, in the storage order of the first type; see [`iter_all`](Self::iter_all).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Position { x: i32 }
    /// struct Speed { x: i32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let car = manager.spawn((Position { x: 10 }, Speed { x: 3 }));
    /// let house = manager.spawn((Position { x: 20 },));
    /// for (_, (position, speed)) in manager.iter_all_mut::<(Position, Speed)>() {
    ///     position.x += speed.x;
    /// }
    /// assert_eq!(manager.get::<Position>(car)?.x, 13);
    /// assert_eq!(manager.get::<Position>(house)?.x, 20);
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if two of the types are the same, or if a handler panics while this call settles what an earlier panic left
    /// pending; see [`settle`](Self::settle).
    #[track_caller]
    pub fn iter_all_mut<B: Bundle>(&mut self) -> impl Iterator<Item = (MessageeId, B::Muts<'_>)> {
        self.settle();
        let place = Location::caller();
        B::types(&mut |ty| drop(self.input(|| Input::IterMut(ty.of, place))));
        self.no_input().structure.iter_all_mut::<B>()
    }

    /// Unhooks a component and returns it. The other components of its messagee stay.
    ///
    /// To move a component from one messagee to another, make two calls:
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Sword { damage: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let (orc, elf) = (manager.spawn((Sword { damage: 7 },)), manager.spawn(()));
    /// let sword: Sword = manager.unhook(manager.hook_of::<Sword>(orc)?)?;
    /// manager.hook(elf, sword)?;
    /// assert_eq!(manager.get::<Sword>(elf)?.damage, 7);
    /// assert!(manager.get::<Sword>(orc).is_err());
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`OtherManager`](crate::Absence::OtherManager), and
    /// [`MessageeError::WrongComponent`] if the component is not a `C`; it then stays hooked.
    ///
    /// # Panics
    ///
    /// Panics if a handler that is notified of the change panics, or if a handler panics while this call
    /// settles what an earlier panic left pending; see [`settle`](Self::settle).
    #[track_caller]
    pub fn unhook<C: Component>(&mut self, hook: HookId) -> Result<C, MessageeError> {
        let place = Location::caller();
        self.settle();
        // A replay does not know which type was expected.
        let at = self.world().structure.check_hooked_as::<C>(hook)?;
        self.input(|| Input::Unhook(hook, place)).change(|world| {
            let at = part_with(world, hook, at, place);
            let why = Absence::Gone;
            let at = at.ok_or(MessageeError::NotHooked { hook, why })?;
            Ok(world.changes().detach_as(hook, at))
        })
    }
}
