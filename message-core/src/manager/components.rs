//! The manager's components, borrowed from outside.

use std::cell::Ref;

use crate::address::{HookId, MessageeId};
use crate::component::Component;
use crate::error::MessageeError;
use crate::manager::MessageManager;

impl MessageManager {
    /// Borrows the first component of type `C` of a messagee.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NoComponent`], [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`]; [`MessageeError::Busy`] when it is mutably borrowed
    /// already.
    pub fn get<C: Component>(&self, id: MessageeId) -> Result<Ref<'_, C>, MessageeError> {
        self.world.get(id)
    }

    /// Borrows the first component of type `C` of a messagee, to change it.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NoComponent`], [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn get_mut<C: Component>(&mut self, id: MessageeId) -> Result<&mut C, MessageeError> {
        self.settle();
        self.world.get_exclusive(id)
    }

    /// Borrows the component of a hook, to change it.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotHooked`], [`MessageeError::HookOfOtherManager`],
    /// [`MessageeError::WrongComponent`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn hooked_mut<C: Component>(&mut self, hook: HookId) -> Result<&mut C, MessageeError> {
        self.settle();
        self.world.hooked_exclusive(hook)
    }

    /// Returns every component of type `C` with its messagee, in storage order, the disabled ones
    /// last.
    pub fn iter<C: Component>(&self) -> impl Iterator<Item = (MessageeId, Ref<'_, C>)> {
        self.world.iter()
    }

    /// Returns every component of type `C` with its messagee, in storage order, to change them.
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn iter_mut<C: Component>(&mut self) -> impl Iterator<Item = (MessageeId, &mut C)> {
        self.settle();
        self.world.iter_exclusive()
    }
}
