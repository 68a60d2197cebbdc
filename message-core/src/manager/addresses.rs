//! The manager's addresses: families, mnemonics and groups.

use crate::address::MessageeId;
use crate::error::MessageeError;
use crate::group::Group;
use crate::manager::MessageManager;
use crate::mnemonic::Mnemonic;

impl MessageManager {
    /// Makes one messagee the last child of another, or nobody's child.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Cycle`] when it would become its own ancestor, [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn set_parent(
        &mut self,
        child: MessageeId,
        parent: Option<MessageeId>,
    ) -> Result<(), MessageeError> {
        self.change(|world| {
            world.check_parent(child, parent)?;
            world.addresses.set_parent(child, parent);
            Ok(())
        })
    }

    /// Returns the messagee's parent; `None` when it has none or is not alive.
    #[must_use]
    pub fn parent(&self, id: MessageeId) -> Option<MessageeId> {
        self.world.parent(id)
    }

    /// Returns the messagee's children in the order in which they came; none when it is not alive.
    pub fn children(&self, id: MessageeId) -> impl Iterator<Item = MessageeId> + use<> {
        self.world.children(id)
    }

    /// Binds a mnemonic to a messagee.
    ///
    /// # Errors
    ///
    /// [`MessageeError::AlreadyBound`], [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn bind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        self.change(|world| {
            world.check_bind(mnemonic, id)?;
            world.addresses.bind(mnemonic, id);
            Ok(())
        })
    }

    /// Frees a mnemonic that is bound to that messagee.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotBound`] when it is bound to another or to none,
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn unbind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        self.change(|world| {
            world.check_unbind(mnemonic, id)?;
            world.addresses.unbind(mnemonic);
            Ok(())
        })
    }

    /// Returns the messagee that is bound to a mnemonic.
    #[must_use]
    pub fn bound(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
        self.world.addresses.bound(mnemonic)
    }

    /// Adds a messagee to a group, behind the members that it has. Returns `true` if it was not a
    /// member before.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn join(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        self.set_membership(group, id, true)
    }

    /// Removes a messagee from a group. Returns `true` if it was a member.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
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
        self.change(|world| {
            world.check_stays(id)?;
            Ok(world.addresses.set_membership(group, id, member))
        })
    }

    /// Returns the members of a group, in the order in which they joined.
    pub fn members(&self, group: Group) -> impl Iterator<Item = MessageeId> + use<> {
        self.world.addresses.members(group).into_iter()
    }
}
