//! The manager's addresses: families, mnemonics and groups.

use crate::address::MessageeId;
use crate::error::MessageeError;
use crate::group::Group;
use crate::manager::MessageManager;
use crate::mnemonic::Mnemonic;

impl MessageManager {
    /// Makes one messagee the last child of another, or with `None` a messagee without a parent.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let (tank, turret) = (manager.spawn(()), manager.spawn(()));
    /// manager.set_parent(turret, Some(tank))?;
    /// assert!(manager.children(tank).eq([turret]));
    ///
    /// let cycle = manager.set_parent(tank, Some(turret));
    /// assert!(matches!(cycle, Err(MessageeError::Cycle { .. })));
    ///
    /// manager.set_parent(turret, None)?;
    /// assert_eq!(manager.children(tank).count(), 0);
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Cycle`] when it would become its own ancestor, [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    pub fn set_parent(
        &mut self,
        child: MessageeId,
        parent: Option<MessageeId>,
    ) -> Result<(), MessageeError> {
        log_input!(self.world => input(&Input::SetParent(child, parent)));
        self.change(|world| world.structure.set_parent(child, parent))
    }

    /// Binds a mnemonic to a messagee. Messages that are sent to the mnemonic go to that messagee. A messagee
    /// can have several mnemonics.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// mnemonic!(PLAYER);
    ///
    /// #[derive(Message)]
    /// struct Heal;
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn heal(&mut self, _: &Heal) { self.hp = 10; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let hero = manager.spawn((Health { hp: 1 },));
    /// manager.bind(PLAYER, hero)?;
    /// manager.send(PLAYER, Heal)?;
    /// assert_eq!(manager.get::<Health>(hero)?.hp, 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::AlreadyBound`], [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    pub fn bind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        log_input!(self.world => input(&Input::Bind(mnemonic, id)));
        self.change(|world| world.structure.bind(mnemonic, id))
    }

    /// Frees a mnemonic that is bound to that messagee.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// mnemonic!(PLAYER);
    ///
    /// let mut manager = MessageManager::new();
    /// let (hero, friend) = (manager.spawn(()), manager.spawn(()));
    /// manager.bind(PLAYER, hero)?;
    /// assert!(matches!(manager.bind(PLAYER, friend), Err(MessageeError::AlreadyBound { .. })));
    ///
    /// manager.unbind(PLAYER, hero)?;
    /// manager.bind(PLAYER, friend)?;
    /// assert_eq!(manager.bound(PLAYER), Some(friend));
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotBound`] when it is bound to another or to none,
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    pub fn unbind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        log_input!(self.world => input(&Input::Unbind(mnemonic, id)));
        self.change(|world| world.structure.unbind(mnemonic, id))
    }

    /// Adds a messagee to a group, after its other members. Returns `true` if it was not a member before.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// group!(ENEMIES);
    ///
    /// #[derive(Message)]
    /// struct Retreat;
    ///
    /// struct Legs { runs: bool }
    ///
    /// #[handlers]
    /// impl Legs {
    ///     #[on_receive]
    ///     fn retreat(&mut self, _: &Retreat) { self.runs = true; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let [orc, elf] = [(); 2].map(|()| manager.spawn((Legs { runs: false },)));
    /// assert!(manager.join(ENEMIES, orc)?);
    /// assert!(!manager.join(ENEMIES, orc)?); // It is a member already.
    /// manager.send(ENEMIES, Retreat)?;
    /// assert!(manager.get::<Legs>(orc)?.runs);
    /// assert!(!manager.get::<Legs>(elf)?.runs);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    pub fn join(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        self.set_membership(group, id, true)
    }

    /// Removes a messagee from a group. Returns `true` if it was a member.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// group!(ENEMIES);
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// manager.join(ENEMIES, orc)?;
    /// assert!(manager.leave(ENEMIES, orc)?);
    /// assert!(!manager.leave(ENEMIES, orc)?); // It was not a member any more.
    /// assert_eq!(manager.members(ENEMIES).count(), 0);
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    pub fn leave(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        self.set_membership(group, id, false)
    }

    fn set_membership(
        &mut self,
        group: Group,
        id: MessageeId,
        member: bool,
    ) -> Result<bool, MessageeError> {
        log_input!(self.world => input(&Input::SetMember(group, id, member)));
        self.change(|world| world.structure.set_membership(group, id, member))
    }
}
