//! Enabling and disabling components. Sends see the change at once, while the values move when the
//! outermost send returns.

use crate::address::HookId;
use crate::storage::{Hook, HookRef, narrow};
use crate::structure::Structure;

/// Not a slot.
const NOWHERE: u32 = u32::MAX;

impl Structure {
    /// Counts one more component that is enabled or disabled, or subscription that is paused or resumed. Returns
    /// their number.
    pub(crate) fn count_switch(&self) -> u64 {
        self.switches.set(self.switches.get() + 1);
        self.switches.get()
    }

    /// Enables or disables a component that is attached. Returns `true` if it has to be
    /// [moved](Self::move_switched), which it has to be once after several changes.
    #[doc(hidden)]
    pub fn switch(&self, at: Hook, enabled: bool) -> bool {
        let (pool, slot) = (self.pools.at(at.component), at.slot as usize);
        pool.is_enabled(slot) != enabled && pool.switch(slot, self.count_switch())
    }

    /// Moves a component that was switched. Returns whether it was enabled before and whether it is now, or
    /// `None` if it is gone.
    #[doc(hidden)]
    pub fn move_switched(&mut self, hook: HookId) -> Option<(bool, bool)> {
        let at = self.find_hook(hook)?;
        let (component, slot) = (at.component, at.slot as usize);
        let pool = self.pools.at_mut(component);
        let was_enabled = slot < pool.active();
        let enabled = pool.settle_switch(slot)?;
        let [a, b] = pool.set_enabled(slot, enabled);
        if a != b {
            // Both may belong to one messagee, which must not seem to have one of them twice.
            let [first, second] = [b, a].map(|slot| pool.owner(slot));
            let [a, b] = [a, b].map(narrow);
            for (owner, slot, to) in [(first, a, NOWHERE), (second, b, a), (first, NOWHERE, b)] {
                let from = HookRef { component, slot };
                self.messagees.move_component(owner, from, to);
            }
        }
        Some((was_enabled, enabled))
    }
}
