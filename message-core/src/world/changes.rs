//! Spawning, hooking and unhooking: changes of the structure, with what follows from them. Their arguments
//! are already checked.

use std::panic::Location;

use crate::address::{HookId, MessageeId};
use crate::caught::FirstPanic;
use crate::component::{Bundle, Component};
use crate::error::MessageeError;
use crate::lifecycle::{Enabled, Hooked};
use crate::registry::Registry;
use crate::send::Plans;
use crate::structure::{Removed, Structure};
use crate::trace::TraceId;
use crate::world::despawn::drop_removed;
use crate::world::notice::Notice;
use crate::world::{Listen, Waiting, World};

type Place = &'static Location<'static>;

/// Changes that are made while no handler is running.
///
/// What they lead to, such as lifecycle messages, is queued, and delivered by [`World::settle`].
pub(crate) struct Changes<'w> {
    structure: &'w mut Structure,
    plans: &'w mut Plans,
    listen: &'w mut Listen,
    waiting: &'w mut Waiting,
    registry: &'static Registry,
    cause: Option<TraceId>,
}

impl World {
    /// Begins changes. They know all types that are in the registry now.
    #[inline]
    pub(crate) fn changes(&mut self) -> Changes<'_> {
        self.take_up();
        Changes {
            structure: &mut self.structure,
            plans: &mut self.plans,
            listen: &mut self.listen,
            waiting: &mut self.waiting,
            registry: self.common.registry,
            cause: self.trace.cause(),
        }
    }
}

impl Changes<'_> {
    pub(crate) fn structure(&mut self) -> &mut Structure {
        self.structure
    }

    /// Queues what follows from a change before the next one.
    pub(crate) fn next(&mut self, consequence: impl FnOnce(&mut World) + Send + 'static) {
        self.waiting.pending.next(self.cause, Box::new(consequence));
    }

    /// Adds a messagee with the components of a bundle.
    pub(crate) fn spawn<B: Bundle>(&mut self, id: MessageeId, bundle: B, place: Place) {
        self.structure.insert(id, bundle, self.registry);
        self.follow_layouts();
        self.listen.retained.note_birth(id);
        self.announce_spawned(id, place);
    }

    /// Adds a messagee without components. It is [announced](Self::announce_spawned) when it has them.
    #[cfg(feature = "data")]
    pub(crate) fn enter_messagee(&mut self, id: MessageeId) {
        self.structure.insert_empty(id);
        self.listen.retained.note_birth(id);
    }

    /// Announces the first components of a messagee that has come alive, and queues the delivery of the
    /// messages kept for it.
    #[inline]
    pub(crate) fn announce_spawned(&mut self, id: MessageeId, place: Place) {
        if self.listen.is_heard::<Hooked>() {
            for hook in self.structure.hooks_of(id) {
                self.announce_hooked(id, hook, place);
            }
        }
        if self.waiting.pending.is_unsettled() {
            self.welcome(id);
        }
    }

    #[cold]
    fn welcome(&mut self, id: MessageeId) {
        for task in self.waiting.pending.welcome(id) {
            self.waiting.pending.next(self.cause, task);
        }
        if self.structure.expected.is_born(id) {
            self.mark_leaving(id);
        }
    }

    /// Attaches a component to a messagee that is alive.
    pub(crate) fn attach<C: Component>(&mut self, hook: HookId, owner: MessageeId, component: C) {
        self.structure.attach(hook, owner, component, self.registry);
        self.follow_layouts();
    }

    /// Announces a component that was hooked, if anybody hears it.
    #[inline]
    pub(crate) fn announce_hooked(&mut self, owner: MessageeId, hook: HookId, place: Place) {
        if self.listen.is_heard::<Hooked>()
            && let Some(component) = self.structure.component_name(hook)
        {
            let message = Hooked {
                messagee: owner,
                hook,
                component,
            };
            self.next(move |world| Notice::new(owner, place).tell(world, message));
        }
    }

    /// Attaches a component that was awaited, and queues the delivery of the messages kept for it.
    pub(crate) fn attach_awaited<C: Component>(
        &mut self,
        hook: HookId,
        owner: MessageeId,
        component: C,
        place: Place,
    ) {
        let stays = self.structure.check_hook(hook).is_ok();
        self.attach(hook, owner, component);
        if !stays {
            self.structure.mark_unhooking(hook);
        }
        self.announce_hooked(owner, hook, place);
        self.structure.expected.is_hooked(hook);
        for task in self.waiting.pending.receive_hook(hook) {
            self.waiting.pending.next(self.cause, task);
        }
    }

    /// Removes a component, for the caller to drop.
    pub(crate) fn detach(&mut self, hook: HookId) -> Removed {
        let removed = self.structure.detach(self.structure.find_hook(hook)?);
        self.forget_hook(hook);
        removed
    }

    /// Removes a component that was announced to be unhooked, and drops it.
    pub(crate) fn drop_detached(&mut self, hook: HookId) {
        let has_panicked = self.structure.expected.has_panicked(hook);
        drop_removed(self.detach(hook), has_panicked);
    }

    /// Removes a component and returns it.
    pub(crate) fn detach_as<C: Component>(&mut self, hook: HookId) -> Result<C, MessageeError> {
        let component = self.structure.detach_as(hook)?;
        self.forget_hook(hook);
        Ok(component)
    }

    fn forget_hook(&mut self, hook: HookId) {
        self.follow_layouts();
        let retained = self.listen.retained.take_all_to_hook(hook);
        if !retained.is_empty() {
            // Dropped when all tables are consistent again.
            self.next(move |_| {
                let mut panics = FirstPanic::default();
                panics.drop_each(retained);
                panics.resume();
            });
        }
    }

    /// Puts the components of a messagee in the order of these hooks, which are all of them.
    #[cfg(feature = "data")]
    pub(crate) fn restore_order(&mut self, owner: MessageeId, hooks: &[u32]) {
        self.structure.restore_order(owner, hooks);
        self.follow_layouts();
    }

    /// Marks a messagee that will be despawned. It and its components receive only the manager's farewell
    /// from now on.
    pub(super) fn mark_leaving(&self, id: MessageeId) {
        self.structure.mark_leaving(id);
        self.listen.subscriptions.end_owned(id);
    }

    /// Moves a component that was switched, and announces it if it is enabled now.
    pub(super) fn move_switched(&mut self, hook: HookId, is_told: bool, place: Place) {
        let moved = self.structure.move_switched(hook);
        let was_enabled = moved.is_some_and(|(was_enabled, _)| was_enabled) && !is_told;
        let is_enabled = moved.is_some_and(|(_, is_enabled)| is_enabled);
        if is_enabled && !was_enabled && self.listen.is_heard::<Enabled>() {
            self.next(move |world| Notice::enabled(world, hook, place));
        }
    }

    /// Discards the plans of layouts that are gone.
    #[inline]
    fn follow_layouts(&mut self) {
        self.plans.follow(&mut self.structure.messagees.layouts);
    }
}
