//! The memory of a manager: freeing what is not used, and its end.

use crate::caught::FirstPanic;
use crate::storage::Pool;
use crate::world::World;

impl World {
    /// Frees the memory that is not used. Runs no code of a user.
    #[cold]
    pub(crate) fn shrink_to_fit(&mut self) {
        self.pools.iter_mut().for_each(Pool::shrink_to_fit);
        self.hooks.shrink_to_fit(&self.pools);
        self.messagees.shrink_to_fit();
        self.addresses.shrink_to_fit();
        self.kept.shrink_to_fit();
        self.pending.shrink_to_fit();
        self.heap.get_mut().shrink_to_fit();
        self.staged.shrink_to_fit();
        self.subscriptions.shrink_to_fit();
        self.retained.shrink_to_fit();
        self.mailboxes.shrink_to_fit();
        self.keys.shrink_to_fit();
        let messagees = &self.messagees;
        self.names.forget_gone(|id| messagees.is_alive(id));
    }
}

/// Drops what is a user's, each value once and by itself: a panic in one `Drop` keeps no other from
/// being dropped, and two do not end the process.
impl Drop for World {
    fn drop(&mut self) {
        let mut panics = FirstPanic::default();
        // First, so that a `Drop` of a component or a message that posts gets an error: the manager is gone.
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
