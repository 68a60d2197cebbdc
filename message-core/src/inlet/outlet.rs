//! The manager's end of its inlets.

use std::sync::{Arc, RwLock};

use crossbeam_channel::Receiver;

use crate::inlet::letter::Sealed;
use crate::inlet::{Door, Inlet};

/// The receiving end, and an inlet to make others from. When it is dropped, whoever waits for room
/// is told, and what still lies in the channel is dropped.
pub(crate) struct Outlet {
    letters: Receiver<Sealed>,
    inlet: Inlet,
}

impl Outlet {
    /// Room for that many messages, and for one at least.
    pub(crate) fn new(capacity: usize) -> Self {
        let capacity = capacity.max(1);
        let (sender, letters) = crossbeam_channel::bounded(capacity);
        let door = Arc::new(Door {
            sender: RwLock::new(Some(sender)),
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
        self.letters.try_recv().ok()
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        // First the receiving end, so that nobody waits for room, and holds the door open, when it
        // is closed.
        self.letters = crossbeam_channel::never();
        self.inlet.door.close();
    }
}
