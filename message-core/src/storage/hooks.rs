//! The attached components of a manager, by hook.
//!
//! The entry of a hook that is gone need not be cleared: it leads to the slot of another component, or
//! nowhere.
//!
//! Between calls, for each live hook: `pools[component]` has its place at `slot`, and its owner has a
//! component of type `component` at `slot`, at the place in its hook order that the pool has there.

use crate::address::MessageeId;
use crate::storage::messagees::{HookRef, Messagees};
use crate::storage::narrow;
use crate::storage::paged::Paged;
use crate::storage::pools::Pools;
use crate::storage::roster::{Occupant, Roster};

/// Large, since all components of a manager are in one table.
const PAGE: usize = 256;

const ENTERED: &str = "a live hook was entered";

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
    slot: [u8; 4],
    component: [u8; 2],
}

impl Entry {
    #[inline]
    fn at(self) -> HookRef {
        HookRef {
            component: u16::from_ne_bytes(self.component).into(),
            slot: u32::from_ne_bytes(self.slot),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Hooks {
    entries: Paged<Entry, PAGE>,
}

impl Hooks {
    /// Returns the attached component of the hook at a place.
    pub(crate) fn get(&self, hook: u32, pools: &Pools) -> Option<Hook> {
        let HookRef { component, slot } = self.entries.get(hook as usize)?.at();
        let roster = pools.get(component)?.roster();
        let owner = roster.owner_if(slot, hook)?;
        Some(Hook {
            owner,
            component,
            slot,
        })
    }

    /// Enters a hook.
    #[inline]
    pub(crate) fn insert(&mut self, hook: u32, at: HookRef) {
        let entry = Entry {
            slot: at.slot.to_ne_bytes(),
            component: at.narrow_component().to_ne_bytes(),
        };
        self.entries.put(hook as usize, entry);
    }

    pub(crate) fn shrink_to_fit(&mut self, pools: &Pools) {
        let live = pools.iter().flat_map(|pool| pool.roster().hooks());
        self.entries.free_all_but(live.map(|hook| hook as usize));
    }

    /// Updates the slots of the components of a type that are in these slots of their pool now.
    #[inline]
    pub(crate) fn relink(&mut self, roster: &Roster, messagees: &mut Messagees, slots: [usize; 2]) {
        if slots[0] != slots[1] {
            return self.relink_both(roster, messagees, slots);
        }
        if let Some(occupant) = roster.occupant(slots[0]) {
            let order = self.order(messagees, occupant);
            self.relink_one(messagees, occupant, order, slots[0]);
        }
    }

    /// Updates two slots. Both components may belong to one messagee, so both are found before either changes.
    #[cold]
    fn relink_both(&mut self, roster: &Roster, messagees: &mut Messagees, slots: [usize; 2]) {
        let found = slots.map(|slot| {
            let occupant = roster.occupant(slot)?;
            Some((occupant, self.order(messagees, occupant), slot))
        });
        for (occupant, order, slot) in found.into_iter().flatten() {
            self.relink_one(messagees, occupant, order, slot);
        }
    }

    #[inline]
    fn relink_one(
        &mut self,
        messagees: &mut Messagees,
        occupant: Occupant,
        order: usize,
        slot: usize,
    ) {
        let slot = narrow(slot);
        let entry = self.entries.get_mut(occupant.hook as usize);
        entry.expect(ENTERED).slot = slot.to_ne_bytes();
        messagees.move_component(occupant.owner, order, slot);
    }

    /// Returns the place of a component in the hook order of its messagee.
    #[inline]
    pub(crate) fn order(&self, messagees: &Messagees, occupant: Occupant) -> usize {
        occupant.order().unwrap_or_else(|| {
            let entry = self.entries.get(occupant.hook as usize);
            messagees.find_in_list(occupant.owner, entry.expect(ENTERED).at())
        })
    }
}
