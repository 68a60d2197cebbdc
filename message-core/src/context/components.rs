//! Operations on components for handlers and subscribers: borrow them, hook and unhook, enable and disable.
//!
//! Enabling and disabling take effect at once. Hooking and unhooking return hooks and errors at once, but the
//! change is queued until the end of the outermost send. Until then, components and hooks are seen as they were.

use std::cell::RefMut;
use std::panic::Location;

use crate::address::{HookId, MessageeId};
use crate::component::Component;
use crate::context::Context;
use crate::error::MessageeError;
use crate::world::later;

impl<R> Context<'_, R> {
    /// Borrows the first component of type `C` of a messagee, to change it. While it is borrowed, the
    /// context is too.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Steal { from: MessageeId }
    ///
    /// struct Purse { gold: u32 }
    ///
    /// struct Thief { gold: u32 }
    ///
    /// #[handlers]
    /// impl Thief {
    ///     #[on_receive]
    ///     fn steal(&mut self, steal: &Steal, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         let mut purse = cx.get_mut::<Purse>(steal.from)?;
    ///         self.gold += std::mem::take(&mut purse.gold);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let merchant = manager.spawn((Purse { gold: 9 },));
    /// let thief = manager.spawn((Thief { gold: 0 },));
    /// manager.send(thief, Steal { from: merchant })?;
    /// assert_eq!(manager.get::<Purse>(merchant)?.gold, 0);
    /// assert_eq!(manager.get::<Thief>(thief)?.gold, 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Busy`] when it is running, this handler's own component included;
    /// otherwise those of [`get`](crate::Structure::get).
    pub fn get_mut<C: Component>(
        &mut self,
        id: MessageeId,
    ) -> Result<RefMut<'_, C>, MessageeError> {
        self.world().structure.get_mut(id)
    }

    /// Hooks a component to a messagee. It is attached when the outermost send returns.
    ///
    /// Its hook can be written to at once: it receives what was sent to the hook right after it is
    /// attached, before any later change is made.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct PickUp { damage: u32 }
    ///
    /// struct Sword { damage: u32 }
    ///
    /// struct Hands;
    ///
    /// #[handlers]
    /// impl Hands {
    ///     #[on_receive]
    ///     fn pick_up(&mut self, it: &PickUp, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.hook(cx.me(), Sword { damage: it.damage })?;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Hands,));
    /// manager.send(orc, PickUp { damage: 7 })?;
    /// assert_eq!(manager.get::<Sword>(orc)?.damage, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::Leaving`], [`MessageeError::OtherManager`];
    /// [`MessageeError::Elsewhere`] for a proxy, which has no components here.
    #[track_caller]
    pub fn hook<C: Component>(
        &mut self,
        id: MessageeId,
        component: C,
    ) -> Result<HookId, MessageeError> {
        later::hook(self.world(), id, component, Location::caller())
    }

    /// Unhooks a component, which is dropped when the outermost send returns. From now on it receives
    /// nothing but its [`Unhooking`](crate::lifecycle::Unhooking).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Drop;
    ///
    /// struct Sword;
    /// struct Hands;
    ///
    /// #[handlers]
    /// impl Hands {
    ///     #[on_receive]
    ///     fn drop(&mut self, _: &Drop, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.unhook(cx.hook_of::<Sword>(cx.me())?)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Hands, Sword));
    /// manager.send(orc, Drop)?;
    /// assert!(manager.get::<Sword>(orc).is_err());
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    #[track_caller]
    pub fn unhook(&mut self, hook: HookId) -> Result<(), MessageeError> {
        later::unhook(self.world(), hook, Location::caller())
    }

    /// Enables or disables a component at once. A disabled component stays hooked, but receives nothing. A
    /// send that is under way reaches a component only if it was enabled when the send began and is enabled
    /// when its turn comes. When the outermost send returns, the messagee receives
    /// [`Enabled`](crate::lifecycle::Enabled) or [`Disabled`](crate::lifecycle::Disabled).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// #[derive(Message)]
    /// struct Emp; // An electromagnetic pulse.
    ///
    /// struct Gun;
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire) {}
    ///
    ///     #[on_receive]
    ///     fn emp(&mut self, _: &Emp, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.set_enabled(cx.my_hook(), false)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Gun,));
    /// assert_eq!(manager.send(tank, Fire)?.received, 1);
    /// manager.send(Everyone, Emp)?;
    /// assert_eq!(manager.send(tank, Fire)?.received, 0);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`].
    #[track_caller]
    pub fn set_enabled(&mut self, hook: HookId, enabled: bool) -> Result<(), MessageeError> {
        let (world, place) = (self.world(), Location::caller());
        world.structure.check_hook(hook)?;
        later::switch(world, hook, enabled, place);
        Ok(())
    }
}
