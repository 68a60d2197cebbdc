//! Spawning, hooking and unhooking: the changes that add and remove components. Their arguments are already
//! checked.

use std::any::{Any, TypeId, type_name};
use std::panic::Location;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::caught::{FirstPanic, caught};
use crate::component::{Attach, Bundle, Component};
use crate::error::MessageeError;
use crate::lifecycle::{HandlerFailed, Hooked, Unhooking};
use crate::message::Message;
use crate::registry::index_without_handlers;
use crate::send::call::Extras;
use crate::send::{LeavingTarget, Sent};
use crate::storage::{AnyValues, Hook, HookRef, Pool, Roster, Values, narrow};
use crate::world::World;

/// The parts of a new pool that depend on the component type.
#[derive(Clone, Copy)]
struct NewPool {
    name: &'static str,
    /// Makes the values. The argument is `true` if the components can be busy.
    values: fn(bool) -> Box<dyn AnyValues>,
}

impl NewPool {
    fn of<C: Send + 'static>() -> Self {
        Self {
            name: type_name::<C>(),
            values: Values::<C>::boxed,
        }
    }
}

/// Drops a component that was removed. If it has panicked, it may be in no state to be dropped, so a second
/// panic is ignored: the first was already reported.
pub(crate) fn drop_removed<T>(removed: T, has_panicked: bool) {
    if has_panicked {
        let _ = caught(|| drop(removed));
    }
}

impl Attach for World {
    fn attach(&mut self, messagee: MessageeId, component: impl Component) {
        let hook = self.structure.keys.reserve_hook();
        World::attach(self, hook, messagee, component);
    }
}

impl World {
    /// Disables a component that was just attached, without a message.
    #[cfg(feature = "data")]
    pub(crate) fn begin_disabled(&mut self, hook: HookId) {
        if let Some(at) = self.find_hook(hook) {
            let moved = self
                .structure
                .pools
                .at_mut(at.component)
                .set_enabled(at.slot as usize, false);
            self.relink(at.component, moved);
        }
    }

    /// Adds a messagee without components.
    #[inline]
    pub(crate) fn enter_messagee(&mut self, id: MessageeId) {
        self.structure.messagees.insert(id);
        self.listen.retained.note_birth(id);
    }

    /// Adds a messagee with the components of a bundle.
    pub(crate) fn insert<B: Bundle>(
        &mut self,
        id: MessageeId,
        bundle: B,
        place: &'static Location<'static>,
    ) {
        self.enter_messagee(id);
        bundle.attach(id, self);
        self.announce_spawned(id, place);
    }

    /// Announces that a component is about to be unhooked from outside.
    pub(crate) fn part_with(&mut self, hook: HookId, place: &'static Location<'static>) {
        if self.is_heard::<Unhooking>()
            && let Some(at) = self.find_hook(hook)
        {
            self.mark_unhooking(hook);
            // If a handler panics, the next call still unhooks the component.
            self.next(Box::new(move |world| drop(world.detach(hook))));
            let farewell = Some(LeavingTarget::Hook(hook));
            self.announce_unhooking(at.owner, hook, farewell, place);
            self.settle_kept();
        }
    }

    /// Announces the first components of a messagee that has come alive, and queues the delivery of the
    /// messages kept for it.
    pub(crate) fn announce_spawned(&mut self, id: MessageeId, place: &'static Location<'static>) {
        if self.is_heard::<Hooked>() {
            for hook in self.hooks_of(id) {
                self.announce_hooked(id, hook, place);
            }
        }
        if self.waiting.pending.is_unsettled() {
            let (waiting, leaving) = self.waiting.pending.welcome(id);
            for task in waiting {
                self.next(task);
            }
            if leaving {
                self.mark_leaving(id);
            }
        }
    }

    /// Attaches a component to a messagee that is alive.
    pub(crate) fn attach<C: Component>(&mut self, hook: HookId, owner: MessageeId, component: C) {
        let index = self.pool_index(TypeId::of::<C>(), NewPool::of::<C>());
        self.structure
            .pools
            .at_mut(index)
            .values_mut()
            .push(component);
        self.enter(index, owner, hook.0.place());
    }

    /// Enters a component whose value was just pushed into its pool.
    fn enter(&mut self, component: u32, owner: MessageeId, hook: u32) {
        let [slot, moved] = self.structure.pools.at_mut(component).enter(owner, hook);
        let at = HookRef {
            component,
            slot: narrow(slot),
        };
        self.structure
            .hooks
            .insert(hook, owner, at, &mut self.structure.messagees);
        self.plans.follow(&mut self.structure.messagees.layouts);
        if moved != slot {
            self.relink(component, [moved, moved]);
        }
    }

