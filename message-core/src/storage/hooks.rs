//! The attached components of a manager, by hook: the way from a hook to the value, and the one place
//! that keeps the three tables (hooks, messagees, pools) telling the same.
//!
//! Everybody else knows a hook by its place alone: the owner's list, in the order of hooking, and the
//! pool, which tells for each slot whose hook it is. Component and slot stand here, so a component that
//! moves is written down once. A messagee that goes leaves nothing to be cleared: what is written here
//! of a hook that is gone leads to the slot of another one, or nowhere.
//!
//! Between calls, for each live hook: `pools[component]` names its place at `slot`, and so does the list
//! of its owner.

use crate::address::MessageeId;
use crate::storage::messagees::{HookRef, Messagees};
use crate::storage::paged::Paged;
use crate::storage::pool::Pool;
use crate::storage::pools::Pools;
use crate::storage::{Unaligned, narrow};

/// Large, as all components of a manager are in one table.
const PAGE: usize = 256;

/// Where an attached component is, and whose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hook {
    pub(crate) owner: MessageeId,
    pub(crate) component: u32,
    pub(crate) slot: u32,
}

/// Where a hook's component is, in six bytes.
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
    /// The attached component of the hook at that place.
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

    /// Where the component of a live hook is, by the hook's place.
    #[inline]
    pub(crate) fn at(&self, hook: u32) -> HookRef {
        let entry = self.entries.get(hook as usize);
        let entry = entry.expect("a live hook was entered");
        HookRef {
            component: entry.component(),
            slot: entry.slot.get(),
        }
    }

    /// Enters a hook at the end of its owner's list.
    pub(crate) fn insert(
        &mut self,
        hook: u32,
        owner: MessageeId,
        at: HookRef,
        messagees: &mut Messagees,
    ) {
        let component = u16::try_from(at.component).expect("a pool has an index of 16 bits");
        messagees.push_hook(owner, hook);
        *self.entries.put(hook as usize) = Entry {
            slot: Unaligned::new(at.slot),
            component: component.to_ne_bytes(),
        };
    }

    pub(crate) fn shrink_to_fit(&mut self, pools: &Pools) {
        let live = pools.iter().flat_map(|pool| pool.roster().hooks());
        self.entries.free_all_but(live.map(|hook| hook as usize));
    }

    /// After a change in the pool of a component type: writes down which components are in these slots now.
    pub(crate) fn relink(&mut self, pools: &Pools, component: u32, slots: [usize; 2]) {
        let pool = pools.at(component);
        let [first, second] = slots;
        self.relink_one(pool, first);
        if second != first {
            self.relink_one(pool, second);
        }
    }

    fn relink_one(&mut self, pool: &Pool, slot: usize) {
        if let Some(hook) = pool.roster().hook(slot)
            && let Some(entry) = self.entries.get_mut(hook as usize)
        {
            entry.slot = Unaligned::new(narrow(slot));
        }
    }
}
