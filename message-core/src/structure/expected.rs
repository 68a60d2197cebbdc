//! The messagees and components that are announced in a dispatch and come when the outermost send returns.
//!
//! Each is kept until it has come or the dispatch is over.

use std::any::TypeId;
use std::cell::RefCell;

use crate::address::{HookId, MessageeId};
use crate::hash::HashedMap;

/// A messagee that will come alive.
struct Newborn {
    /// The types of the components it will come with.
    components: Vec<TypeId>,
    /// `true` if its despawning is queued already.
    leaving: bool,
}

/// A component that will be attached.
#[derive(Clone, Copy)]
pub(crate) struct Awaited {
    pub(crate) owner: MessageeId,
    pub(crate) component: TypeId,
    /// `true` if its unhooking is queued already.
    leaving: bool,
}

#[derive(Default)]
pub(crate) struct Expected {
    newborns: RefCell<HashedMap<MessageeId, Newborn>>,
    hooks: RefCell<HashedMap<HookId, Awaited>>,
    /// The attached components that have panicked and will be removed: not even the farewell reaches them.
    panicked: RefCell<Vec<HookId>>,
}

impl Expected {
    /// Announces a messagee that comes alive when the outermost send returns.
    pub(crate) fn announce(&self, id: MessageeId, components: Vec<TypeId>) {
        let newborn = Newborn {
            components,
            leaving: false,
        };
        self.newborns.borrow_mut().insert(id, newborn);
    }

    pub(crate) fn is_unborn(&self, id: MessageeId) -> bool {
        self.is_stillborn(id).is_some()
    }

    /// Returns whether the despawning of a messagee is already queued, if it is unborn.
    pub(crate) fn is_stillborn(&self, id: MessageeId) -> Option<bool> {
        let newborns = self.newborns.borrow();
        newborns.get(&id).map(|newborn| newborn.leaving)
    }

    pub(super) fn mark_stillborn(&self, id: MessageeId) {
        if let Some(newborn) = self.newborns.borrow_mut().get_mut(&id) {
            newborn.leaving = true;
        }
    }

    /// Returns the types of the components that a newborn will come with, unless it leaves at once.
    pub(crate) fn newborn_components(&self, id: MessageeId) -> Vec<TypeId> {
        let newborns = self.newborns.borrow();
        let newborn = newborns.get(&id).filter(|newborn| !newborn.leaving);
        newborn.map_or_else(Vec::new, |newborn| newborn.components.clone())
    }

    /// Notes that a messagee has come alive. Returns `true` if it leaves at once.
    pub(crate) fn note_birth(&mut self, id: MessageeId) -> bool {
        let newborn = self.newborns.get_mut().remove(&id);
        newborn.is_some_and(|newborn| newborn.leaving)
    }

    /// Returns what is known of a component that will be attached, even if it leaves at once.
    pub(crate) fn awaited(&self, hook: HookId) -> Option<Awaited> {
        self.hooks.borrow().get(&hook).copied()
    }

    /// Like [`awaited`](Self::awaited), unless the component leaves at once.
    pub(crate) fn awaited_to_stay(&self, hook: HookId) -> Option<Awaited> {
        self.awaited(hook).filter(|awaited| !awaited.leaving)
    }

    /// Announces a component that is attached when the outermost send returns.
    pub(crate) fn await_hook(&self, hook: HookId, owner: MessageeId, component: TypeId) {
        let awaited = Awaited {
            owner,
            component,
            leaving: false,
        };
        self.hooks.borrow_mut().insert(hook, awaited);
    }

    /// Marks a component that is not yet attached and will leave at once.
    pub(super) fn give_up_hook(&self, hook: HookId) {
        if let Some(awaited) = self.hooks.borrow_mut().get_mut(&hook) {
            awaited.leaving = true;
        }
    }

    /// Notes that a component is attached.
    pub(crate) fn note_hooked(&mut self, hook: HookId) {
        self.hooks.get_mut().remove(&hook);
    }

    pub(crate) fn mark_panicked(&self, hook: HookId) {
        self.panicked.borrow_mut().push(hook);
    }

    pub(crate) fn has_panicked(&self, hook: HookId) -> bool {
        self.panicked.borrow().contains(&hook)
    }

    /// Forgets everything but newborns, since nothing is queued any more.
    pub(crate) fn end_dispatch(&mut self) {
        self.hooks.get_mut().clear();
        self.panicked.get_mut().clear();
    }
}
