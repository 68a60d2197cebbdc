//! The memory of a manager: giving it back, and its end.

use crate::caught::FirstPanic;
use crate::room::Shrink;
use crate::storage::Pool;
use crate::world::World;

impl World {
    /// Gives back memory. No code of a user runs, and nothing that is told or done afterwards
    /// differs.
    #[cold]
    pub(crate) fn shrink(&mut self, how: Shrink) {
        self.pools.iter_mut().for_each(Pool::shrink_to_fit);
        self.hooks.shrink_to_fit(&self.pools);
        self.messagees.shrink_to_fit();
        self.addresses.shrink(how);
        self.kept.shrink_to_fit();
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
        panics.drop_each(self.wires.take_all());
        panics.drop_each(self.retained.take_all());
        self.mailboxes.drop_all(&mut panics);
        panics.resume_from_drop();
    }
}
