//! Changes that handlers asked for, until the outermost send returns.
//!
//! A change is a closure over the world it will be made in. Next to the queue stands what has to
//! be known of it before: which ids will come alive (with the messages kept for them), and which
//! hooks. These hold as long as anything is queued, and are cleared with the last change.
//!
//! The immediate consequences of a change (lifecycle messages, messages kept for a newborn) go to a
//! queue of its own that is emptied before the next change. Everything is queued before it is
//! begun, so a panic in a handler loses none of it.

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use crate::address::{HookId, MessageeId};
use crate::caught::FirstPanic;
use crate::hash::HashedMap;
use crate::send::Kept;
use crate::trace::TraceId;
use crate::world::World;

/// A change that waits.
pub(crate) type Task = Box<dyn FnOnce(&mut World) + Send>;

/// A change that waits, and what has led to it, if that is traced.
type Caused = (Option<TraceId>, Task);

/// A messagee that will come alive.
#[derive(Default)]
struct Newborn {
    /// The types of the components it will come with.
    components: Vec<TypeId>,
    /// The messages kept for it, in the order sent, with their numbers among all that were kept.
    waiting: Vec<(u64, Task)>,
    /// `true` if its despawning is queued already.
    leaving: bool,
}

/// A component that will be attached.
struct Awaited {
    owner: MessageeId,
    component: TypeId,
    /// The messages kept for it.
    waiting: Vec<Task>,
    /// `true` if its unhooking is queued already.
    leaving: bool,
}

#[derive(Default)]
pub(crate) struct Pending {
    changes: RefCell<VecDeque<Caused>>,
    consequences: RefCell<VecDeque<Caused>>,
    newborns: RefCell<HashedMap<MessageeId, Newborn>>,
    hooks: RefCell<HashedMap<HookId, Awaited>>,
    /// The components that have panicked and go: not even the farewell reaches them.
    panicked: RefCell<Vec<HookId>>,
    unsettled: Cell<bool>,
}

impl Pending {
    #[inline]
    pub(crate) fn is_unsettled(&self) -> bool {
        self.unsettled.get()
    }

    /// Something is to be done when the outermost send returns.
    #[inline]
    pub(crate) fn mark_unsettled(&self) {
        self.unsettled.set(true);
    }

    /// Queues a change for the end of the outermost send, with what has led to it.
    pub(crate) fn later(
        &self,
        cause: Option<TraceId>,
        change: impl FnOnce(&mut World) + Send + 'static,
    ) {
        let mut changes = self.changes.borrow_mut();
        changes.push_back((cause, Box::new(change)));
        self.mark_unsettled();
    }

    /// Queues what follows from a change before the next one.
    #[inline]
    pub(super) fn next(&mut self, cause: Option<TraceId>, consequence: Task) {
        let consequences = self.consequences.get_mut();
        consequences.push_back((cause, consequence));
        self.mark_unsettled();
    }

    /// Takes what is to be done next: what follows from the last change comes before the next one.
    #[inline]
    pub(super) fn take_next(&mut self) -> Option<Caused> {
        let consequence = self.consequences.get_mut().pop_front();
        consequence.or_else(|| self.changes.get_mut().pop_front())
    }

    /// The id of a messagee that comes alive when the outermost send returns.
    pub(crate) fn announce(&self, id: MessageeId, components: Vec<TypeId>) {
        let newborn = Newborn {
            components,
            ..Newborn::default()
        };
        self.newborns.borrow_mut().insert(id, newborn);
    }

    pub(crate) fn is_unborn(&self, id: MessageeId) -> bool {
        self.newborns.borrow().contains_key(&id)
    }

    /// Returns `true` if it is unborn and its despawning is already queued.
    pub(crate) fn is_stillborn(&self, id: MessageeId) -> bool {
        let newborns = self.newborns.borrow();
        newborns.get(&id).is_some_and(|newborn| newborn.leaving)
    }

    pub(crate) fn mark_stillborn(&self, id: MessageeId) {
        if let Some(newborn) = self.newborns.borrow_mut().get_mut(&id) {
            newborn.leaving = true;
        }
    }

    /// The types of the components that a newborn will come with, unless it leaves at once.
    pub(crate) fn newborn_components(&self, id: MessageeId) -> Vec<TypeId> {
        let newborns = self.newborns.borrow();
        let newborn = newborns.get(&id).filter(|newborn| !newborn.leaving);
        newborn.map_or_else(Vec::new, |newborn| newborn.components.clone())
    }

