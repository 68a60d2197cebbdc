//! Checks of changes, and changes of addresses, the same inside a handler and outside. A messagee that is leaving cannot be changed.
//! One that comes alive when the outermost send returns can be.

use crate::address::{HookId, MessageeId};
use crate::error::{Absence, MessageeError, SendError};
use crate::group::Group;
use crate::mnemonic::Mnemonic;
use crate::storage::Hook;
use crate::structure::{Awaited, Structure, Unborn};

impl Structure {
    /// Returns the reason why a messagee cannot be reached, or `None` if it is alive and stays. One that is leaving is
    /// alive until the outermost send returns, unless it was also spawned in this dispatch.
    pub(crate) fn absence(&self, id: MessageeId) -> Option<Absence> {
        match self.messagees.get(id) {
            Some(_) => self.messagees.is_leaving(id).then_some(Absence::Leaving),
            None => Some(self.absence_of_unknown(id)),
        }
    }

    #[cold]
    fn absence_of_unknown(&self, id: MessageeId) -> Absence {
        match self.expected.look(Unborn::Messagee(id), |it| it.leaving) {
            Some(true) => Absence::Leaving,
            Some(false) => Absence::NotYetThere,
            None if self.keys.owns(id.0) => Absence::Gone,
            None => Absence::OtherManager,
        }
    }

    /// Returns the messagee of a component that is attached, or will be when the outermost send returns.
    pub(crate) fn owner_soon(&self, hook: HookId) -> Option<MessageeId> {
        match self.find_hook(hook) {
            Some(at) => Some(at.owner),
            None => self.expected.look(Unborn::Component(hook), |it| it.owner),
        }
    }

    /// Like [`absence`](Self::absence), for a messagee that a message is for. Returns an error if it is gone or of another
    /// manager.
    pub(crate) fn absence_for(
        &self,
        id: MessageeId,
        message: &'static str,
    ) -> Result<Option<Absence>, SendError> {
        match self.absence(id) {
            Some(why @ (Absence::Gone | Absence::OtherManager)) => {
                Err(SendError::absent(message, id, why))
            }
            absence => Ok(absence),
        }
    }

    /// Returns the messagee of a component that can be sent to, at once or when it is attached.
    pub(crate) fn owner_to_write_to(
        &self,
        hook: HookId,
        message: &'static str,
    ) -> Result<MessageeId, SendError> {
        match self.owner_soon(hook) {
            Some(owner) if self.check_hook(hook).is_ok() => Ok(owner),
            _ => Err(SendError::absent(message, hook, self.absence_of_hook(hook))),
        }
    }

    /// Checks that the messagee is alive or will be, and is not leaving.
    #[inline]
    #[doc(hidden)]
    pub fn check_stays(&self, id: MessageeId) -> Result<(), MessageeError> {
        if self.messagees.is_here(id) {
            return Ok(());
        }
        self.check_presence(id)
    }

    #[cold]
    fn check_presence(&self, id: MessageeId) -> Result<(), MessageeError> {
        match self.absence(id) {
            None | Some(Absence::NotYetThere) => Ok(()),
            Some(why) => Err(MessageeError::Absent { id, why }),
        }
    }

    /// Checks that the messagee is alive now.
    pub(crate) fn check_alive(&self, id: MessageeId) -> Result<(), MessageeError> {
        match self.absence(id) {
            None => Ok(()),
            Some(Absence::Leaving) if self.messagees.is_alive(id) => Ok(()),
            Some(why) => Err(MessageeError::Absent { id, why }),
        }
    }

    /// Checks that the component is attached or will be, and is not leaving.
    #[doc(hidden)]
    #[inline]
    pub fn check_hook(&self, hook: HookId) -> Result<(), MessageeError> {
        match self.check_attached(hook) {
            Err(error) if self.absence_of_hook(hook) != Absence::NotYetThere => Err(error),
            _ => Ok(()),
        }
    }

