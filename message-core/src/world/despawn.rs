//! Despawning messagees.

use std::panic::Location;

use smallvec::smallvec;

use crate::address::MessageeId;
use crate::caught::FirstPanic;
use crate::lifecycle::{Despawning, Unhooking};
use crate::post::bury_bound;
use crate::send::LeavingTarget;
use crate::world::{Ids, World, drop_removed};

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

impl World {
    /// Marks a messagee that is about to be despawned. It and its components receive only the manager's
    /// farewell from now on.
    pub(crate) fn mark_leaving(&self, id: MessageeId) {
        match self.structure.messagees.mark_leaving(id) {
            Some(record) => {
                for at in self.structure.messagees.components(record) {
                    self.structure
                        .pools
                        .at(at.component)
                        .roster()
                        .mark_leaving(at.slot as usize);
                }
            }
            None => self.waiting.pending.mark_stillborn(id),
        }
        self.listen.subscriptions.end_owned(id);
    }

    /// Marks all messagees that a despawn will remove.
    pub(crate) fn mark_despawning(&self, id: MessageeId, children: Children) {
        match children {
            Children::Follow => {
                for id in self.structure.addresses.down(id) {
                    self.mark_leaving(id);
                }
            }
            Children::Reparent => self.mark_leaving(id),
        }
    }

    /// Despawns a messagee. First it and those that follow get the farewell, each before its own children.
    /// Then all of them are removed.
    pub(crate) fn despawn(
        &mut self,
        id: MessageeId,
        children: Children,
        place: &'static Location<'static>,
    ) {
        let leaving: Ids = match children {
            Children::Follow if self.structure.addresses.has_children(id) => {
                self.structure.addresses.down(id)
            }
            Children::Follow | Children::Reparent => smallvec![id],
        };
        let (despawning, unhooking) = (self.is_heard::<Despawning>(), self.is_heard::<Unhooking>());
        if !despawning && !unhooking {
            return self.remove(&leaving);
        }
        for &messagee in &leaving {
            self.mark_leaving(messagee);
            let farewell = Some(LeavingTarget::Messagee(messagee));
            if despawning {
                self.next(Box::new(move |world| {
                    world.tell(messagee, Despawning { messagee }, farewell, place);
                }));
            }
            if unhooking {
                for hook in self.hooks_of(messagee) {
                    self.next(Box::new(move |world| {
                        world.announce_unhooking(messagee, hook, farewell, place);
                    }));
                }
            }
        }
        self.next(Box::new(move |world| world.remove(&leaving)));
    }

    fn remove(&mut self, leaving: &[MessageeId]) {
        // Dropped last, one by one: a `Drop` that panics finds the whole family gone, and the rest is
        // dropped all the same.
        let (mut components, mut panicked) = (Vec::new(), Vec::new());
        let (mut closures, mut retained) = (Vec::new(), Vec::new());
        let mut bound = Vec::new();
        for &id in leaving {
            // From the last one, so that none has to move up.
            let (first, retains) = (components.len(), self.listen.retained.has_any_to_hooks());
            let record = self.structure.messagees.get(id);
            let is_proxy = record.is_some_and(|record| record.outbox().is_some());
            while !is_proxy && let Some((hook, component)) = self.detach_last(id) {
                if retains {
                    retained.append(&mut self.listen.retained.take_all_to_hook(hook));
                }
                // A component whose `Drop` does nothing is already gone.
                if let Some(component) = component {
                    if self.waiting.pending.has_panicked(hook) {
                        panicked.push(component);
                    } else {
                        components.push(component);
                    }
                }
            }
            components[first..].reverse();
            self.structure.addresses.forget(id);
            take_over(&mut closures, self.listen.subscriptions.remove_owned(id));
            #[cfg(feature = "data")]
            if let Some(wires) = self.outside.wires.get_mut() {
                let wires = wires.take_all_of(id, &mut self.listen.subscriptions);
                take_over(&mut closures, wires);
            }
            take_over(&mut retained, self.listen.retained.take_all_to(id));
            take_over(&mut bound, self.schedule.get_mut().take_bound(id));
            self.structure.messagees.remove(id);
            self.outside.proxies.note_end(id);
            self.structure.keys.release_messagee(id);
        }
        let mut panics = FirstPanic::default();
        if !bound.is_empty() {
            panics.catch(|| bury_bound(self, bound));
        }
        for component in panicked {
            drop_removed(component, true);
        }
        // Most messagees have none of these.
        if !retained.is_empty() {
            panics.drop_each(retained);
        }
        if !closures.is_empty() {
            panics.drop_each(closures);
        }
        if !components.is_empty() {
            panics.drop_each(components);
        }
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
