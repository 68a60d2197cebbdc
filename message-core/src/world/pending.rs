//! Changes that handlers asked for, until the outermost send returns.
//!
//! A change is a closure over the world it will be made in. Next to the queue stands what has to
//! be known of it before: which ids will come alive (with the messages kept for them), and which
//! hooks. These hold as long as anything is queued, and are cleared with the last change.
//!
//! What a change leads to at once (lifecycle messages, messages kept for a newborn) goes to a
//! queue of its own that is emptied before the next change. Everything is queued before it is
//! begun, so a panic in a handler loses none of it.

use std::any::TypeId;
use std::cell::{Cell, Ref, RefCell, RefMut};
use std::collections::VecDeque;
use std::hash::Hash;

use crate::address::{HookId, MessageeId};
use crate::caught::FirstPanic;
use crate::hash::HashedMap;
use crate::room::{Peak, Shrink};
use crate::trace::{TraceId, because_of};
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
    /// Whether its unhooking is queued already.
    leaving: bool,
}

#[derive(Default)]
pub(crate) struct Pending {
    changes: RefCell<VecDeque<Caused>>,
    consequences: RefCell<VecDeque<Caused>>,
    newborns: RefCell<HashedMap<MessageeId, Newborn>>,
    hooks: Expected<HookId, Awaited>,
    /// The components that have panicked and go: not even the farewell reaches them.
    panicked: RefCell<Vec<HookId>>,
    unsettled: Cell<bool>,
    /// How many changes waited at once, and how many consequences.
    most_changes: Peak,
    most_consequences: Peak,
}

/// What will be, as long as anything is queued.
struct Expected<K, V> {
    table: RefCell<HashedMap<K, V>>,
    /// How much it was when it was cleared.
    most: Peak,
}

impl<K, V> Default for Expected<K, V> {
    fn default() -> Self {
        Self {
            table: RefCell::default(),
            most: Peak::default(),
        }
    }
}

impl<K: Eq + Hash, V> Expected<K, V> {
    fn borrow(&self) -> Ref<'_, HashedMap<K, V>> {
        self.table.borrow()
    }

    fn borrow_mut(&self) -> RefMut<'_, HashedMap<K, V>> {
        self.table.borrow_mut()
    }

    fn get_mut(&mut self) -> &mut HashedMap<K, V> {
        self.table.get_mut()
    }

    fn clear(&mut self) {
        let table = self.table.get_mut();
        self.most.note(table.len());
        table.clear();
    }

    fn shrink(&mut self, how: Shrink) {
        let needed = self.most.take();
        how.room(self.get_mut(), needed);
    }
}

