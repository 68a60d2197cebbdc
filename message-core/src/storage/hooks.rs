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
use crate::storage::roster::Roster;
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
        let [first, second] = slots;
        // What has moved to the second slot is noted before the first is changed, as both may belong to one
        // messagee.
        let other = if second == first {
            None
        } else {
            self.moved(roster, messagees, second)
        };
        if let Some((hook, owner, place)) = self.moved(roster, messagees, first) {
            self.move_to(messagees, hook, owner, place, first);
        }
        if let Some((hook, owner, place)) = other {
            self.move_to(messagees, hook, owner, place, second);
        }
    }

    /// Returns the hook that is in a slot now, its owner, and its place in hook order. `None` if the slot is
    /// empty, or what is there has not moved.
    #[inline]
    fn moved(
        &self,
        roster: &Roster,
        messagees: &Messagees,
        slot: usize,
    ) -> Option<(u32, MessageeId, usize)> {
        let hook = roster.hook(slot)?;
        let from = self.at(hook);
        if from.slot as usize == slot {
            return None;
        }
        let owner = roster.owner(slot);
        Some((hook, owner, messagees.place_of(owner, from)?))
    }

    #[inline]
    fn move_to(
        &mut self,
        messagees: &mut Messagees,
        hook: u32,
        owner: MessageeId,
        place: usize,
        slot: usize,
    ) {
        messagees.set_slot(owner, place, narrow(slot));
        if let Some(entry) = self.entries.get_mut(hook as usize) {
            entry.slot = Unaligned::new(narrow(slot));
        }
    }
}
