//! The manager's messagees: spawning and despawning, their names and addresses.

use std::panic::Location;
use std::sync::Arc;

use crate::address::MessageeId;
use crate::component::Bundle;
use crate::error::MessageeError;
use crate::group::Group;
use crate::input::Input;
use crate::manager::MessageManager;
use crate::mnemonic::Mnemonic;
use crate::world::{Children, despawn};

impl MessageManager {
    /// Spawns a messagee with these components, hooked in the order of the tuple, and returns its id. An
    /// empty tuple spawns an address without components.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Health { hp: u32 }
    /// struct Armor;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Health { hp: 10 }, Armor));
    /// assert_eq!(manager.hooks(orc).count(), 2);
    ///
    /// let meadow = manager.spawn(());
    /// assert!(manager.is_alive(meadow));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if more than 2^32 messagees or components are alive at once, if there are more than 2^16 types
    /// of components, or if a handler of [`Hooked`](crate::lifecycle::Hooked) panics. Also panics if a
    /// handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    #[track_caller]
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId {
        let place = Location::caller();
        let outermost = self.input(|| Input::Spawn(None, &bundle, place));
        outermost.change(|world| {
            let id = world.structure.keys.reserve_messagee();
            world.changes().spawn(id, bundle, place);
            id
        })
    }

    /// Spawns a messagee with a name, like [`spawn`](Self::spawn) followed by [`set_name`](Self::set_name).
    /// The messagee already has the name when it is notified of its components.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Gun;
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn_named("Tank 7", (Gun,));
    /// assert_eq!(tank.to_string(), "0v0 \"Tank 7\"");
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`spawn`](Self::spawn).
    #[track_caller]
    pub fn spawn_named<B: Bundle>(&mut self, name: impl Into<Arc<str>>, bundle: B) -> MessageeId {
        let (name, place) = (name.into(), Location::caller());
        let outermost = self.input(|| Input::Spawn(Some(&name), &bundle, place));
        outermost.change(|world| {
            let id = world.structure.keys.reserve_messagee();
            world.structure.names.set(id, name);
            world.changes().spawn(id, bundle, place);
            id
        })
    }

    /// Despawns a messagee and its descendants, with all of their components. Its mnemonics become free
    /// again.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let (tank, turret) = (manager.spawn(()), manager.spawn(()));
    /// manager.set_parent(turret, Some(tank))?;
    /// manager.despawn(tank)?;
    /// assert!(!manager.is_alive(tank) && !manager.is_alive(turret));
    /// assert!(matches!(manager.despawn(tank), Err(MessageeError::Gone { .. })));
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// Panics if a handler that is notified of the change panics, or if a handler panics while this call
    /// settles what an earlier panic left pending; see [`settle`](Self::settle).
    #[track_caller]
    pub fn despawn(&mut self, id: MessageeId) -> Result<(), MessageeError> {
        self.despawn_with(id, Children::Follow)
    }

    /// Despawns a messagee with all of its components. `children` says what happens to its children; see
    /// [`Children`].
    ///
    /// ```
    /// use message_core::Children;
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let (ship, sailor) = (manager.spawn(()), manager.spawn(()));
    /// manager.set_parent(sailor, Some(ship))?;
    /// manager.despawn_with(ship, Children::Reparent)?;
    /// assert!(manager.is_alive(sailor));
    /// assert_eq!(manager.parent(sailor), None);
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// Panics if a handler that is notified of the change panics, or if a handler panics while this call
    /// settles what an earlier panic left pending; see [`settle`](Self::settle).
    #[track_caller]
    pub fn despawn_with(
        &mut self,
        id: MessageeId,
        children: Children,
    ) -> Result<(), MessageeError> {
        let place = Location::caller();
        self.input(|| Input::Despawn(id, children)).change(|world| {
            world.structure.check_stays(id)?;
            despawn(world, id, children, place);
            Ok(())
        })
    }

    /// Names a messagee, for people and files. A new name replaces the old one, and an empty name removes it.
    /// Several messagees can have the same name.
    ///
    /// Wherever the id is printed, the name follows it: in errors, reports, dead letters and traces.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let pilot = manager.spawn(());
    /// manager.set_name(pilot, "Red Baron")?;
    /// assert_eq!(pilot.to_string(), "0v0 \"Red Baron\"");
    ///
    /// manager.despawn(pilot)?;
    /// let error = manager.set_name(pilot, "Late Baron").unwrap_err();
    /// assert_eq!(error.to_string(), "messagee 0v0 \"Red Baron\" is gone");
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
    pub fn set_name(
        &mut self,
        id: MessageeId,
        name: impl Into<Arc<str>>,
    ) -> Result<(), MessageeError> {
        let name = name.into();
        let outermost = self.input(|| Input::SetName(id, &name));
        outermost.change(|world| world.structure.set_name(id, name))
    }

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
        let outermost = self.input(|| Input::SetParent(child, parent));
        outermost.change(|world| world.structure.set_parent(child, parent))
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
        let outermost = self.input(|| Input::Bind(mnemonic, id));
        outermost.change(|world| world.structure.bind(mnemonic, id))
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
        let outermost = self.input(|| Input::Unbind(mnemonic, id));
        outermost.change(|world| world.structure.unbind(mnemonic, id))
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
        let outermost = self.input(|| Input::SetMember(group, id, member));
        outermost.change(|world| world.structure.set_membership(group, id, member))
    }
}
