//! Enabling and disabling components. Sends see the change at once, while the values move when the
//! outermost send returns.

use std::cell::Cell;

use crate::address::HookId;
use crate::storage::Hook;
use crate::structure::Structure;

/// Counts of the components that were enabled or disabled.
#[derive(Debug, Default)]
pub(crate) struct Switches {
    /// The number of times that a component was enabled or disabled, or a subscription paused or resumed.
    count: Cell<u64>,
    /// The number of components that have not moved yet.
    waiting: Cell<usize>,
}

impl Switches {
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        self.count.get()
    }

    /// Counts one more change. Returns their number.
    pub(crate) fn count_one(&self) -> u64 {
        self.count.set(self.count.get() + 1);
        self.count.get()
    }

    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.waiting.get() > 0
    }
}

impl Structure {
    /// Enables or disables a component that is attached. Returns `true` if it has to be
    /// [moved](Self::move_switched), which it has to be once after several changes.
    pub(crate) fn switch(&self, at: Hook, enabled: bool) -> bool {
        let (roster, slot) = (self.pools.at(at.component).roster(), at.slot as usize);
        if roster.is_enabled(slot) == enabled {
            return false;
        }
        let is_first = roster.switch(slot, enabled, self.switches.count_one());
        if is_first {
            let waiting = &self.switches.waiting;
            waiting.set(waiting.get() + 1);
        }
        is_first
    }

    /// Returns `true` if a component was enabled before it was switched, and is not any more.
    pub(crate) fn is_being_disabled(&self, hook: HookId) -> bool {
        self.find_hook(hook).is_some_and(|at| {
            let (roster, slot) = (self.pools.at(at.component).roster(), at.slot as usize);
            slot < roster.active() && !roster.is_enabled(slot)
        })
    }

    /// Moves a component that was switched. Returns whether it was enabled before and whether it is now, or
    /// `None` if it is gone.
    pub(crate) fn move_switched(&mut self, hook: HookId) -> Option<(bool, bool)> {
        let waiting = &self.switches.waiting;
        waiting.set(waiting.get() - 1);
        let Hook {
            component, slot, ..
        } = self.find_hook(hook)?;
        let (pool, slot) = (self.pools.at_mut(component), slot as usize);
        let was_enabled = slot < pool.roster().active();
        let enabled = pool.roster_mut().settle_switch(slot)?;
        let moved = pool.set_enabled(slot, enabled);
        self.relink(component, moved);
        Some((was_enabled, enabled))
    }

    /// Disables a component that was just attached.
    #[cfg(feature = "data")]
    pub(crate) fn begin_disabled(&mut self, hook: HookId) {
        if let Some(at) = self.find_hook(hook) {
            let pool = self.pools.at_mut(at.component);
            let moved = pool.set_enabled(at.slot as usize, false);
            self.relink(at.component, moved);
        }
    }
}
