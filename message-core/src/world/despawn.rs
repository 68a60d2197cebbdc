//! Despawning messagees.

use std::any::Any;
use std::panic::Location;

use smallvec::smallvec;

use crate::address::MessageeId;
use crate::caught::{FirstPanic, caught};
use crate::lifecycle::{Despawning, Unhooking};
use crate::post::queue::Taken;
use crate::send::LeavingTarget;
use crate::structure::{Ids, Structure};
use crate::subscription::Shared;
use crate::world::notice::Notice;
use crate::world::{Listen, World};

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
#[cfg_attr(feature = "data", derive(serde::Serialize, serde::Deserialize))]
pub enum Children {
    /// They are despawned too, with their own children.
    #[default]
    Follow,
    /// They move to the parent of the despawned messagee, or have no parent if it had none.
    Reparent,
}

/// Despawns a messagee while no handler is running.
pub(crate) fn despawn(
    world: &mut World,
    id: MessageeId,
    children: Children,
    place: &'static Location<'static>,
) {
    Despawn::new(&world.structure, id, children).begin(world, place);
}

/// A despawn: the messagees that leave, each before its own children.
pub(super) struct Despawn {
    pub(super) leaving: Ids,
}

impl Despawn {
    pub(super) fn new(structure: &Structure, id: MessageeId, children: Children) -> Self {
        let addresses = &structure.addresses;
        let leaving = match children {
            Children::Follow if addresses.has_children(id) => addresses.down(id),
            Children::Follow | Children::Reparent => smallvec![id],
        };
        Self { leaving }
    }

    /// Makes the despawn while no handler is running. First all get the farewell, then all are removed.
    pub(super) fn begin(self, world: &mut World, place: &'static Location<'static>) {
        let despawning = world.listen.is_heard::<Despawning>();
        let unhooking = world.listen.is_heard::<Unhooking>();
        if !despawning && !unhooking {
            return self.finish(world);
        }
        let mut changes = world.changes();
        for &messagee in &self.leaving {
            changes.mark_leaving(messagee);
            let notice = Notice::farewell(messagee, LeavingTarget::Messagee(messagee), place);
            if despawning {
                changes.next(move |world| notice.tell(world, Despawning { messagee }));
            }
            if unhooking {
                for hook in changes.structure().hooks_of(messagee) {
                    changes.next(move |world| notice.unhooking(world, hook));
                }
            }
        }
        changes.next(move |world| self.finish(world));
    }

    /// Removes the messagees. What is a user's is dropped last, one by one: a `Drop` that panics finds the
    /// whole family gone, and the rest is dropped all the same.
    fn finish(self, world: &mut World) {
        let mut remains = Remains::default();
        for &id in &self.leaving {
            remains.remove(world, id);
        }
        if !remains.is_empty() {
            remains.drop_all(world);
        }
    }
}

/// What is left of messagees that were removed.
#[derive(Default)]
struct Remains {
    /// In hook order, of each messagee.
    components: Vec<Box<dyn Any + Send>>,
    panicked: Vec<Box<dyn Any + Send>>,
    closures: Vec<Box<dyn Any + Send>>,
    retained: Vec<Shared>,
    /// The posts that end with their sender.
    bound: Vec<Taken>,
}

impl Remains {
    fn is_empty(&self) -> bool {
        self.components.is_empty()
            && self.panicked.is_empty()
            && self.closures.is_empty()
            && self.retained.is_empty()
            && self.bound.is_empty()
    }

    /// Removes a messagee and everything that ends with it.
    fn remove(&mut self, world: &mut World, id: MessageeId) {
        let Listen {
            subscriptions,
            retained,
            ..
        } = &mut world.listen;
        let first = self.components.len();
        if retained.has_any_to_hooks() {
            for hook in world.structure.hooks_of(id).into_iter().rev() {
                take_over(&mut self.retained, retained.take_all_to_hook(hook));
            }
        }
        world.structure.remove(id, |has_panicked, component| {
            if has_panicked {
                self.panicked.push(component);
            } else {
                self.components.push(component);
            }
        });
        self.components[first..].reverse();
        take_over(&mut self.closures, subscriptions.remove_owned(id));
        #[cfg(feature = "data")]
        if let Some(wires) = world.outside.wires.get_mut() {
            take_over(&mut self.closures, wires.take_all_of(id, subscriptions));
        }
        take_over(&mut self.retained, retained.take_all_to(id));
        let bound = world.schedule.get_mut().take_bound(id);
        take_over(&mut self.bound, bound);
        world.outside.proxies.note_end(id);
    }

    fn drop_all(self, world: &World) {
        let mut panics = FirstPanic::default();
        panics.catch(|| world.bury_bound(self.bound));
        for component in self.panicked {
            drop_removed(component, true);
        }
        panics.drop_each(self.retained);
        panics.drop_each(self.closures);
        panics.drop_each(self.components);
        panics.resume();
    }
}

/// Appends `more`, which is mostly empty.
#[inline]
fn take_over<T>(all: &mut Vec<T>, mut more: Vec<T>) {
    if !more.is_empty() {
        all.append(&mut more);
    }
}

/// Drops a component that was removed. If it has panicked, it may be in no state to be dropped, so a second
/// panic is ignored: the first was already reported.
pub(super) fn drop_removed<T>(removed: T, has_panicked: bool) {
    if has_panicked {
        let _ = caught(|| drop(removed));
    }
}
