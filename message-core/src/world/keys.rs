//! The ids of a manager's messagees and hooks: which come next, and which are in use.

use std::cell::RefCell;

use crate::address::{HookId, MessageeId};
use crate::identity::ManagerNumber;
use crate::key::Keys;
#[cfg(feature = "data")]
use crate::key::SavedKeys;
use crate::storage::Pool;

/// Gives out ids of messagees and hooks, and takes them back.
pub(crate) struct IdKeys {
    messagees: RefCell<Keys>,
    hooks: RefCell<Keys>,
}

impl IdKeys {
    pub(super) fn new(manager: ManagerNumber) -> Self {
        Self {
            messagees: Keys::new(manager).into(),
            hooks: Keys::new(manager).into(),
        }
    }

    /// The id of a messagee that is about to come.
    pub(crate) fn reserve_messagee(&self) -> MessageeId {
        MessageeId(self.messagees.borrow_mut().allocate())
    }

    /// The id of a component that is about to be hooked.
    pub(crate) fn reserve_hook(&self) -> HookId {
        HookId(self.hooks.borrow_mut().allocate())
    }

    /// Gives back the memory that is in no use.
    pub(super) fn shrink_to_fit(&mut self) {
        self.messagees.get_mut().shrink_to_fit();
        self.hooks.get_mut().shrink_to_fit();
    }

    /// A messagee has gone.
    pub(crate) fn release_messagee(&mut self, id: MessageeId) {
        self.messagees.get_mut().release(id.0);
    }

    /// A component was unhooked.
    pub(crate) fn release_hook(&mut self, hook: HookId) {
        self.hooks.get_mut().release(hook.0);
    }

    /// The hook that was given out last of a place, if there was one.
    #[inline]
    pub(crate) fn hook_at(&self, place: u32) -> Option<HookId> {
        self.hooks.borrow().current(place).map(HookId)
    }

    /// The hook that is attached at a place.
    #[inline]
    pub(crate) fn attached_at(&self, place: u32) -> HookId {
        let hook = self.hook_at(place);
        hook.expect("a hook that is attached was given out")
    }

    /// The hook of the component in a slot of a pool.
    pub(crate) fn hook_in(&self, pool: &Pool, slot: usize) -> HookId {
        let place = pool.roster().hook(slot);
        self.attached_at(place.expect("every component of a pool has a hook"))
    }
}

#[cfg(feature = "data")]
impl IdKeys {
    /// The ids that the next messagees will have.
    pub(crate) fn upcoming_messagees(&self, count: usize) -> Vec<MessageeId> {
        let keys = self.messagees.borrow().upcoming(count);
        keys.into_iter().map(MessageeId).collect()
    }

    /// The ids that the next components will have.
    pub(crate) fn upcoming_hooks(&self, count: usize) -> Vec<HookId> {
        let keys = self.hooks.borrow().upcoming(count);
        keys.into_iter().map(HookId).collect()
    }

    /// The keys of messagees and of hooks.
    pub(crate) fn saved(&self) -> [SavedKeys; 2] {
        [&self.messagees, &self.hooks].map(|keys| keys.borrow().saved())
    }

    pub(crate) fn restore(&mut self, [messagees, hooks]: [&SavedKeys; 2]) {
        self.messagees.get_mut().restore(messagees);
        self.hooks.get_mut().restore(hooks);
    }

    /// The messagee that was given out last of a place, if there was one.
    pub(crate) fn messagee_at(&self, place: u32) -> Option<MessageeId> {
        self.messagees.borrow().current(place).map(MessageeId)
    }
}
