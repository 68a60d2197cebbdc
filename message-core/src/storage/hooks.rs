//! The attached components of a manager, by hook.
//!
//! The entry of a hook that is gone need not be cleared: it leads to the slot of another component, or
//! nowhere.
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

/// Stands for the slot of a component whose slot is not known yet. It is above all [slots](narrow).
const PARKED: u32 = u32::MAX;

/// The owner and the slot of an attached component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hook {
    pub(crate) owner: MessageeId,
    pub(crate) component: u32,
    pub(crate) slot: u32,
}

impl Hook {
    /// Returns the component without its owner.
    #[inline]
    pub(crate) fn in_pool(self) -> HookRef {
        HookRef {
            component: self.component,
            slot: self.slot,
        }
    }
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

    /// Enters a hook, or changes the slot of its component.
    #[inline]
    pub(crate) fn insert(&mut self, hook: u32, at: HookRef) {
        *self.entries.put(hook as usize) = Entry {
            slot: Unaligned::new(at.slot),
            component: at.narrow_component().to_ne_bytes(),
        };
    }

    pub(crate) fn shrink_to_fit(&mut self, pools: &Pools) {
        let live = pools.iter().flat_map(|pool| pool.roster().hooks());
        self.entries.free_all_but(live.map(|hook| hook as usize));
    }

    /// Updates the slots of the components of a type that are in these slots of their pool now.
    #[inline]
    pub(crate) fn relink(
        &mut self,
        roster: &Roster,
        messagees: &mut Messagees,
        [first, second]: [usize; 2],
    ) {
        if first != second {
            self.relink_other(roster, messagees, [first, second]);
        }
        self.relink_one(roster, messagees, first);
    }

    #[inline]
    fn relink_one(&mut self, roster: &Roster, messagees: &mut Messagees, slot: usize) {
        if let Some(occupant) = roster.occupant(slot) {
            let to = narrow(slot);
            let entry = self.entries.get_mut(occupant.hook.get() as usize);
            let entry = entry.expect("a live hook was entered");
            let from = std::mem::replace(&mut entry.slot, Unaligned::new(to)).get();
            messagees.move_component(occupant.owner.get(), roster.component(), from, to);
        }
    }

    /// Updates the second of two slots. The component that is in the first now gets a slot that no other has, since
    /// both may belong to one messagee, and either may have been in the other slot.
    #[cold]
    fn relink_other(
        &mut self,
        roster: &Roster,
        messagees: &mut Messagees,
        [first, second]: [usize; 2],
    ) {
        if let Some(occupant) = roster.occupant(first)
            && let Some(entry) = self.entries.get_mut(occupant.hook.get() as usize)
        {
            let from = std::mem::replace(&mut entry.slot, Unaligned::new(PARKED)).get();
            messagees.move_component(occupant.owner.get(), roster.component(), from, PARKED);
        }
        self.relink_one(roster, messagees, second);
    }
}