    /// Keeps a message for a messagee that is to come, behind those that were kept when its send began:
    /// `begun` is how many these were. `kept` gives it its number.
    pub(crate) fn when_born(&self, id: MessageeId, begun: u64, task: Task, kept: &Kept) {
        if let Some(newborn) = self.newborns.borrow_mut().get_mut(&id) {
            let number = kept.count_one();
            let since = newborn.waiting.iter().rev();
            let since = since.take_while(|(number, _)| *number >= begun);
            let at = newborn.waiting.len() - since.count();
            newborn.waiting.insert(at, (number, task));
        }
    }

    /// The messages kept for a messagee that has just come alive, and whether it is to leave.
    pub(super) fn welcome(&mut self, id: MessageeId) -> (Vec<Task>, bool) {
        let newborn = self.newborns.get_mut().remove(&id);
        newborn.map_or((Vec::new(), false), |newborn| {
            let waiting = newborn.waiting.into_iter().map(|(_, task)| task);
            (waiting.collect(), newborn.leaving)
        })
    }

    /// The messagee that the component of a hook will be attached to, to stay.
    pub(crate) fn owner(&self, hook: HookId) -> Option<MessageeId> {
        let hooks = self.hooks.borrow();
        let awaited = hooks.get(&hook).filter(|awaited| !awaited.leaving);
        awaited.map(|awaited| awaited.owner)
    }

    /// The messagee that the component of a hook will be attached to, even if it leaves at once.
    pub(crate) fn owner_of_awaited(&self, hook: HookId) -> Option<MessageeId> {
        self.hooks.borrow().get(&hook).map(|awaited| awaited.owner)
    }

    /// The type of the component that will be attached, unless it leaves at once.
    pub(crate) fn awaited_component(&self, hook: HookId) -> Option<TypeId> {
        let hooks = self.hooks.borrow();
        let awaited = hooks.get(&hook).filter(|awaited| !awaited.leaving);
        awaited.map(|awaited| awaited.component)
    }

    pub(crate) fn reserve_hook(&self, hook: HookId, owner: MessageeId, component: TypeId) {
        let awaited = Awaited {
            owner,
            component,
            waiting: Vec::new(),
            leaving: false,
        };
        self.hooks.borrow_mut().insert(hook, awaited);
    }

    /// A component that is not yet attached will leave at once.
    pub(crate) fn give_up_hook(&self, hook: HookId) {
        if let Some(awaited) = self.hooks.borrow_mut().get_mut(&hook) {
            awaited.leaving = true;
        }
    }

    /// Keeps a message for a component until it is attached.
    pub(crate) fn when_hooked(&self, hook: HookId, task: Task) {
        if let Some(awaited) = self.hooks.borrow_mut().get_mut(&hook) {
            awaited.waiting.push(task);
        }
    }

    /// The messages kept for a component that has just been attached.
    pub(crate) fn receive_hook(&self, hook: HookId) -> Vec<Task> {
        let awaited = self.hooks.borrow_mut().remove(&hook);
        awaited.map_or_else(Vec::new, |awaited| awaited.waiting)
    }

    pub(crate) fn mark_panicked(&self, hook: HookId) {
        self.panicked.borrow_mut().push(hook);
    }

    pub(crate) fn has_panicked(&self, hook: HookId) -> bool {
        self.panicked.borrow().contains(&hook)
    }

    /// Nothing is queued any more.
    pub(super) fn clear_expectations(&mut self) {
        self.hooks.get_mut().clear();
        self.panicked.get_mut().clear();
        self.unsettled.set(false);
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.changes.get_mut().shrink_to_fit();
        self.consequences.get_mut().shrink_to_fit();
        self.newborns.get_mut().shrink_to_fit();
        self.hooks.get_mut().shrink_to_fit();
        self.panicked.get_mut().shrink_to_fit();
    }

    /// Drops what waits, one by one.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        panics.drop_each(self.consequences.get_mut().drain(..));
        panics.drop_each(self.changes.get_mut().drain(..));
        for newborn in self.newborns.get_mut().values_mut() {
            panics.drop_each(newborn.waiting.drain(..).map(|(_, task)| task));
        }
        for awaited in self.hooks.get_mut().values_mut() {
            panics.drop_each(awaited.waiting.drain(..));
        }
    }
}