    /// Returns the index of a component type. Makes its pool if there is none.
    fn pool_index(&mut self, component: TypeId, new: NewPool) -> u32 {
        match self.structure.pools.index_of(component) {
            Some(index) if self.structure.pools.get(index).is_some() => index,
            index => self.make_pool(component, index, new),
        }
    }

    /// Makes the pool of a component type, and gives it an index if it has none. Returns the index.
    #[cold]
    fn make_pool(&mut self, component: TypeId, index: Option<u32>, new: NewPool) -> u32 {
        let index = index.or_else(|| {
            self.take_up();
            self.structure.pools.index_of(component)
        });
        let index = index.unwrap_or_else(|| {
            let index = index_without_handlers(self.structure.pools.count());
            self.structure.pools.add(component, index);
            index
        });
        let info = self.common.registry.component_at(index);
        // Components without handlers are never walked, and a caller may borrow several of them at once.
        let can_be_busy = info.is_none_or(|info| info.can_be_busy);
        let roster = Roster::new(index, new.name, self.common.identity.number());
        self.structure
            .pools
            .put(Pool::boxed(roster, (new.values)(can_be_busy)));
        index
    }

    pub(crate) fn announce_hooked(
        &mut self,
        messagee: MessageeId,
        hook: HookId,
        place: &'static Location<'static>,
    ) {
        let Some(component) = self.component_name(hook) else {
            return;
        };
        self.next(Box::new(move |world| {
            let message = Hooked {
                messagee,
                hook,
                component,
            };
            world.tell(messagee, message, None, place);
        }));
    }

    pub(crate) fn announce_unhooking(
        &self,
        messagee: MessageeId,
        hook: HookId,
        farewell: Option<LeavingTarget>,
        place: &'static Location<'static>,
    ) {
        if let Some(component) = self.component_name(hook) {
            let message = Unhooking {
                messagee,
                hook,
                component,
            };
            self.tell(messagee, message, farewell, place);
        }
    }

    /// Sends a message from the manager itself to one messagee. It is no error if the messagee is gone.
    pub(crate) fn tell<M: Message>(
        &self,
        to: MessageeId,
        message: M,
        farewell: Option<LeavingTarget>,
        place: &'static Location<'static>,
    ) {
        let to = Recipient::Id(to);
        let extras = Extras {
            farewell,
            ..Extras::NONE
        };
        let sent = Sent {
            extras: &extras,
            ..Sent::outside::<M>(self, Sender::Manager, &to, place)
        };
        let _ = sent.send(&mut Some(message));
    }

    /// Queues the message to everyone that a handler has failed.
    #[cold]
    pub(crate) fn report_failure(&self, failed: HandlerFailed, place: &'static Location<'static>) {
        self.later(move |world| world.tell_everyone(failed, place));
    }

    /// Marks a component that is about to be unhooked. It receives only the manager's farewell from now on.
    pub(crate) fn mark_unhooking(&self, hook: HookId) {
        if let Some(at) = self.find_hook(hook) {
            self.structure
                .pools
                .at(at.component)
                .roster()
                .mark_leaving(at.slot as usize);
        }
    }

    /// Removes a component. The caller drops it when all tables are consistent again. Also returns `None`
    /// if dropping it does nothing.
    pub(crate) fn detach(&mut self, hook: HookId) -> Option<Box<dyn Any + Send>> {
        let (component, slot) = self.unlink(hook)?;
        self.remove_from_pool(component, slot)
    }

    /// Like [`detach`](Self::detach), for the last component of a messagee that is alive. Also returns its
    /// hook. Returns `None` if the messagee has none.
    pub(super) fn detach_last(
        &mut self,
        id: MessageeId,
    ) -> Option<(HookId, Option<Box<dyn Any + Send>>)> {
        let at @ HookRef { component, slot } = self.structure.messagees.pop(id)?;
        let hook = self.hook_at(at);
        self.structure.keys.release_hook(hook);
        Some((hook, self.remove_from_pool(component, slot as usize)))
    }

    /// Removes a component and returns it.
    pub(crate) fn detach_as<C: Component>(&mut self, hook: HookId) -> Result<C, MessageeError> {
        let (component, slot) = self.unlink(hook).ok_or(MessageeError::NotHooked { hook })?;
        let pool = self.structure.pools.at_mut(component);
        let moved @ [_, hole] = pool.leave(slot);
        let value = pool.values_mut::<C>().take(hole);
        self.relink(component, moved);
        Ok(value)
    }

    /// Returns the owner and the slot of a hook's component, if it is attached.
    pub(crate) fn find_hook(&self, hook: HookId) -> Option<Hook> {
        let place = hook.0.place();
        let is_current = self.structure.keys.hook_at(place) == Some(hook);
        is_current.then(|| self.structure.hooks.get(place, &self.structure.pools))?
    }

