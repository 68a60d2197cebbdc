//! Despawning messagees.

use std::any::Any;

use crate::address::{MessageeId, Recipient};
use crate::caught::{FirstPanic, caught};
use crate::lifecycle::{Despawning, Unhooking};
use crate::message::AnyMessage;
use crate::post::bury_bound;
use crate::post::schedule::Unposted;
use crate::send::{LeavingTarget, Shared};
use crate::structure::{Ids, Structure};
use crate::world::{Notice, Place, World};

/// The treatment of the children of a messagee that is despawned.
///
/// ```
/// use message_core::Children;
/// use message_core::prelude::*;
///
/// let mut manager = MessageManager::new();
/// let [crew, captain, sailor] = [(); 3].map(|()| manager.spawn(()));
/// manager.set_parent(captain, Some(crew))?;
/// manager.set_parent(sailor, Some(captain))?;
/// manager.despawn_with(captain, Children::Reparent)?;
/// assert_eq!(manager.parent(sailor), Some(crew));
/// # Ok::<(), MessageeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Children {
    /// They are despawned too, with their own children.
    #[default]
    Follow,
    /// They move to the parent of the despawned messagee, or have no parent if it had none.
    Reparent,
}

/// Returns the messagees that leave with one that is despawned, each before its own children.
pub(super) fn leaving(structure: &Structure, id: MessageeId, children: Children) -> Ids {
    let addresses = &structure.addresses;
    if children == Children::Follow && addresses.families.borrow().has_children(id) {
        return addresses.down(id);
    }
    Ids::from_slice(&[id])
}

/// Despawns a messagee while no handler is running. First all who leave get the farewell, then all are removed.
pub(crate) fn despawn(world: &mut World, id: MessageeId, children: Children, place: Place) {
    let despawning = world.listen.is_heard::<Despawning>();
    let unhooking = world.listen.is_heard::<Unhooking>();
    let leaving = leaving(&world.structure, id, children);
    if !despawning && !unhooking {
        return remove(world, &leaving);
    }
    let mut changes = world.changes();
    for &messagee in &leaving {
        changes.mark_leaving(messagee);
        let farewell = Some(LeavingTarget::Messagee(messagee));
        if despawning {
            let notice = Notice::new(messagee, place).farewell(farewell);
            changes.next(move |world| notice.tell(world, Despawning { messagee }));
        }
        if unhooking {
            for hook in changes.structure.hooks(messagee) {
                changes.next(move |world| {
                    Notice::about::<Unhooking>(world, hook, farewell, place);
                });
            }
        }
    }
    changes.next(move |world| remove(world, &leaving));
}

/// Removes messagees. What is a user's is dropped last, one by one: a `Drop` that panics finds the whole family
/// gone, and the rest is dropped all the same.
fn remove(world: &mut World, leaving: &[MessageeId]) {
    let mut remains = None;
    for &id in leaving {
        remove_one(world, id, &mut remains);
        world.outside.proxies.note_end(id);
    }
    if let Some(remains) = remains {
        remains.drop_all(world);
    }
}

/// The rest of messagees that were removed, to be dropped.
#[derive(Default)]
struct Remains {
    /// The components of each messagee, in hook order.
    components: Vec<Box<dyn Any + Send>>,
    panicked: Vec<Box<dyn Any + Send>>,
    closures: Vec<Box<dyn Any + Send>>,
    retained: Vec<Shared>,
    /// The posts that end with a component.
    tied: Vec<Option<Box<dyn AnyMessage>>>,
    /// The posts that end with their sender.
    bound: Vec<Unposted>,
}

impl Remains {
    fn drop_all(self, world: &World) {
        let mut panics = FirstPanic::default();
        panics.catch(|| bury_bound(world, self.bound));
        for component in self.panicked {
            // It may be in no state to be dropped, and the first panic was already reported.
            let _ = caught(|| drop(component));
        }
        panics.drop_each(self.tied);
        panics.drop_each(self.retained);
        panics.drop_each(self.closures);
        panics.drop_each(self.components);
        panics.resume();
    }
}

/// Removes a messagee and everything that ends with it. `remains` is made when something remains: mostly nothing
/// does.
#[inline(never)] // Its many rare cases would slow down the loop around it: W9.
fn remove_one(world: &mut World, id: MessageeId, remains: &mut Option<Box<Remains>>) {
    let subscriptions = &mut world.listen.subscriptions;
    let retained = world.listen.retained.get_mut();
    if !retained.is_empty() {
        let all = &mut remains.get_or_insert_default().retained;
        for hook in world.structure.hooks(id).rev() {
            all.append(&mut retained.take_all_to(Recipient::Hook(hook)));
        }
        all.append(&mut retained.take_all_to(Recipient::Id(id)));
    }
    let schedule = world.schedule.get_mut();
    if schedule.has_tied() {
        let all = &mut remains.get_or_insert_default().tied;
        for hook in world.structure.hooks(id) {
            let moment = world.common.time.moment();
            all.append(&mut schedule.end_tied(hook, &world.trace, moment));
        }
    }
    let first = remains.as_ref().map_or(0, |it| it.components.len());
    world.structure.remove(id, |has_panicked, component| {
        let remains = remains.get_or_insert_default();
        if has_panicked {
            remains.panicked.push(component);
        } else {
            remains.components.push(component);
        }
    });
    if let Some(remains) = remains {
        remains.components[first..].reverse();
    }
    let mut closures = subscriptions.remove_owned(id);
    if let Some(wires) = world.outside.wires.get_mut() {
        closures.append(&mut wires.take_all_of(id, subscriptions));
    }
    if !closures.is_empty() {
        let all = &mut remains.get_or_insert_default().closures;
        all.append(&mut closures);
    }
    let schedule = world.schedule.get_mut();
    if schedule.has_bound() {
        let bound = &mut remains.get_or_insert_default().bound;
        bound.append(&mut schedule.take_bound(id));
    }
}
