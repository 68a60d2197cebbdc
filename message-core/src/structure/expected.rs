//! The messagees and components that are announced in a dispatch and come when the outermost send returns.
//!
//! Each is kept until it has come or the dispatch is over.

use std::any::TypeId;
use std::cell::RefCell;

use smallvec::SmallVec;

use crate::address::{HookId, MessageeId};
use crate::hash::HashedMap;

/// The types of the components of a receiver that is not there yet.
pub(crate) type Types = SmallVec<[TypeId; 2]>;

/// A receiver that is not there yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unborn {
    /// A messagee that will come alive.
    Messagee(MessageeId),
    /// A component that will be attached.
    Component(HookId),
}

/// A receiver that is not there yet, and what comes with it.
#[derive(Clone, Debug)]
pub(crate) struct Awaited {
    /// The messagee itself, or that of the component.
    pub(crate) owner: MessageeId,
    /// The types of the components that come.
    pub(crate) components: Types,
    /// `true` if its despawning or unhooking is queued already.
    pub(crate) leaving: bool,
}

#[derive(Debug, Default)]
pub struct Expected {
    awaited: RefCell<HashedMap<Unborn, Awaited>>,
    /// The attached components that have panicked and will be removed: not even the farewell reaches them.
    pub(crate) panicked: RefCell<Vec<HookId>>,
}

impl Expected {
    /// Announces a receiver that comes when the outermost send returns.
    pub fn announce(&self, unborn: Unborn, owner: MessageeId, components: Types) {
        let awaited = Awaited {
            owner,
            components,
            leaving: false,
        };
        self.awaited.borrow_mut().insert(unborn, awaited);
    }

    /// Passes a receiver to `look`, if it is awaited. It may leave at once.
    pub(crate) fn look<T>(&self, unborn: Unborn, look: impl FnOnce(&Awaited) -> T) -> Option<T> {
        self.awaited.borrow().get(&unborn).map(look)
    }

    pub(crate) fn is_unborn(&self, id: MessageeId) -> bool {
        self.awaited.borrow().contains_key(&Unborn::Messagee(id))
    }

    /// Marks a receiver that is not there yet and will leave at once.
    pub(super) fn give_up(&self, unborn: Unborn) {
        if let Some(awaited) = self.awaited.borrow_mut().get_mut(&unborn) {
            awaited.leaving = true;
        }
    }

    /// Notes that a receiver has come. Returns `true` if it leaves at once.
    pub(crate) fn note_arrival(&mut self, unborn: Unborn) -> bool {
        let awaited = self.awaited.get_mut().remove(&unborn);
        awaited.is_some_and(|awaited| awaited.leaving)
    }

    pub(crate) fn has_panicked(&self, hook: HookId) -> bool {
        self.panicked.borrow().contains(&hook)
    }

    /// Forgets everything but newborns, since nothing is queued any more.
    pub(crate) fn end_dispatch(&mut self) {
        let awaited = self.awaited.get_mut();
        awaited.retain(|unborn, _| matches!(unborn, Unborn::Messagee(_)));
        self.panicked.get_mut().clear();
    }
}
