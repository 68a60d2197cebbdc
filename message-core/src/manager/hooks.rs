//! The manager's hooks: which component is hooked to which messagee, and whether it is enabled.

use std::panic::Location;

use crate::address::{HookId, MessageeId};
use crate::component::Component;
use crate::dispatch::Farewell;
use crate::error::MessageeError;
use crate::lifecycle::{Hooked, Unhooking};
use crate::manager::MessageManager;

impl MessageManager {
    /// Hooks a component to a messagee, behind those it has.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics that is told of the change, or while what an earlier panic left is
    /// settled; see [`settle`](Self::settle).
    #[track_caller]
    pub fn hook<C: Component>(
        &mut self,
        id: MessageeId,
        component: C,
    ) -> Result<HookId, MessageeError> {
        let place = Location::caller();
        self.change(|world| {
            world.check_stays(id)?;
            let hook = world.reserve_hook();
            world.attach(hook, id, component);
            if world.is_heard::<Hooked>() {
                world.announce_hooked(id, hook, place);
            }
            Ok(hook)
        })
    }

    /// Unhooks a component and gives it back. The other components of its messagee stay.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`], and
    /// [`MessageeError::WrongComponent`] when it is not a `C`; then it stays hooked.
    ///
    /// # Panics
    ///
    /// When a handler panics that is told of the change, or while what an earlier panic left is
    /// settled; see [`settle`](Self::settle).
    #[track_caller]
    pub fn unhook<C: Component>(&mut self, hook: HookId) -> Result<C, MessageeError> {
        let place = Location::caller();
        self.change(|world| {
            world.check_hooked_as::<C>(hook)?;
            if world.is_heard::<Unhooking>()
                && let Some(at) = world.find_hook(hook)
            {
                world.mark_unhooking(hook);
                // If a handler panics, the component is still unhooked, by the next call.
                world.next(Box::new(move |world| drop(world.detach(hook))));
                let farewell = Some(Farewell::Hook(hook));
                world.announce_unhooking(at.owner, hook, farewell, place);
                world.settle_kept();
            }
            world.detach_as(hook)
        })
    }

    /// Returns the components of a messagee, in the order of hooking; none when it is not alive.
    pub fn hooks(&self, id: MessageeId) -> impl Iterator<Item = HookId> + use<> {
        self.world.hooks_of(id).into_iter()
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
    /// [`MessageeError::NoComponent`], [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`].
    pub fn hook_of<C: Component>(&self, id: MessageeId) -> Result<HookId, MessageeError> {
        self.world.hook_of::<C>(id)
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
    /// assert_eq!(manager.hooked_mut::<Gun>(guns[1])?.rounds, 5);
    /// # Ok::<(), MessageeError>(())
    /// ```
    pub fn hooks_of<C: Component>(&self, id: MessageeId) -> impl Iterator<Item = HookId> + use<C> {
        self.world.hooks_of_type::<C>(id).into_iter()
    }

    /// The messagee that a component is hooked to.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    pub fn owner(&self, hook: HookId) -> Result<MessageeId, MessageeError> {
        self.world.owner(hook)
    }

    /// Enables or disables a component. A disabled one stays, and receives nothing until it is enabled
    /// again. Its messagee is told by [`Enabled`](crate::lifecycle::Enabled) and
    /// [`Disabled`](crate::lifecycle::Disabled), if that is a change.
    ///
    /// Enabling and disabling changes the storage order of the components of that type.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    #[track_caller]
    pub fn set_enabled(&mut self, hook: HookId, enabled: bool) -> Result<(), MessageeError> {
        let place = Location::caller();
        self.change(|world| {
            world.check_hook(hook)?;
            world.switch(hook, enabled, place);
            Ok(())
        })
    }

    /// Returns `true` if a component is enabled.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    pub fn is_enabled(&self, hook: HookId) -> Result<bool, MessageeError> {
        self.world.is_enabled(hook)
    }
}
