//! The manager's end of its inlets.

use std::sync::{Arc, PoisonError, RwLock};

use crossbeam_channel::Receiver;

use crate::inlet::letter::{Lying, Sealed};
use crate::inlet::{Door, Inlet};

/// The receiving end, and an inlet to make others from. When it is dropped, whoever waits for room
/// is told, and what still lies in the channel is dropped; then the first panic of that goes on.
pub(crate) struct Outlet {
    letters: Receiver<Lying>,
    inlet: Inlet,
}

impl Outlet {
    /// Room for that many messages, and for one at least.
    pub(crate) fn new(capacity: usize) -> Self {
        let capacity = capacity.max(1);
        let (sender, letters) = crossbeam_channel::bounded(capacity);
        let door = Arc::new(Door {
            sender: RwLock::new(Some(sender)),
            dropping: Arc::default(),
            capacity,
        });
        Self {
            letters,
            inlet: Inlet { door, cause: None },
        }
    }

    pub(crate) fn inlet(&self) -> Inlet {
        self.inlet.clone()
    }

    /// How many messages lie in the channel.
    pub(crate) fn len(&self) -> usize {
        self.letters.len()
    }

    /// Takes the next one out.
    pub(crate) fn take(&self) -> Option<Sealed> {
        self.letters.try_recv().ok().map(Lying::take)
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        // First the receiving end, so that nobody waits for room, and holds the door open, when it
        // is closed.
        self.letters = crossbeam_channel::never();
        self.inlet.door.close();
        let dropping = self.inlet.door.dropping.lock();
        let panics = std::mem::take(&mut *dropping.unwrap_or_else(PoisonError::into_inner));
        panics.resume_from_drop();
    }
}
