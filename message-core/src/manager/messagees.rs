//! The manager's messagees: which are alive, spawning and despawning.

use std::panic::Location;

use crate::address::MessageeId;
use crate::component::Bundle;
use crate::error::MessageeError;
use crate::manager::MessageManager;
use crate::world::Children;

impl MessageManager {
    /// Spawns a messagee with these components, hooked in the order of the tuple.
    ///
    /// # Panics
    ///
    /// When more than 2^32 messagees or components are alive at once, or a handler of [`Hooked`]
    /// panics. Also when a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    #[track_caller]
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> MessageeId {
        let place = Location::caller();
        self.change(|world| {
            let id = world.reserve_messagee();
            world.insert(id, bundle, place);
            id
        })
    }

    /// Despawns a messagee and its descendants, with all of their components. Its mnemonics are
    /// free again.
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
    pub fn despawn(&mut self, id: MessageeId) -> Result<(), MessageeError> {
        self.despawn_with(id, Children::Follow)
    }

    /// Despawns a messagee with all of its components, and does with its children as told.
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
    pub fn despawn_with(
        &mut self,
        id: MessageeId,
        children: Children,
    ) -> Result<(), MessageeError> {
        let place = Location::caller();
        self.change(|world| {
            world.check_stays(id)?;
            world.despawn(id, children, place);
            Ok(())
        })
    }

    /// Returns `true` if the messagee is alive.
    #[must_use]
    pub fn is_alive(&self, id: MessageeId) -> bool {
        self.world.messagees.get(id).is_some()
    }

    /// Returns the number of messagees that are alive.
    #[must_use]
    pub fn len(&self) -> usize {
        self.world.messagees.len()
    }

    /// Returns `true` if no messagee is alive.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the messagees that are alive, in no order that means anything.
    pub fn messagees(&self) -> impl Iterator<Item = MessageeId> {
        self.world.messagees.iter()
    }
}