    /// Returns the components of a messagee, in hook order.
    pub(crate) fn hooks_of(&self, id: MessageeId) -> Vec<HookId> {
        let components = self.structure.messagees.components_of(id);
        components.map(|at| self.hook_at(at)).collect()
    }

    /// Returns the hook of an attached component.
    pub(super) fn hook_at(&self, at: HookRef) -> HookId {
        let pool = self.structure.pools.at(at.component);
        self.structure.keys.hook_in(pool, at.slot as usize)
    }

    /// Updates the tables after a change in a pool that has moved the components in these slots.
    #[inline]
    pub(super) fn relink(&mut self, component: u32, slots: [usize; 2]) {
        self.structure.hooks.relink(
            &self.structure.pools,
            &mut self.structure.messagees,
            component,
            slots,
        );
    }

    /// Puts the components of a messagee in the order of these hooks, which are all of them.
    #[cfg(feature = "data")]
    pub(crate) fn restore_order(&mut self, owner: MessageeId, hooks: &[u32]) {
        let components: Vec<HookRef> = hooks
            .iter()
            .map(|&hook| self.structure.hooks.at(hook))
            .collect();
        self.structure.messagees.set_components(owner, &components);
        self.plans.follow(&mut self.structure.messagees.layouts);
    }

    pub(crate) fn component_name(&self, hook: HookId) -> Option<&'static str> {
        self.owner_and_name(hook).map(|(_, name)| name)
    }

    /// Returns the messagee of a component and the name of its type.
    pub(super) fn owner_and_name(&self, hook: HookId) -> Option<(MessageeId, &'static str)> {
        let at = self.find_hook(hook)?;
        Some((
            at.owner,
            self.structure
                .pools
                .at(at.component)
                .roster()
                .component_name(),
        ))
    }

    fn unlink(&mut self, hook: HookId) -> Option<(u32, usize)> {
        let at = self.find_hook(hook)?;
        let Hook {
            owner,
            component,
            slot,
        } = at;
        let component_at = HookRef { component, slot };
        self.structure
            .messagees
            .remove_component(owner, component_at);
        self.plans.follow(&mut self.structure.messagees.layouts);
        self.structure.keys.release_hook(hook);
        let retained = self.listen.retained.take_all_to_hook(hook);
        if !retained.is_empty() {
            // Dropped when all tables are consistent again.
            self.next(Box::new(move |_| {
                let mut panics = FirstPanic::default();
                panics.drop_each(retained);
                panics.resume();
            }));
        }
        Some((at.component, at.slot as usize))
    }

    #[inline]
    fn remove_from_pool(&mut self, component: u32, slot: usize) -> Option<Box<dyn Any + Send>> {
        let (removed, moved) = self.structure.pools.at_mut(component).remove(slot);
        self.relink(component, moved);
        removed
    }
}

impl World {
    /// Returns `true` if any component type handles the message or anybody listens to it.
    pub(crate) fn is_heard<M: Message>(&self) -> bool {
        M::FACTS.table().is_some_and(|table| {
            table.len() > 0 || self.listen.subscriptions.any_listens(table.index)
        })
    }

    /// Like [`is_heard`](Self::is_heard), but includes subscriptions that are about to be made.
    pub(crate) fn may_be_heard<M: Message>(&self) -> bool {
        self.listen.subscriptions.any_announced() || self.is_heard::<M>()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::config::ManagerConfig;
    use crate::hash::HashedMap;
    use crate::identity::Identity;
    use crate::registry;

    struct Last;
    struct OneTooMany;

    #[test]
    fn there_are_at_most_2_to_the_16_component_types_and_one_more_changes_nothing() {
        let identity = Identity::new().expect("few managers are alive");
        let mut world = World::new(identity, registry(), ManagerConfig::default());
        // Makes the world look as if all but one were hooked already.
        world
            .structure
            .pools
            .take_up(&HashedMap::default(), u16::MAX.into());
        let last = world.pool_index(TypeId::of::<Last>(), NewPool::of::<Last>());
        assert_eq!(last, u32::from(u16::MAX));

        let more = AssertUnwindSafe(|| {
            world.pool_index(TypeId::of::<OneTooMany>(), NewPool::of::<OneTooMany>())
        });
        let panic = catch_unwind(more).expect_err("there is no index left");
        let text = panic.downcast_ref::<String>().map(String::as_str);
        assert!(text.is_some_and(|text| text.starts_with("more than 2^16 component types")));
        assert_eq!(
            world.structure.pools.index_of(TypeId::of::<OneTooMany>()),
            None
        );
        assert_eq!(world.structure.pools.count(), 1 << 16);
        let again = world.pool_index(TypeId::of::<Last>(), NewPool::of::<Last>());
        assert_eq!(again, last);
    }
}
