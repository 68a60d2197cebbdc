//! Operations on messagees for handlers and subscribers: spawn, despawn, name, and give addresses.
//!
//! Ids and errors are returned at once. A spawn or a despawn is queued until the end of the outermost send, together
//! with what has to be known about it before. Until then, messagees are seen as they were. Names and addresses
//! change at once.

use std::panic::Location;
use std::sync::Arc;

use crate::address::MessageeId;
use crate::component::Bundle;
use crate::context::Context;
use crate::error::MessageeError;
use crate::group::Group;
use crate::mnemonic::Mnemonic;
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

    /// Makes one messagee the last child of another, or with `None` nobody's, at once.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Board { ship: MessageeId }
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn board(&mut self, board: &Board, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.set_parent(cx.me(), Some(board.ship))
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (ship, sailor) = (manager.spawn(()), manager.spawn((Sailor,)));
    /// manager.send(sailor, Board { ship })?;
    /// assert_eq!(manager.parent(sailor), Some(ship));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Cycle`], [`MessageeError::Gone`], [`MessageeError::Leaving`],
    /// [`MessageeError::OtherManager`].
    pub fn set_parent(
        &mut self,
        child: MessageeId,
        parent: Option<MessageeId>,
    ) -> Result<(), MessageeError> {
        self.world().structure.set_parent(child, parent)
    }

    /// Binds a mnemonic to a messagee, at once. One that is bound to a messagee that is leaving is
    /// free.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// mnemonic!(CAPTAIN);
    ///
    /// #[derive(Message)]
    /// struct Promote;
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn promote(&mut self, _: &Promote, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.bind(CAPTAIN, cx.me())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let [first, second] = [(); 2].map(|()| manager.spawn((Sailor,)));
    /// assert_eq!(manager.send(first, Promote)?.failed, 0);
    /// assert_eq!(manager.send(second, Promote)?.failed, 1); // There is a captain already.
    /// assert_eq!(manager.bound(CAPTAIN), Some(first));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::AlreadyBound`], [`MessageeError::Gone`], [`MessageeError::Leaving`],
    /// [`MessageeError::OtherManager`].
    pub fn bind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        self.world().structure.bind(mnemonic, id)
    }

    /// Frees a mnemonic that is bound to that messagee, at once.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// mnemonic!(CAPTAIN);
    ///
    /// #[derive(Message)]
    /// struct StepDown { successor: MessageeId }
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn step_down(&mut self, it: &StepDown, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.unbind(CAPTAIN, cx.me())?;
    ///         cx.bind(CAPTAIN, it.successor)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let [first, second] = [(); 2].map(|()| manager.spawn((Sailor,)));
    /// manager.bind(CAPTAIN, first)?;
    /// manager.send(CAPTAIN, StepDown { successor: second })?;
    /// assert_eq!(manager.bound(CAPTAIN), Some(second));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotBound`], [`MessageeError::Gone`], [`MessageeError::Leaving`],
    /// [`MessageeError::OtherManager`].
    pub fn unbind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        self.world().structure.unbind(mnemonic, id)
    }

    /// Makes a messagee a member of a group, at once. Returns `true` if it was not one before.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// group!(CREW);
    ///
    /// #[derive(Message)]
    /// struct Enlist;
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn enlist(&mut self, _: &Enlist, cx: &mut Context<'_>) -> Result<bool, MessageeError> {
    ///         cx.join(CREW, cx.me())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let sailor = manager.spawn((Sailor,));
    /// assert_eq!(manager.send(sailor, Enlist)?.received, 1);
    /// assert_eq!(manager.send(sailor, Enlist)?.received, 0); // It is a member already.
    /// assert!(manager.members(CREW).eq([sailor]));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::Leaving`], [`MessageeError::OtherManager`].
    pub fn join(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        self.world().structure.set_membership(group, id, true)
    }

    /// Ends a messagee's membership of a group, at once. Returns `true` if it was a member.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// group!(CREW);
    ///
    /// #[derive(Message)]
    /// struct Desert;
    ///
    /// struct Sailor;
    ///
    /// #[handlers]
    /// impl Sailor {
    ///     #[on_receive]
    ///     fn desert(&mut self, _: &Desert, cx: &mut Context<'_>) -> Result<bool, MessageeError> {
    ///         cx.leave(CREW, cx.me())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let sailor = manager.spawn((Sailor,));
    /// manager.join(CREW, sailor)?;
    /// manager.send(sailor, Desert)?;
    /// assert_eq!(manager.members(CREW).count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::Leaving`], [`MessageeError::OtherManager`].
    pub fn leave(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        self.world().structure.set_membership(group, id, false)
    }
}
