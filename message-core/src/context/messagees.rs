//! Operations on messagees for handlers and subscribers: see which are alive, name, spawn and despawn.
//!
//! Ids and errors are returned at once. The change is queued until the end of the outermost send, together
//! with what has to be known about it before. Until then, messagees are seen as they were.

use std::panic::Location;
use std::sync::Arc;

use crate::address::MessageeId;
use crate::component::Bundle;
use crate::context::Context;
use crate::error::MessageeError;
use crate::world::{Children, later};

impl<R> Context<'_, R> {
    /// Spawns a messagee with these components. It comes alive when the outermost send returns.
    ///
    /// Its id can be written to at once, and so can a mnemonic, a group or a parent that it is given:
    /// it receives what was sent to it right after it comes alive, before any later change is made.
    /// What is [hooked](Self::hook) to it separately does not receive that yet.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// #[derive(Message)]
    /// struct Fly { speed: u32 }
    ///
    /// #[derive(Default)]
    /// struct Shell { speed: u32 }
    ///
    /// #[handlers]
    /// impl Shell {
    ///     #[on_receive]
    ///     fn fly(&mut self, fly: &Fly) { self.speed = fly.speed; }
    /// }
    ///
    /// struct Gun;
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         let shell = cx.spawn((Shell::default(),));
    ///         cx.send(shell, Fly { speed: 9 })?; // It receives this as soon as it is alive.
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let gun = manager.spawn((Gun,));
    /// manager.send(gun, Fire)?;
    /// assert!(manager.iter::<Shell>().map(|(_, shell)| shell.speed).eq([9]));
    /// # Ok::<(), SendError>(())
    /// ```
    #[track_caller]
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId {
        later::spawn(self.world(), bundle, Location::caller())
    }

    /// Spawns a messagee with a name, as [`spawn`](Self::spawn) does. It has the name at once, and
    /// comes alive when the outermost send returns.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// struct Shell;
    /// struct Gun;
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) {
    ///         cx.spawn_named("shell", (Shell,));
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let gun = manager.spawn((Gun,));
    /// manager.send(gun, Fire)?;
    /// assert_eq!(manager.find("shell").count(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    #[track_caller]
    pub fn spawn_named<B: Bundle>(&mut self, name: impl Into<Arc<str>>, bundle: B) -> MessageeId {
        let name = name.into();
        let id = self.spawn(bundle);
        self.world().structure.names.set(id, name);
        id
    }

    /// Despawns a messagee and its descendants: they are gone when the outermost send returns. From now
    /// on they receive nothing but their [`Despawning`](crate::lifecycle::Despawning) and
    /// [`Unhooking`](crate::lifecycle::Unhooking).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Damage { amount: u32 }
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn hurt(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         self.hp = self.hp.saturating_sub(damage.amount);
    ///         if self.hp == 0 { cx.despawn(cx.me()) } else { Ok(()) }
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Health { hp: 10 },));
    /// manager.send(orc, Damage { amount: 4 })?;
    /// assert!(manager.is_alive(orc));
    /// manager.send(orc, Damage { amount: 6 })?;
    /// assert!(!manager.is_alive(orc));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::Leaving`] for one that is going to be despawned
    /// already, [`MessageeError::OtherManager`].
    #[track_caller]
    pub fn despawn(&mut self, id: MessageeId) -> Result<(), MessageeError> {
        self.despawn_with(id, Children::Follow)
    }

    /// Despawns a messagee, and does with its children as told: see [`Children`].
    ///
    /// ```
    /// use message_core::Children;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Die;
    ///
    /// struct Leader;
    ///
    /// #[handlers]
    /// impl Leader {
    ///     #[on_receive]
    ///     fn die(&mut self, _: &Die, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.despawn_with(cx.me(), Children::Reparent)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (leader, soldier) = (manager.spawn((Leader,)), manager.spawn(()));
    /// manager.set_parent(soldier, Some(leader))?;
    /// manager.send(leader, Die)?;
    /// assert!(!manager.is_alive(leader));
    /// assert!(manager.is_alive(soldier));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::Leaving`], [`MessageeError::OtherManager`].
    // So that a handler that despawns stays small, and the loop of a broadcast takes it in.
    #[inline(never)]
    #[track_caller]
    pub fn despawn_with(
        &mut self,
        id: MessageeId,
        children: Children,
    ) -> Result<(), MessageeError> {
        later::despawn(self.world(), id, children, Location::caller())
    }

    /// Names a messagee, at once, as [`MessageManager::set_name`](crate::MessageManager::set_name)
    /// does. One that was spawned in this dispatch can be named, too.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Promote;
    ///
    /// struct Soldier;
    ///
    /// #[handlers]
    /// impl Soldier {
    ///     #[on_receive]
    ///     fn promote(&mut self, _: &Promote, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.set_name(cx.me(), "Sergeant")
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let soldier = manager.spawn_named("Private", (Soldier,));
    /// manager.send(soldier, Promote)?;
    /// assert_eq!(manager.name(soldier).as_deref(), Some("Sergeant"));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::Leaving`], [`MessageeError::OtherManager`].
    pub fn set_name(
        &mut self,
        id: MessageeId,
        name: impl Into<Arc<str>>,
    ) -> Result<(), MessageeError> {
        self.world().structure.set_name(id, name.into())
    }
}
