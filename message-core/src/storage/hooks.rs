//! The attached components of a manager, by hook: the way from a `HookId` to the value, and the
//! one place that keeps the three tables (hooks, messagees, pools) telling the same.
//!
//! A hook is told by its pool: `pools[component].meta(slot)` names it and its owner. Component and
//! slot stand in the owner's list, and here only where in which list that is. So a component that
//! moves is written down once, and a messagee that goes leaves nothing to be cleared: what is
//! written here of a hook that is gone leads to another one, or nowhere.
//!
//! Between calls, for each live hook: `messagees[owner].hooks[position]` is `(component, slot)`.

use crate::address::{HookId, MessageeId};
use crate::room::Shrink;
use crate::storage::messagees::{HookRef, Messagees};
use crate::storage::narrow;
use crate::storage::paged::Paged;
use crate::storage::pool::Pool;
use crate::storage::roster::Meta;

/// Where an attached component is, and whose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hook {
    pub(crate) owner: MessageeId,
    pub(crate) component: u32,
    pub(crate) slot: u32,
}

/// Where in which list a hook stands.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The place of the owner's id.
    owner: u32,
    /// The place in the owner's list, which is the order of hooking.
    position: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Hooks {
    entries: Paged<Entry>,
}

impl Hooks {
    pub(crate) fn get(
        &self,
        id: HookId,
        messagees: &Messagees,
        pools: &[Option<Box<Pool>>],
    ) -> Option<Hook> {
        let entry = self.entries.get(id.0.index())?;
        let list = messagees.hooks_at(entry.owner)?;
        let &HookRef { component, slot } = list.get(entry.position as usize)?;
        let Meta { owner, hook } = pool(pools, component).roster().meta(slot as usize);
        (hook == id).then_some(Hook {
            owner,
            component,
            slot,
        })
    }

    /// Enters a hook at the end of its owner's list.
    pub(crate) fn insert(
        &mut self,
        id: HookId,
        owner: MessageeId,
        at: HookRef,
        messagees: &mut Messagees,
    ) {
        let record = messagees
            .get_mut(owner)
            .expect("a component is hooked to a messagee that is alive");
        let list = &mut record.hooks;
        let entry = Entry {
            owner: owner.0.place(),
            position: narrow(list.len()),
        };
        list.push(at);
        *self.entries.put(id.0.index()) = entry;
    }

    /// Takes a live hook out of its owner's list; those behind it move up.
    pub(crate) fn remove(
        &mut self,
        id: HookId,
        messagees: &mut Messagees,
        pools: &[Option<Box<Pool>>],
    ) {
        let Entry { owner, position } = self.entry(id);
        let list = messagees
            .hooks_at_mut(owner)
            .expect("the owner of a live hook is alive");
        list.remove(position as usize);
        for (position, at) in list.iter().enumerate().skip(position as usize) {
            let moved = pool(pools, at.component)
                .roster()
                .meta(at.slot as usize)
                .hook;
            self.entries.put(moved.0.index()).position = narrow(position);
        }
    }

    /// That of a live hook.
    fn entry(&self, id: HookId) -> Entry {
        let entry = self.entries.get(id.0.index());
        *entry.expect("a live hook was entered")
    }

    /// Gives back memory, when so many components were attached at once lately.
    pub(crate) fn shrink(&mut self, how: Shrink, needed: usize, pools: &[Option<Box<Pool>>]) {
        if self.entries.is_due(how, needed) {
            let pools = pools.iter().flatten();
            let live = pools.flat_map(|pool| {
                (0..pool.roster().len()).map(|slot| pool.roster().meta(slot).hook.0.index())
            });
            self.entries.give_back_all_but(how, live);
        }
    }

    /// After a change in a pool: tells the owners of what is in these slots now.
    pub(crate) fn relink(&self, pool: &Pool, slots: [usize; 2], messagees: &mut Messagees) {
        let [first, second] = slots;
        self.relink_one(pool, first, messagees);
        if second != first {
            self.relink_one(pool, second, messagees);
        }
    }

    fn relink_one(&self, pool: &Pool, slot: usize, messagees: &mut Messagees) {
        if slot < pool.roster().len() {
            let Meta { owner, hook } = pool.roster().meta(slot);
            let position = self.entry(hook).position;
            let list = messagees
                .hooks_at_mut(owner.0.place())
                .expect("the owner of a stored component is alive");
            list[position as usize].slot = narrow(slot);
        }
    }
}

fn pool(pools: &[Option<Box<Pool>>], component: u32) -> &Pool {
    pools[component as usize]
        .as_deref()
        .expect("a hooked component has a pool")
}
