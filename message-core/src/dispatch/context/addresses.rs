//! What a handler or a subscriber can do with addresses: families, mnemonics and groups. They change
//! at once.

use crate::address::MessageeId;
use crate::dispatch::Context;
use crate::error::MessageeError;
use crate::group::Group;
use crate::mnemonic::Mnemonic;

impl<R> Context<'_, R> {
    /// Makes one messagee the last child of another, or nobody's, at once.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Cycle`], [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    pub fn set_parent(
        &mut self,
        child: MessageeId,
        parent: Option<MessageeId>,
    ) -> Result<(), MessageeError> {
        let world = self.world();
        world.check_parent(child, parent)?;
        world.addresses.set_parent(child, parent);
        Ok(())
    }

    /// The messagee's parent; `None` when it has none or is not alive.
    #[must_use]
    pub fn parent(&self, id: MessageeId) -> Option<MessageeId> {
        self.world().parent(id)
    }

    /// The messagee's children in the order in which they came; none when it is not alive.
    pub fn children(&self, id: MessageeId) -> impl Iterator<Item = MessageeId> + use<R> {
        self.world().children(id)
    }

    /// Binds a mnemonic to a messagee, at once. One that is bound to a messagee that is leaving is
    /// free.
    ///
    /// # Errors
    ///
    /// [`MessageeError::AlreadyBound`], [`MessageeError::Gone`],
    /// [`MessageeError::OtherManager`].
    pub fn bind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        let world = self.world();
        world.check_bind(mnemonic, id)?;
        world.addresses.bind(mnemonic, id);
        Ok(())
    }

    /// Frees a mnemonic that is bound to that messagee, at once.
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotBound`], [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    pub fn unbind(&mut self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        let world = self.world();
        world.check_unbind(mnemonic, id)?;
        world.addresses.unbind(mnemonic);
        Ok(())
    }

    /// The messagee that is bound to a mnemonic.
    #[must_use]
    pub fn bound(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
        self.world().addresses.bound(mnemonic)
    }

    /// Makes a messagee a member of a group, at once. Returns `true` if it was not one before.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    pub fn join(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        self.set_membership(group, id, true)
    }

    /// Ends a messagee's membership of a group, at once. Returns `true` if it was a member.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    pub fn leave(&mut self, group: Group, id: MessageeId) -> Result<bool, MessageeError> {
        self.set_membership(group, id, false)
    }

    fn set_membership(
        &mut self,
        group: Group,
        id: MessageeId,
        member: bool,
    ) -> Result<bool, MessageeError> {
        let world = self.world();
        world.check_stays(id)?;
        Ok(world.addresses.set_membership(group, id, member))
    }

    /// The members of a group, in the order in which they joined.
    pub fn members(&self, group: Group) -> impl Iterator<Item = MessageeId> + use<R> {
        self.world().addresses.members(group).into_iter()
    }
}
