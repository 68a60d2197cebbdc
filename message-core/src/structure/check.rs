//! Checks of changes, and changes of addresses, the same inside a handler and outside. A messagee that is leaving cannot be changed.
//! One that comes alive when the outermost send returns can be.

use crate::address::{HookId, MessageeId};
use crate::error::{MessageeError, SendError, SendErrorKind};
use crate::group::Group;
use crate::mnemonic::Mnemonic;
use crate::storage::Hook;
use crate::structure::{Awaited, Structure, Unborn};

/// The current state of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    Alive,
    /// Despawned in this dispatch: it receives nothing more. Still alive until the outermost send returns,
    /// unless it was also spawned in this dispatch.
    Leaving,
    /// Spawned in this dispatch, alive when the outermost send returns.
    Unborn,
    Gone,
    Foreign,
}

impl Structure {
    pub(crate) fn presence(&self, id: MessageeId) -> Presence {
        match self.messagees.get(id) {
            Some(_) if self.messagees.is_leaving(id) => Presence::Leaving,
            Some(_) => Presence::Alive,
            None => self.absence(id),
        }
    }

    /// Like [`presence`](Self::presence), for a messagee that is not alive. It is a separate function so that the
    /// check for a living one can be inlined.
    #[cold]
    fn absence(&self, id: MessageeId) -> Presence {
        match self.expected.look(Unborn::Messagee(id), |it| it.leaving) {
            Some(true) => Presence::Leaving,
            Some(false) => Presence::Unborn,
            None if self.keys.owns(id.0) => Presence::Gone,
            None => Presence::Foreign,
        }
    }

    /// Returns the messagee of a component that is attached, or will be when the outermost send returns.
    pub(crate) fn owner_soon(&self, hook: HookId) -> Option<MessageeId> {
        match self.find_hook(hook) {
            Some(at) => Some(at.owner),
            None => self.expected.look(Unborn::Component(hook), |it| it.owner),
        }
    }

    /// Returns the presence of a messagee that a message is for. Returns an error if it is gone or of another manager.
    pub(crate) fn presence_for(
        &self,
        id: MessageeId,
        message: &'static str,
    ) -> Result<Presence, SendError> {
        let kind = match self.presence(id) {
            Presence::Gone => SendErrorKind::Gone,
            Presence::Foreign => SendErrorKind::OtherManager,
            presence => return Ok(presence),
        };
        Err(SendError::new(message, id, kind))
    }

    /// Returns the messagee of a component that can be sent to, at once or when it is attached.
    pub(crate) fn owner_to_write_to(
        &self,
        hook: HookId,
        message: &'static str,
    ) -> Result<MessageeId, SendError> {
        let kind = match self.owner_soon(hook) {
            Some(owner) if self.check_hook(hook).is_ok() => return Ok(owner),
            Some(_) => SendErrorKind::Leaving,
            None if self.keys.owns(hook.0) => SendErrorKind::Gone,
            None => SendErrorKind::OtherManager,
        };
        Err(SendError::new(message, hook, kind))
    }

    /// Checks that the messagee is alive or will be, and is not leaving.
    #[inline]
    pub(crate) fn check_stays(&self, id: MessageeId) -> Result<(), MessageeError> {
        if self.messagees.is_here(id) {
            return Ok(());
        }
        self.check_presence(id)
    }

    #[cold]
    fn check_presence(&self, id: MessageeId) -> Result<(), MessageeError> {
        match self.presence(id) {
            Presence::Alive | Presence::Unborn => Ok(()),
            Presence::Leaving => Err(MessageeError::Leaving { id }),
            Presence::Foreign => Err(MessageeError::OtherManager { id }),
            Presence::Gone => Err(MessageeError::Gone { id }),
        }
    }

    /// Checks that the messagee is alive now.
    pub(crate) fn check_alive(&self, id: MessageeId) -> Result<(), MessageeError> {
        match self.presence(id) {
            Presence::Alive => Ok(()),
            Presence::Leaving if self.messagees.is_alive(id) => Ok(()),
            Presence::Leaving | Presence::Unborn => Err(MessageeError::NotYetSpawned { id }),
            Presence::Foreign => Err(MessageeError::OtherManager { id }),
            Presence::Gone => Err(MessageeError::Gone { id }),
        }
    }

    /// Checks that the component is attached or will be, and is not leaving.
    pub(crate) fn check_hook(&self, hook: HookId) -> Result<(), MessageeError> {
        match self.check_attached(hook) {
            Ok(_) | Err(MessageeError::NotYetHooked { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Checks that the component is attached and not leaving.
    pub(crate) fn check_attached(&self, hook: HookId) -> Result<Hook, MessageeError> {
        let at = self.find_hook(hook);
        let at = at.ok_or_else(|| self.not_attached(hook))?;
        if self.pools.at(at.component).is_leaving(at.slot as usize) {
            return Err(MessageeError::NotHooked { hook });
        }
        Ok(at)
    }

    #[cold]
    fn not_attached(&self, hook: HookId) -> MessageeError {
        let unborn = Unborn::Component(hook);
        let stays = |it: &Awaited| !it.leaving && self.check_stays(it.owner).is_ok();
        if !self.keys.owns(hook.0) {
            MessageeError::HookOfOtherManager { hook }
        } else if self.expected.look(unborn, stays) == Some(true) {
            MessageeError::NotYetHooked { hook }
        } else {
            MessageeError::NotHooked { hook }
        }
    }

    /// Checks that a component can be hooked to the messagee.
    #[inline]
    pub(crate) fn check_hookable(&self, id: MessageeId) -> Result<(), MessageeError> {
        if self.messagees.is_here(id) {
            return Ok(());
        }
        self.check_presence(id)?;
        if self.messagees.is_proxy(id) {
            return Err(MessageeError::Elsewhere { id });
        }
        Ok(())
    }

    /// Binds a mnemonic to a messagee.
    pub(crate) fn bind(&self, mnemonic: Mnemonic, id: MessageeId) -> Result<(), MessageeError> {
        self.check_stays(id)?;
        if let Some(to) = self.binding_that_stays(mnemonic) {
            return Err(MessageeError::AlreadyBound {
                mnemonic: mnemonic.name(),
                to,
            });
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
            to => Err(MessageeError::NotBound {
                mnemonic: mnemonic.name(),
                id,
                to,
            }),
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
    pub(crate) fn binding_that_stays(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
        let bound = self.addresses.bound(mnemonic);
        bound.filter(|&id| self.check_stays(id).is_ok())
    }
}
