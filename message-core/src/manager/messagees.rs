//! The manager's messagees: which are alive, spawning and despawning.

use std::panic::Location;

use crate::address::MessageeId;
use crate::component::Bundle;
#[cfg(feature = "data")]
use crate::data::Input;
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
        #[cfg(feature = "data")]
        self.log_spawn(None, &bundle, place);
        self.change(|world| {
            let id = world.structure.keys.reserve_messagee();
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
        #[cfg(feature = "data")]
        self.world.log_input(|| Input::Despawn(id, children));
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
}
