//! Spawning, hooking and unhooking: changes of the structure, with their consequences. Their arguments are
//! already checked.

use std::any::TypeId;

use crate::address::{HookId, MessageeId, Recipient};
use crate::caught::{FirstPanic, caught};
use crate::component::{Bundle, Component};
use crate::lifecycle::{Enabled, Hooked};
use crate::mailbox::Mailboxes;
use crate::post::Schedule;
use crate::registry::Registry;
use crate::send::Redelivery;
use crate::storage::{ComponentType, Hook, LayoutId, Removed};
use crate::structure::{Structure, Unborn};
use crate::time::Time;
use crate::trace::Tracer;
use crate::world::{Listen, Notice, Place, Waiting, World};

/// Changes that are made while no handler is running.
///
/// Their consequences, such as lifecycle messages, are queued. `World::settle_outermost` delivers them.
pub struct Changes<'w> {
    pub structure: &'w mut Structure,
    listen: &'w mut Listen,
    waiting: &'w mut Waiting,
    mail: &'w mut Mailboxes,
    registry: &'w mut &'static Registry,
    trace: &'w Tracer,
    schedule: &'w mut Schedule,
    time: &'w Time,
}

impl World {
    pub fn changes(&mut self) -> Changes<'_> {
        Changes {
            structure: &mut self.structure,
            listen: &mut self.listen,
            waiting: &mut self.waiting,
            mail: &mut self.mail,
            registry: &mut self.common.registry,
            trace: &self.trace,
            schedule: self.schedule.get_mut(),
            time: &self.common.time,
        }
    }
}

