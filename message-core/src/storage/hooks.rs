//! The attached components of a manager, by hook.
//!
//! Three tables know where a component is: this one by hook, the [messagees](super::messagees) by owner,
//! and the [pools](super::pool) by slot. The entry of a hook that is gone need not be cleared: it leads to
//! the slot of another component, or nowhere.
//!
//! Between calls, for each live hook: `pools[component]` has its place at `slot`, and its owner has a
//! component of type `component` at `slot`.

use crate::address::MessageeId;
use crate::storage::messagees::{HookRef, Messagees};
use crate::storage::paged::Paged;
use crate::storage::pools::Pools;
use crate::storage::{Unaligned, narrow};

/// Large, since all components of a manager are in one table.
const PAGE: usize = 256;

/// The owner and the slot of an attached component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hook {
    pub(crate) owner: MessageeId,
    pub(crate) component: u32,
    pub(crate) slot: u32,
}

/// The slot of a hook's component, in six bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    slot: Unaligned,
    component: [u8; 2],
}

impl Entry {
    #[inline]
    fn component(self) -> u32 {
        u16::from_ne_bytes(self.component).into()
    }
}

#[derive(Debug, Default)]
pub(crate) struct Hooks {
    entries: Paged<Entry, PAGE>,
}

impl Hooks {
    /// Returns the attached component of the hook at a place.
    pub(crate) fn get(&self, hook: u32, pools: &Pools) -> Option<Hook> {
        let entry = *self.entries.get(hook as usize)?;
        let (component, slot) = (entry.component(), entry.slot.get());
        let roster = pools.get(component)?.roster();
        let owner = roster.owner_if(slot, hook)?;
        Some(Hook {
            owner,
            component,
            slot,
        })
    }

    /// Returns the component of a live hook, by the hook's place.
    #[inline]
    pub(crate) fn at(&self, hook: u32) -> HookRef {
        let entry = self.entries.get(hook as usize);
        let entry = entry.expect("a live hook was entered");
        HookRef {
            component: entry.component(),
            slot: entry.slot.get(),
        }
    }

    /// Enters a hook and adds its component at the end of its owner's list.
    pub(crate) fn insert(
        &mut self,
        hook: u32,
        owner: MessageeId,
        at: HookRef,
        messagees: &mut Messagees,
    ) {
        let component = u16::try_from(at.component).expect("a pool has an index of 16 bits");
        messagees.push(owner, at);
        *self.entries.put(hook as usize) = Entry {
            slot: Unaligned::new(at.slot),
            component: component.to_ne_bytes(),
        };
    }

    pub(crate) fn shrink_to_fit(&mut self, pools: &Pools) {
        let live = pools.iter().flat_map(|pool| pool.roster().hooks());
        self.entries.free_all_but(live.map(|hook| hook as usize));
    }

    /// Updates the slots of the components that are in these slots of a pool now.
    #[inline]
    pub(crate) fn relink(
        &mut self,
        pools: &Pools,
        messagees: &mut Messagees,
        component: u32,
        slots: [usize; 2],
    ) {
        let roster = pools.at(component).roster();
        // Both are found before either is changed, since both may belong to one messagee.
        let [first, second] = slots;
        let other = (second != first).then_some(second);
        let moved = [Some(first), other].map(|slot| {
            let slot = slot?;
            let hook = roster.hook(slot)?;
            let (owner, from) = (roster.owner(slot), self.at(hook));
            let place = messagees.place_of(owner, from)?;
            Some((hook, owner, place, narrow(slot)))
        });
        for (hook, owner, place, slot) in moved.into_iter().flatten() {
            messagees.set_slot(owner, place, slot);
            if let Some(entry) = self.entries.get_mut(hook as usize) {
                entry.slot = Unaligned::new(slot);
            }
        }
    }
}
