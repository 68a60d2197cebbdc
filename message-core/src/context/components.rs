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
use crate::storage::Exclusive;
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
        self.world().structure.borrow_first::<C, Exclusive>(id)
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
    /// [`MessageeError::NotHooked`], [`OtherManager`](crate::Absence::OtherManager).
    #[track_caller]
    pub fn unhook(&mut self, hook: HookId) -> Result<(), MessageeError> {
        later::unhook(self.world(), hook, Location::caller())
    }
}
