//! Enabling and disabling components. Sends see the change at once, while the values move when the
//! outermost send returns.

use std::cell::Cell;
use std::panic::Location;

use crate::address::{HookId, SubscriptionId};
use crate::lifecycle::{Disabled, Enabled};
use crate::send::LeavingTarget;
use crate::storage::Hook;
use crate::world::World;

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
    fn count_one(&self) -> u64 {
        self.count.set(self.count.get() + 1);
        self.count.get()
    }

    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.waiting.get() > 0
    }
}

impl World {
    /// Enables or disables a component.
    pub(crate) fn switch(&self, hook: HookId, enabled: bool, place: &'static Location<'static>) {
        let Some(at) = self.find_hook(hook) else {
            // It is attached when the outermost send returns. This is a separate change behind that, and is
            // reported before any change that was requested later.
            return self.later(move |world| {
                if let Some(at) = world.find_hook(hook)
                    && world.switch_attached(at, enabled)
                {
                    world.settle_switch(hook, place);
                }
            });
        };
        if self.switch_attached(at, enabled) {
            self.later(move |world| world.settle_switch(hook, place));
        }
    }

    /// Enables or disables a component that is attached. Returns `true` if that is its first change since
    /// it last moved.
    fn switch_attached(&self, at: Hook, enabled: bool) -> bool {
        let (pool, slot) = (self.structure.pools.at(at.component), at.slot as usize);
        if pool.roster().is_enabled(slot) == enabled {
            return false;
        }
        let count = self.structure.switches.count_one();
        let is_first = pool.roster().switch(slot, enabled, count);
        if is_first {
            let waiting = &self.structure.switches.waiting;
            waiting.set(waiting.get() + 1);
        }
        is_first
    }

    /// Pauses or resumes a subscription. Returns `true` if it has not ended.
    pub(crate) fn set_listening(&self, id: SubscriptionId, listening: bool) -> bool {
        if self.listen.subscriptions.switch_announced(id, listening) {
            return true;
        }
        let count = self.structure.switches.count_one();
        let resumed = self
            .listen
            .subscriptions
            .set_listening(id, listening, count);
        if resumed == Some(true) {
            self.later(move |world| world.tell_missed(id));
        } else if resumed.is_some() && !listening {
            let retained = self.listen.retained.count();
            self.listen.subscriptions.begin_missing(id, retained);
        }
        resumed.is_some()
    }

    /// Announces that a component was enabled or disabled, and moves it.
    fn settle_switch(&mut self, hook: HookId, place: &'static Location<'static>) {
        let disables = self.find_hook(hook).is_some_and(|at| {
            let (pool, slot) = (self.structure.pools.at(at.component), at.slot as usize);
            slot < pool.roster().active() && !pool.roster().is_enabled(slot)
        });
        if !disables || !self.is_heard::<Disabled>() {
            return self.finish_switch(hook, false, place);
        }
        self.next(Box::new(move |world| {
            if let Some((messagee, component)) = world.owner_and_name(hook) {
                let farewell = Some(LeavingTarget::Disabled(hook));
                let message = Disabled {
                    messagee,
                    hook,
                    component,
                };
                world.tell(messagee, message, farewell, place);
            }
        }));
        self.next(Box::new(move |world| {
            world.finish_switch(hook, true, place);
        }));
    }

    /// Moves a component. `told` is `true` if its messagee was notified that it is disabled.
    fn finish_switch(&mut self, hook: HookId, told: bool, place: &'static Location<'static>) {
        let waiting = &self.structure.switches.waiting;
        waiting.set(waiting.get() - 1);
        let Some(at) = self.find_hook(hook) else {
            return;
        };
        let (pool, slot) = (self.structure.pools.at_mut(at.component), at.slot as usize);
        let was_enabled = slot < pool.roster().active() && !told;
        let Some(enabled) = pool.roster_mut().settle_switch(slot) else {
            return;
        };
        let moved = pool.set_enabled(slot, enabled);
        self.relink(at.component, moved);
        if enabled && !was_enabled && self.is_heard::<Enabled>() {
            self.next(Box::new(move |world| {
                if let Some((messagee, component)) = world.owner_and_name(hook) {
                    let message = Enabled {
                        messagee,
                        hook,
                        component,
                    };
                    world.tell(messagee, message, None, place);
                }
            }));
        }
    }
}
