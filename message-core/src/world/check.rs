//! Which changes are allowed. Inside a handler and outside the same questions are asked: a messagee that is leaving
//! cannot be changed, one that comes alive when the outermost send returns can be.

use crate::address::{HookId, MessageeId};
use crate::error::{MessageeError, SendError, SendErrorKind};
use crate::mnemonic::Mnemonic;
use crate::storage::{Hook, Record};
use crate::world::World;

/// What a hook stands for at this moment.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hooking {
    Attached(Hook),
    /// Hooked in this dispatch to that messagee, attached when the outermost send returns.
    Awaited(MessageeId),
    Gone,
    Foreign,
}

/// What an id stands for at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    Alive,
    /// Despawned in this dispatch: it receives nothing more. Alive until the outermost send returns, if
    /// it was not spawned in this dispatch, too.
    Leaving,
    /// Spawned in this dispatch, alive when the outermost send returns.
    Unborn,
    Gone,
    Foreign,
}

impl World {
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
    #[inline(never)]
    fn absence(&self, id: MessageeId) -> Presence {
        if !self.owns(id.0) {
            Presence::Foreign
        } else if self.pending.is_stillborn(id) {
            Presence::Leaving
        } else if self.pending.is_unborn(id) {
            Presence::Unborn
        } else {
            Presence::Gone
        }
    }

    pub(crate) fn hooking(&self, hook: HookId) -> Hooking {
        if let Some(at) = self.find_hook(hook) {
            return Hooking::Attached(at);
        }
        match self.pending.owner_of_awaited(hook) {
            _ if !self.owns(hook.0) => Hooking::Foreign,
            Some(owner) => Hooking::Awaited(owner),
            None => Hooking::Gone,
        }
    }

    /// The messagee of a component that a message can be sent to, at once or when it is attached.
    pub(crate) fn owner_to_write_to(
        &self,
        hook: HookId,
        message: &'static str,
    ) -> Result<MessageeId, SendError> {
        match self.hooking(hook) {
            Hooking::Attached(_) | Hooking::Awaited(_) if self.check_hook(hook).is_err() => {
                Err(SendErrorKind::HookLeaving { hook, message }.into())
            }
            Hooking::Attached(at) => Ok(at.owner),
            Hooking::Awaited(owner) => Ok(owner),
            Hooking::Gone => Err(SendErrorKind::HookGone { hook, message }.into()),
            Hooking::Foreign => Err(SendErrorKind::HookOfOtherManager { hook, message }.into()),
        }
    }

    /// Returns `true` if the messagee was despawned, or never was.
    pub(crate) fn is_gone(&self, id: MessageeId) -> bool {
        matches!(self.presence(id), Presence::Gone | Presence::Foreign)
    }

    /// That the messagee is alive or will be, and stays.
    pub(crate) fn check_stays(&self, id: MessageeId) -> Result<(), MessageeError> {
        match self.presence(id) {
            Presence::Alive | Presence::Unborn => Ok(()),
            Presence::Leaving => Err(MessageeError::Leaving { id }),
            Presence::Foreign => Err(MessageeError::OtherManager { id }),
            Presence::Gone => Err(MessageeError::Gone { id }),
        }
    }

    /// That the messagee is alive now.
    pub(crate) fn check_alive(&self, id: MessageeId) -> Result<(), MessageeError> {
        match self.presence(id) {
            Presence::Alive => Ok(()),
            Presence::Leaving if self.messagees.is_alive(id) => Ok(()),
            Presence::Leaving | Presence::Unborn => Err(MessageeError::NotYetSpawned { id }),
            Presence::Foreign => Err(MessageeError::OtherManager { id }),
            Presence::Gone => Err(MessageeError::Gone { id }),
        }
    }

    /// That the component is attached or will be, and stays.
    pub(crate) fn check_hook(&self, hook: HookId) -> Result<(), MessageeError> {
        let stays = if let Some(at) = self.find_hook(hook) {
            !self
                .pools
                .at(at.component)
                .roster()
                .is_leaving(at.slot as usize)
        } else if !self.owns(hook.0) {
            return Err(MessageeError::HookOfOtherManager { hook });
        } else {
            let owner = self.pending.owner(hook);
            owner.is_some_and(|owner| self.check_stays(owner).is_ok())
        };
        if stays {
            Ok(())
        } else {
            Err(MessageeError::NotHooked { hook })
        }
    }

    /// That a component can be hooked to the messagee.
    pub(crate) fn check_hookable(&self, id: MessageeId) -> Result<(), MessageeError> {
        self.check_stays(id)?;
        match self.messagees.get(id).and_then(Record::outbox) {
            Some(_) => Err(MessageeError::Elsewhere { id }),
            None => Ok(()),
        }
    }

    pub(crate) fn check_bind(
        &self,
        mnemonic: Mnemonic,
        id: MessageeId,
    ) -> Result<(), MessageeError> {
        self.check_stays(id)?;
        match self.binding_that_stays(mnemonic) {
            Some(to) => Err(MessageeError::AlreadyBound {
                mnemonic: mnemonic.name(),
                to,
            }),
            None => Ok(()),
        }
    }

    pub(crate) fn check_unbind(
        &self,
        mnemonic: Mnemonic,
        id: MessageeId,
    ) -> Result<(), MessageeError> {
        self.check_stays(id)?;
        match self.binding_that_stays(mnemonic) {
            Some(to) if to == id => Ok(()),
            to => Err(MessageeError::NotBound {
                mnemonic: mnemonic.name(),
                id,
                to,
            }),
        }
    }

    pub(crate) fn check_parent(
        &self,
        child: MessageeId,
        parent: Option<MessageeId>,
    ) -> Result<(), MessageeError> {
        self.check_stays(child)?;
        let Some(parent) = parent else { return Ok(()) };
        self.check_stays(parent)?;
        // Who has no children is nobody's ancestor, and needs no walk up a long line.
        let may_be_above = child == parent || self.addresses.has_children(child);
        if may_be_above && self.addresses.is_above(child, parent) {
            return Err(MessageeError::Cycle { child, parent });
        }
        Ok(())
    }

    /// Who a mnemonic is bound to. A messagee that leaves gives its mnemonics up to who asks for them.
    pub(crate) fn binding_that_stays(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
        let bound = self.addresses.bound(mnemonic);
        bound.filter(|&id| self.check_stays(id).is_ok())
    }
}