impl Pending {
    #[inline]
    pub(crate) fn is_unsettled(&self) -> bool {
        self.unsettled.get()
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

    fn clear_expectations(&mut self) {
        self.hooks.clear();
        self.panicked.get_mut().clear();
        self.unsettled.set(false);
    }

    /// Gives back memory.
    pub(crate) fn shrink(&mut self, how: Shrink) {
        let changes = self.most_changes.take();
        how.room(self.changes.get_mut(), changes);
        // Each of them comes with a change.
        how.room(self.newborns.get_mut(), changes);
        how.room(self.consequences.get_mut(), self.most_consequences.take());
        self.hooks.shrink(how);
        how.room(self.panicked.get_mut(), 0);
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

impl World {
    pub(crate) fn mark_unsettled(&self) {
        self.pending.unsettled.set(true);
    }

    /// Queues a change for the end of the outermost send.
    pub(crate) fn later(&self, change: impl FnOnce(&mut World) + Send + 'static) {
        self.later_because_of(self.trace.cause(), change);
    }

    /// As [`later`](Self::later), of something else than what is running.
    pub(crate) fn later_because_of(
        &self,
        cause: Option<TraceId>,
        change: impl FnOnce(&mut World) + Send + 'static,
    ) {
        let mut changes = self.pending.changes.borrow_mut();
        changes.push_back((cause, Box::new(change)));
        self.pending.most_changes.note(changes.len());
        self.mark_unsettled();
    }

    /// Queues what follows from a change before the next one.
    pub(crate) fn next(&mut self, consequence: Task) {
        let cause = self.trace.cause();
        let consequences = self.pending.consequences.get_mut();
        consequences.push_back((cause, consequence));
        self.pending.most_consequences.note(consequences.len());
        self.mark_unsettled();
    }

    /// The end of an outermost send.
    #[inline]
    pub(crate) fn settle_outermost(&mut self) {
        if self.pending.is_unsettled() {
            self.settle();
            self.kept.restart_count();
        }
    }

    /// Makes every pending change, and delivers what a panic has left undelivered.
    pub(crate) fn settle(&mut self) {
        while self.pending.is_unsettled() {
            self.settle_kept();
            let task = self.pending.consequences.get_mut().pop_front();
            let task = task.or_else(|| self.pending.changes.get_mut().pop_front());
            match task {
                Some((cause, task)) if self.trace.is_on() => {
                    because_of(self, |world| &world.trace, cause, task);
                }
                Some((_, task)) => task(self),
                None => {
                    self.end_failures();
                    self.pending.clear_expectations();
                }
            }
        }
    }

    /// Delivers what is still kept when nothing is running. Has to come before any component
    /// changes its place.
    pub(crate) fn settle_kept(&mut self) {
        while let Some(spot) = self.kept.first() {
            if spot.as_subscription().is_none()
                && self
                    .pools
                    .at(spot.component)
                    .is_busy(spot.slot as usize, false)
            {
                // Nothing is running, so this is a borrow whose guard was leaked.
                self.pools.at_mut(spot.component).free_all();
            }
            self.deliver_kept(None, spot);
        }
    }

    /// The id of a messagee that comes alive when the outermost send returns.
    pub(crate) fn announce(&self, id: MessageeId, components: Vec<TypeId>) {
        let newborn = Newborn {
            components,
            ..Newborn::default()
        };
        self.pending.newborns.borrow_mut().insert(id, newborn);
    }

    pub(crate) fn is_unborn(&self, id: MessageeId) -> bool {
        self.pending.newborns.borrow().contains_key(&id)
    }

    /// Returns `true` if it is unborn and its despawning is already queued.
    pub(crate) fn is_stillborn(&self, id: MessageeId) -> bool {
        let newborns = self.pending.newborns.borrow();
        newborns.get(&id).is_some_and(|newborn| newborn.leaving)
    }

    pub(crate) fn mark_stillborn(&self, id: MessageeId) {
        if let Some(newborn) = self.pending.newborns.borrow_mut().get_mut(&id) {
            newborn.leaving = true;
        }
    }

    /// The indices of the components that a newborn will come with, as far as they have
    /// handlers.
    pub(crate) fn newborn_components(&self, id: MessageeId) -> impl Iterator<Item = u32> {
        let newborns = self.pending.newborns.borrow();
        let types = newborns.get(&id).filter(|newborn| !newborn.leaving);
        let types = types.map_or_else(Vec::new, |newborn| newborn.components.clone());
        types
            .into_iter()
            .filter_map(|component| self.pools.index_of(component))
    }

    /// Keeps a message for a messagee that is to come, behind those that were kept when its send began:
    /// `begun` is how many these were.
    pub(crate) fn when_born(&self, id: MessageeId, begun: u64, task: Task) {
        if let Some(newborn) = self.pending.newborns.borrow_mut().get_mut(&id) {
            let number = self.kept.count_one();
            let since = newborn.waiting.iter().rev();
            let since = since.take_while(|(number, _)| *number >= begun);
            let at = newborn.waiting.len() - since.count();
            newborn.waiting.insert(at, (number, task));
        }
    }

    /// The messages kept for a messagee that has just come alive, and whether it is to leave.
    pub(crate) fn welcome(&mut self, id: MessageeId) -> (Vec<Task>, bool) {
        let newborn = self.pending.newborns.get_mut().remove(&id);
        newborn.map_or((Vec::new(), false), |newborn| {
            let waiting = newborn.waiting.into_iter().map(|(_, task)| task);
            (waiting.collect(), newborn.leaving)
        })
    }
}
