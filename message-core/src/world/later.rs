//! Changes that are requested while handlers may be running. Ids and errors are returned at once; the
//! change is queued for the end of the outermost send, together with the information that it needs from
//! before.

use std::any::TypeId;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use crate::address::{HookId, MessageeId, SubscriptionId};
use crate::component::{Bundle, Waiting as WaitingBundle};
use crate::error::MessageeError;
use crate::lifecycle::{Disabled, Unhooking};
use crate::send::{LeavingTarget, tell_missed};
use crate::storage::Hook;
use crate::structure::Unborn;
use crate::world::changes::Changes;
use crate::world::despawn::{self, leaving};
use crate::world::pending::settle_kept;
use crate::world::{Children, Notice, Place, World};

/// Spawns a messagee that comes alive later. Messages can be sent to it at once.
pub(crate) fn spawn<B: Bundle>(
    world: &World,
    name: Option<&Arc<str>>,
    bundle: B,
    place: Place,
) -> MessageeId {
    let id = world.structure.reserve(name);
    let mut types = SmallVec::new();
    B::types(&mut |component| types.push(component.of));
    let expected = &world.structure.expected;
    expected.announce(Unborn::Messagee(id), id, types);
    let mut waiting = WaitingBundle(Some(bundle));
    world.later(move |world| {
        if let Some(bundle) = waiting.0.take() {
            world.changes().spawn(id, bundle, place);
        }
    });
    id
}

/// Despawns a messagee, and its descendants unless they stay. From now on they receive only the farewell.
pub(crate) fn despawn(
    world: &World,
    id: MessageeId,
    children: Children,
    place: Place,
) -> Result<(), MessageeError> {
    world.structure.check_stays(id)?;
    for id in leaving(&world.structure, id, children) {
        world.structure.mark_leaving(id);
        world.listen.subscriptions.end_owned(id);
    }
    // Children that come or go until then count.
    world.later(move |world| despawn::despawn(world, id, children, place));
    Ok(())
}

/// Hooks a component of this type, which a function attaches. Messages can be sent to its hook at once.
pub fn hook(
    world: &World,
    id: MessageeId,
    component: TypeId,
    attach: impl FnOnce(&mut Changes<'_>, HookId) + Send + 'static,
    place: Place,
) -> Result<HookId, MessageeError> {
    world.structure.check_hookable(id)?;
    let hook = world.structure.keys.reserve_hook();
    let expected = &world.structure.expected;
    expected.announce(Unborn::Component(hook), id, smallvec![component]);
    world.later(move |world| {
        let mut changes = world.changes();
        let stays = changes.structure.check_hook(hook).is_ok();
        attach(&mut changes, hook);
        if !stays {
            changes.structure.mark_unhooking(hook);
        }
        changes.announce_hooked(hook, place);
        changes.deliver_to_unborn(Unborn::Component(hook));
    });
    Ok(hook)
}

/// Unhooks a component. From now on it receives only the farewell.
pub fn unhook(world: &World, hook: HookId, place: Place) -> Result<(), MessageeError> {
    world.structure.check_hook(hook)?;
    world.structure.mark_unhooking(hook);
    world.later(move |world| announce_unhooking(world, hook, place));
    Ok(())
}

/// Enables or disables a component. Sends see that at once.
pub(crate) fn switch(world: &World, hook: HookId, enabled: bool, place: Place) {
    let at = world.structure.find_hook(hook);
    let is_switched = at.is_some_and(|at| world.structure.switch(at, enabled));
    if at.is_some() && !is_switched {
        return;
    }
    // One that is not there yet is attached when the outermost send returns. This is a separate change
    // behind that, and is reported before any change that was requested later.
    world.later(move |world| {
        let switch = |at| world.structure.switch(at, enabled);
        if is_switched || world.structure.find_hook(hook).is_some_and(switch) {
            settle_switch(world, hook, place);
        }
    });
}

/// Pauses or resumes a subscription. Returns `true` if it has not ended.
pub(crate) fn set_listening(world: &World, id: SubscriptionId, listening: bool) -> bool {
    let subscriptions = &world.listen.subscriptions;
    if subscriptions.switch_announced(id, listening) {
        return true;
    }
    let count = world.structure.count_switch();
    let resumed = subscriptions.set_listening(id, listening, count);
    if resumed == Some(true) {
        world.later(move |world| tell_missed(world, id));
    } else if resumed.is_some() && !listening {
        let retained = world.listen.retained.borrow().count;
        subscriptions.begin_missing(id, retained);
    }
    resumed.is_some()
}

/// Announces that a component was enabled or disabled, and moves it.
fn settle_switch(world: &mut World, hook: HookId, place: Place) {
    let at = world.structure.pool_of(hook);
    let is_disabled = at.is_some_and(|(pool, slot)| slot < pool.active() && !pool.is_enabled(slot));
    let is_told = is_disabled && world.listen.is_heard::<Disabled>();
    let mut changes = world.changes();
    if is_told {
        changes.next(move |world| {
            let farewell = Some(LeavingTarget::Disabled(hook));
            Notice::about::<Disabled>(world, hook, farewell, place);
        });
    }
    changes.next(move |world| world.changes().move_switched(hook, is_told, place));
}

/// Announces that a component is about to be unhooked from outside. Returns it if it is still there.
#[inline]
pub(crate) fn part_with(world: &mut World, hook: HookId, at: Hook, place: Place) -> Option<Hook> {
    if !world.listen.is_heard::<Unhooking>() {
        return Some(at);
    }
    world.structure.mark_unhooking(hook);
    announce_unhooking(world, hook, place);
    settle_kept(world);
    world.structure.find_hook(hook)
}

/// Announces that a component is about to be unhooked. If a handler panics, the next call still unhooks it.
fn announce_unhooking(world: &mut World, hook: HookId, place: Place) {
    let mut changes = world.changes();
    changes.next(move |world| world.changes().drop_detached(hook));
    let farewell = Some(LeavingTarget::Hook(hook));
    Notice::about::<Unhooking>(world, hook, farewell, place);
}
