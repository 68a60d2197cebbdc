//! The ids of a manager's messagees and hooks: which come next, which are in use, and whose hook each is.

use std::cell::RefCell;
use std::collections::HashSet;

use crate::address::{HookId, MessageeId};
use crate::by_field::clone_by_field;
use crate::identity::ManagerNumber;
use crate::key::{Key, Keys};
use crate::storage::{Paged, Pool, Pools};

/// Gives out ids of messagees and hooks, and takes them back.
#[derive(Debug)]
pub struct IdKeys {
    pub messagees: RefCell<Keys>,
    pub hooks: RefCell<Keys>,
    /// The place of the messagee that a component is attached to, by the place of its hook. The entry of a hook that
    /// is not attached may be any.
    owners: Paged<u32>,
}

clone_by_field!(IdKeys {
    messagees,
    hooks,
    owners
});

impl IdKeys {
    pub(super) fn new(manager: ManagerNumber) -> Self {
        Self {
            messagees: Keys::new(manager).into(),
            hooks: Keys::new(manager).into(),
            owners: Paged::default(),
        }
    }

    /// Returns the id of a messagee that is about to come.
    #[inline]
    pub fn reserve_messagee(&self) -> MessageeId {
        MessageeId(self.messagees.borrow_mut().allocate())
    }

    /// Returns the id of a component that is about to be hooked.
    pub fn reserve_hook(&self) -> HookId {
        HookId(self.hooks.borrow_mut().allocate())
    }

    /// Frees the memory that is not used.
    pub(super) fn shrink_to_fit(&mut self, pools: &Pools) {
        let live = pools.iter().flat_map(Pool::hooks);
        let live: HashSet<usize> = live.map(|hook| hook as usize).collect();
        self.owners.free_unused(|hook, _| live.contains(&hook));
        self.messagees.get_mut().shrink_to_fit();
        self.hooks.get_mut().shrink_to_fit();
    }

    /// Notes that the component of a hook is attached.
    #[inline]
    pub(super) fn set_owner(&mut self, hook: u32, owner: MessageeId) {
        *self.owners.entry(hook as usize) = owner.0.place();
    }

    /// Returns the place of the messagee that the component of a hook is attached to. If it is not attached, it can be
    /// any place.
    pub(super) fn owner_of(&self, hook: HookId) -> Option<u32> {
        let place = hook.0.place();
        let is_current = self.hook_at(place) == Some(hook);
        is_current.then(|| self.owners.get(place as usize).copied())?
    }

    /// Releases the hook at a place. Returns it.
    #[inline]
    pub fn release_hook(&mut self, place: u32) -> HookId {
        HookId(self.hooks.get_mut().release(place))
    }

    pub(super) fn manager(&self) -> ManagerNumber {
        self.hooks.borrow().manager
    }

    /// Returns `true` if this manager gave out a key, or an earlier one with the same number.
    #[cold]
    pub(super) fn owns(&self, key: Key) -> bool {
        key.manager() == self.manager()
    }

    /// Returns the hook that was given out last of a place, if there was one.
    #[inline]
    pub fn hook_at(&self, place: u32) -> Option<HookId> {
        self.hooks.borrow().current(place).map(HookId)
    }

    /// Returns the hook of the component in a slot of a pool.
    pub fn hook_in(&self, pool: &Pool, slot: usize) -> HookId {
        let hook = self.hook_at(pool.hook(slot));
        hook.expect("a hook that is attached was given out")
    }
}
