//! The memory of a manager: giving it back, and its end.

use crate::caught::FirstPanic;
use crate::room::{PERIOD, Shrink};
use crate::world::World;

impl World {
    /// A frame begins: now and then what few of the last frames needed is given back.
    #[inline]
    pub(crate) fn check_room(&mut self) {
        if self.time.frame.is_multiple_of(PERIOD) {
            self.shrink(Shrink::Spikes);
        }
    }

    /// Gives back memory. No code of a user runs, and nothing that is told or done afterwards
    /// differs.
    #[cold]
    pub(crate) fn shrink(&mut self, how: Shrink) {
        let components = self.pools.iter_mut().map(|pool| pool.shrink(how)).sum();
        self.hooks.shrink(how, components, &self.pools);
        let messagees = self.messagees.shrink(how);
        self.addresses.shrink(how, messagees);
        self.kept.shrink(how);
        self.pending.shrink(how);
        self.heap.get_mut().shrink(how);
        self.staged.shrink(how);
        self.subscriptions.shrink(how);
        self.retained.shrink(how);
        self.mailboxes.shrink(how);
        if how == Shrink::ToFit {
            self.keys.shrink_to_fit();
            let messagees = &self.messagees;
            self.names.forget_gone(|id| messagees.is_alive(id));
        }
    }
}

/// Drops what is a user's, each value once and by itself: a panic in one `Drop` keeps no other from
/// being dropped, and two do not end the process.
impl Drop for World {
    fn drop(&mut self) {
        let mut panics = FirstPanic::default();
        // First: the `Drop` of a component or a message may post, and is told that the manager goes.
        panics.catch(|| drop(self.inlet.take()));
        for pool in self.pools.iter_mut() {
            pool.any_values_mut().drop_all(&mut panics);
        }
        self.kept.drop_all(&mut panics);
        self.pending.drop_all(&mut panics);
        self.heap.get_mut().drop_all(&mut panics);
        self.subscriptions.drop_all(&mut panics);
        self.staged.drop_all(&mut panics);
        #[cfg(feature = "data")]
        if let Some(wires) = self.wires.get_mut() {
            panics.drop_each(wires.take_all());
        }
        panics.drop_each(self.retained.take_all());
        self.mailboxes.drop_all(&mut panics);
        panics.resume_from_drop();
    }
}
