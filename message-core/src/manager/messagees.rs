//! The manager's messagees: which are alive, their names, spawning and despawning.

use std::panic::Location;
use std::sync::Arc;

use crate::address::MessageeId;
use crate::component::Bundle;
use crate::error::MessageeError;
use crate::manager::MessageManager;
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
        log_input!(self.world => spawn(None, &bundle, place));
        self.change(|world| {
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
        log_input!(self.world => spawn(Some(&name), &bundle, place));
        self.change(|world| {
            let id = world.structure.keys.reserve_messagee();
            world.common.names.set(id, name);
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
        log_input!(self.world => input(&Input::Despawn(id, children)));
        self.change(|world| {
            world.structure.check_stays(id)?;
            despawn(world, id, children, place);
            Ok(())
        })
    }

    /// Returns `true` if the messagee is alive; `false` for an id of another manager.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// assert!(manager.is_alive(orc));
    /// manager.despawn(orc)?;
    /// assert!(!manager.is_alive(orc));
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn is_alive(&self, id: MessageeId) -> bool {
        self.world.structure.messagees.get(id).is_some()
    }

    /// Returns the number of messagees that are alive.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// manager.spawn(());
    /// assert_eq!(manager.len(), 2);
    /// manager.despawn(orc)?;
    /// assert_eq!(manager.len(), 1);
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.world.structure.messagees.len()
    }

    /// Returns `true` if no messagee is alive.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// assert!(manager.is_empty());
    /// manager.spawn(());
    /// assert!(!manager.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the messagees that are alive, in no order that means anything.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Health { hp: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Health { hp: 10 },));
    /// let stone = manager.spawn(());
    /// let lifeless = manager.messagees().find(|&id| manager.get::<Health>(id).is_err());
    /// assert_eq!(lifeless, Some(stone));
    /// ```
    pub fn messagees(&self) -> impl Iterator<Item = MessageeId> {
        self.world.structure.messagees.iter()
    }

    /// Returns the living messagees whose whole name matches a pattern, in the order of their places, like
    /// [`messagees`](Self::messagees).
    ///
    /// In a pattern, `*` matches any number of characters, including none, and `?` matches one character. A
    /// `\` escapes the next character. Matching is case-sensitive. A messagee without a name is never found.
    ///
    /// With wildcards, a search takes time proportional to the number of names. Without them, the name is looked up
    /// in an index, which the first such search builds.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let [first, second] = ["goblin 1", "goblin 2"].map(|name| manager.spawn_named(name, ()));
    /// let king = manager.spawn_named("goblin king", ());
    /// assert!(manager.find("goblin*").eq([first, second, king]));
    /// assert!(manager.find("goblin ?").eq([first, second]));
    /// assert!(manager.find("goblin").eq([]));
    /// ```
    pub fn find(&self, pattern: &str) -> impl Iterator<Item = MessageeId> + use<> {
        let names = &self.world.common.names;
        self.world.structure.find_named(names, pattern).into_iter()
    }

    /// Returns the name of a messagee; `None` if it has none.
    ///
    /// The name of one that is gone is known until its place has another messagee with a name, or
    /// [`shrink_to_fit`](Self::shrink_to_fit) forgets it.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let goblin = manager.spawn_named("goblin", ());
    /// assert_eq!(manager.name(goblin).as_deref(), Some("goblin"));
    /// manager.set_name(goblin, "")?;
    /// assert_eq!(manager.name(goblin), None);
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn name(&self, id: MessageeId) -> Option<Arc<str>> {
        self.world.common.names.get(id)
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
        log_input!(self.world => input(&Input::SetName(id, name.as_ref().to_owned())));
        self.change(|world| {
            world.structure.check_stays(id)?;
            world.common.names.set(id, name);
            Ok(())
        })
    }
}