    /// Checks that the component is attached and not leaving.
    pub(crate) fn check_attached(&self, hook: HookId) -> Result<Hook, MessageeError> {
        let stays = |at: &Hook| !self.pools.at(at.component).is_leaving(at.slot as usize);
        let at = self.find_hook(hook).filter(stays);
        at.ok_or_else(|| {
            let why = self.absence_of_hook(hook);
            MessageeError::NotHooked { hook, why }
        })
    }

    /// Returns the reason why a component cannot be reached.
    #[cold]
    fn absence_of_hook(&self, hook: HookId) -> Absence {
        let leaves = |it: &Awaited| it.leaving || self.check_stays(it.owner).is_err();
        match self.expected.look(Unborn::Component(hook), leaves) {
            Some(false) => Absence::NotYetThere,
            Some(true) => Absence::Leaving,
            None if self.find_hook(hook).is_some() => Absence::Leaving,
            None if self.keys.owns(hook.0) => Absence::Gone,
            None => Absence::OtherManager,
        }
    }

    /// Checks that a component can be hooked to the messagee.
    #[inline]
    #[doc(hidden)]
    pub fn check_hookable(&self, id: MessageeId) -> Result<(), MessageeError> {
        if self.messagees.is_here(id) {
            return Ok(());
        }
        self.check_presence(id)?;
        if self.messagees.is_proxy(id) {
            let why = Absence::Elsewhere;
            return Err(MessageeError::Absent { id, why });
        }
        Ok(())
    }

    /// Binds a mnemonic to a messagee.
    pub(crate) fn bind(&self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        self.check_stays(id)?;
        if let Some(to) = self.binding_that_stays(mnemonic) {
            let mnemonic = mnemonic.name();
            return Err(MessageeError::AlreadyBound { mnemonic, to });
        }
        self.addresses.bind(mnemonic, id);
        Ok(())
    }

    /// Frees a mnemonic that is bound to that messagee.
    pub(crate) fn unbind(&self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        self.check_stays(id)?;
        match self.binding_that_stays(mnemonic) {
            Some(to) if to == id => {
                self.addresses.bindings.borrow_mut().remove(mnemonic, to);
                Ok(())
            }
            to => {
                let mnemonic = mnemonic.name();
                Err(MessageeError::NotBound { mnemonic, id, to })
            }
        }
    }

    /// Makes one messagee a child of another, or of none.
    pub(crate) fn set_parent(
        &self,
        child: MessageeId,
        parent: Option<MessageeId>,
    ) -> Result<(), MessageeError> {
        self.check_stays(child)?;
        if let Some(parent) = parent {
            self.check_stays(parent)?;
            // A messagee without children is nobody's ancestor, so a walk up a long line is not needed.
            let has_children = self.addresses.families.borrow().has_children(child);
            let may_be_above = child == parent || has_children;
            if may_be_above && self.addresses.is_above(child, parent) {
                return Err(MessageeError::Cycle { child, parent });
            }
        }
        let mut families = self.addresses.families.borrow_mut();
        families.set_parent(child, parent);
        Ok(())
    }

    /// Makes a messagee a member of a group, or ends its membership. Returns `true` if that was a change.
    pub(crate) fn set_membership(
        &self,
        group: Group,
        id: MessageeId,
        member: bool,
    ) -> Result<bool, MessageeError> {
        self.check_stays(id)?;
        let mut groups = self.addresses.groups.borrow_mut();
        Ok(if member {
            groups.add(group, id)
        } else {
            groups.remove(group, id)
        })
    }

    /// Returns the messagee that a mnemonic is bound to. Ignores one that is leaving, since its mnemonics
    /// can be bound again.
    #[doc(hidden)]
    pub fn binding_that_stays(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
        let bound = self.addresses.bound(mnemonic);
        bound.filter(|&id| self.check_stays(id).is_ok())
    }
}