impl Changes<'_> {
    /// Takes up the types that were added to the registry since the manager was made.
    pub(crate) fn take_up(&mut self) {
        let newest = Registry::published().filter(|newest| !std::ptr::eq(*newest, *self.registry));
        if let Some(newest) = newest {
            let end = newest.end_of_components();
            self.structure.pools.take_up(&newest.component_types, end);
            let layouts = &self.structure.messagees.layouts;
            let subscriptions = &mut self.listen.subscriptions;
            subscriptions.renew_plans(newest.messages.len(), layouts);
            self.mail.grow(newest.messages.len());
            *self.registry = newest;
        }
    }

    /// Queues the consequences of a change before the next change.
    pub(crate) fn next(&mut self, consequence: impl FnOnce(&mut World) + Send + 'static) {
        let cause = self.trace.cause();
        self.waiting.pending.next(cause, Box::new(consequence));
    }

    /// Adds a messagee with the components of a bundle.
    pub(crate) fn spawn<B: Bundle>(&mut self, id: MessageeId, bundle: B, place: Place) {
        let layout = self.layout_of::<B>();
        self.structure.take(bundle, layout);
        self.enter(id, layout);
        self.announce_spawned(id, place);
    }

    /// Reserves room for that many more messagees with the components of a bundle.
    pub(crate) fn reserve<B: Bundle>(&mut self, additional: usize) {
        self.layout_of::<B>();
        self.structure.messagees.reserve(additional);
        B::reserve(&mut self.structure.pools, additional);
    }

    #[inline]
    fn layout_of<B: Bundle>(&mut self) -> LayoutId {
        let bundle = TypeId::of::<B>();
        let known = self.structure.bundles.get(&bundle).copied();
        known.unwrap_or_else(|| self.learn_bundle(bundle, B::types))
    }

    /// Adds a messagee whose components were just taken. It is [announced](Self::announce_spawned) next.
    pub fn enter(&mut self, id: MessageeId, layout: LayoutId) {
        self.structure.enter(id, layout);
        self.listen.retained.get_mut().note_birth(id);
    }

    #[cold]
    fn learn_bundle(
        &mut self,
        bundle: TypeId,
        types: fn(&mut dyn FnMut(ComponentType)),
    ) -> LayoutId {
        self.take_up();
        let layout = self.structure.learn_bundle(bundle, types, self.registry);
        self.follow_layouts();
        layout
    }

    /// Announces the first components of a messagee that has come alive, and queues the delivery of the
    /// messages kept for it.
    #[inline]
    pub fn announce_spawned(&mut self, id: MessageeId, place: Place) {
        if self.listen.is_heard::<Hooked>() || self.waiting.pending.is_unsettled() {
            self.welcome(id, place);
        }
    }

    #[cold]
    fn welcome(&mut self, id: MessageeId, place: Place) {
        if self.listen.is_heard::<Hooked>() {
            for hook in self.structure.hooks(id) {
                self.announce_hooked(hook, place);
            }
        }
        if self.deliver_to_unborn(Unborn::Messagee(id)) {
            self.mark_leaving(id);
        }
    }

    /// Queues the delivery of the messages kept for a receiver that has come. Returns `true` if it leaves at once.
    pub(super) fn deliver_to_unborn(&mut self, unborn: Unborn) -> bool {
        for message in self.waiting.kept.take_unborn(unborn) {
            self.next(move |world| Redelivery::outside(world).deliver_to_unborn(&message, unborn));
        }
        self.structure.expected.note_arrival(unborn)
    }

    /// Attaches a component to a messagee that is alive.
    pub fn attach<C: Component>(&mut self, hook: HookId, owner: MessageeId, component: C) {
        let known = self.structure.pools.index_with_pool(TypeId::of::<C>());
        let index = known.unwrap_or_else(|| self.learn_component(ComponentType::of::<C>()));
        self.structure.attach(index, hook, owner, component);
        self.follow_layouts();
    }

    #[cold]
    fn learn_component(&mut self, ty: ComponentType) -> u32 {
        self.take_up();
        self.structure.make_pool(ty, self.registry)
    }

    /// Announces a component that was hooked, if anybody hears it.
    #[inline]
    pub fn announce_hooked(&mut self, hook: HookId, place: Place) {
        if self.listen.is_heard::<Hooked>() {
            self.next(move |world| Notice::about::<Hooked>(world, hook, None, place));
        }
    }

    /// Removes a component, for the caller to drop.
    pub fn detach(&mut self, hook: HookId) -> Removed {
        let removed = self.structure.detach(self.structure.find_hook(hook)?);
        self.forget_hook(hook);
        removed
    }

    /// Removes a component that was announced to be unhooked, and drops it.
    pub(crate) fn drop_detached(&mut self, hook: HookId) {
        let has_panicked = self.structure.expected.has_panicked(hook);
        let removed = self.detach(hook);
        if has_panicked {
            // It may be in no state to be dropped, and the first panic was already reported.
            let _ = caught(|| drop(removed));
        }
    }

    /// Removes a component of type `C` and returns it.
    pub(crate) fn detach_as<C: Component>(&mut self, hook: HookId, at: Hook) -> C {
        let component = self.structure.detach_as(at);
        self.forget_hook(hook);
        component
    }

    #[inline]
    fn forget_hook(&mut self, hook: HookId) {
        self.follow_layouts();
        if self.schedule.has_tied() {
            let moment = self.time.moment();
            let ended = self.schedule.end_tied(hook, self.trace, moment);
            self.next(move |_| FirstPanic::dropping(ended));
        }
        let retained = self.listen.retained.get_mut();
        if retained.is_empty() {
            return;
        }
        let retained = retained.take_all_to(Recipient::Hook(hook));
        if !retained.is_empty() {
            // Dropped when all tables are consistent again.
            self.next(move |_| FirstPanic::dropping(retained));
        }
    }

    /// Marks a messagee that will be despawned. It and its components receive only the manager's farewell
    /// from now on.
    pub(super) fn mark_leaving(&self, id: MessageeId) {
        self.structure.mark_leaving(id);
        self.listen.subscriptions.end_owned(id);
    }

    /// Moves a component that was switched, and announces it if it is enabled now.
    pub(super) fn move_switched(&mut self, hook: HookId, is_told: bool, place: Place) {
        if let Some((was_enabled, true)) = self.structure.move_switched(hook)
            && (is_told || !was_enabled)
            && self.listen.is_heard::<Enabled>()
        {
            self.next(move |world| Notice::about::<Enabled>(world, hook, None, place));
        }
    }

    /// Discards the plans of layouts that are gone.
    #[inline]
    pub fn follow_layouts(&mut self) {
        let plans = &mut self.listen.subscriptions.plans;
        plans.follow(&mut self.structure.messagees.layouts);
    }
}
