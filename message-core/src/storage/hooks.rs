//! The attached components of a manager, by hook: the way from a `HookId` to the value, and the
//! one place that keeps the three tables (hooks, messagees, pools) telling the same.
//!
//! Between calls, for each live hook: `pools[component].meta(slot)` names the hook and its
//! owner, and `messagees[owner].hooks[position]` is `(component, slot)`.

use crate::address::{HookId, MessageeId};
use crate::storage::messagees::{HookRef, Messagees};
use crate::storage::pool::AnyPool;

/// Where an attached component is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hook {
    pub(crate) owner: MessageeId,
    pub(crate) component: u32,
    pub(crate) slot: u32,
    /// The place in the owner's list, which is the order of hooking.
    position: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Hooks {
    records: Vec<Option<(HookId, Hook)>>,
}

impl Hooks {
    pub(crate) fn get(&self, id: HookId) -> Option<Hook> {
        match self.records.get(id.0.index()) {
            Some(Some((live, hook))) if *live == id => Some(*hook),
            _ => None,
        }
    }

    /// Enters a hook at the end of its owner's list. The slot is settled by `relink` after.
    pub(crate) fn insert(
        &mut self,
        id: HookId,
        owner: MessageeId,
        component: u32,
        messagees: &mut Messagees,
    ) {
        let record = messagees
            .get_mut(owner)
            .expect("a component is hooked to a messagee that is alive");
        let list = &mut record.hooks;
        record.repeats |= list.iter().any(|hook| hook.component == component);
        let hook = Hook {
            owner,
            component,
            slot: u32::MAX,
            position: narrow(list.len()),
        };
        list.push(HookRef {
            component,
            slot: u32::MAX,
        });
        let index = id.0.index();
        if index >= self.records.len() {
            self.records.resize(index + 1, None);
        }
        self.records[index] = Some((id, hook));
    }

    /// Takes a hook out of its owner's list; those behind it move up.
    pub(crate) fn remove(
        &mut self,
        id: HookId,
        messagees: &mut Messagees,
        pools: &[Option<Box<dyn AnyPool>>],
    ) {
        let Some(hook) = self.get(id) else { return };
        self.records[id.0.index()] = None;
        let record = messagees
            .get_mut(hook.owner)
            .expect("the owner of a live hook is alive");
        record.hooks.remove(hook.position as usize);
        for (position, entry) in record.hooks.iter().enumerate().skip(hook.position as usize) {
            let moved = pool(pools, entry.component).meta(entry.slot as usize).hook;
            self.record_mut(moved).position = narrow(position);
        }
    }

    /// After a change in a pool: tells hook and messagee which slots their components are in.
    pub(crate) fn relink(
        &mut self,
        pool: &dyn AnyPool,
        slots: [usize; 2],
        messagees: &mut Messagees,
    ) {
        for slot in slots {
            if slot < pool.len() {
                let meta = pool.meta(slot);
                let hook = self.record_mut(meta.hook);
                hook.slot = narrow(slot);
                let position = hook.position as usize;
                let owner = messagees
                    .get_mut(meta.owner)
                    .expect("the owner of a stored component is alive");
                owner.hooks[position].slot = narrow(slot);
            }
        }
    }

    fn record_mut(&mut self, id: HookId) -> &mut Hook {
        let record = self.records[id.0.index()].as_mut();
        &mut record.expect("a stored component has a live hook").1
    }
}

fn pool(pools: &[Option<Box<dyn AnyPool>>], component: u32) -> &dyn AnyPool {
    pools[component as usize]
        .as_deref()
        .expect("a hooked component has a pool")
}

/// Slots and positions are counted in 32 bits, as ids are.
fn narrow(count: usize) -> u32 {
    u32::try_from(count).expect("more than 2^32 components in use")
}
