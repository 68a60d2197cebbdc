//! The memory of a manager: freeing what is unused, and dropping the rest.

use crate::caught::FirstPanic;
use crate::send::Kept;
use crate::structure::Expected;
use crate::world::World;

impl World {
    /// Frees the memory that is not used. Runs no code of a user.
    #[cold]
    pub(crate) fn shrink_to_fit(&mut self) {
        // Nothing waits any more.
        self.waiting.kept = Kept::default();
        self.waiting.pending.shrink_to_fit();
        self.structure.expected = Expected::default();
        self.structure.shrink_to_fit();
        self.schedule.get_mut().shrink_to_fit();
        self.listen.staged.shrink_to_fit();
        self.listen.subscriptions.shrink_to_fit();
        self.listen.retained.get_mut().shrink_to_fit();
        self.mail.shrink_to_fit();
    }
}

/// Drops the user's values, each once and by itself: a panic in one `Drop` does not keep the others
/// from being dropped, and two do not end the process.
impl Drop for World {
    fn drop(&mut self) {
        let mut panics = FirstPanic::default();
        // First, so that a `Drop` of a component or a message that posts gets an error: the manager is gone.
        if let Some(inlet) = self.outside.inlet.get() {
            panics.drop_each(inlet.close());
        }
        for pool in self.structure.pools.iter_mut() {
            pool.any_values_mut().drop_all(&mut panics);
        }
        self.waiting.kept.drop_all(&mut panics);
        self.waiting.pending.drop_all(&mut panics);
        self.schedule.get_mut().drop_all(&mut panics);
        self.listen.subscriptions.drop_all(&mut panics);
        self.listen.staged.drop_all(&mut panics);
        if let Some(wires) = self.outside.wires.get_mut() {
            panics.drop_each(wires.take_all());
        }
        panics.drop_each(self.listen.retained.get_mut().take_all());
        self.mail.drop_all(&mut panics);
        panics.resume_from_drop();
    }
}
