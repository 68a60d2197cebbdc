//! The manager's end of its inlets.

use std::sync::Arc;

use crate::caught::FirstPanic;
use crate::inlet::Inlet;
use crate::inlet::channel::{Channel, Taken};
use crate::inlet::letter::Sealed;

/// Takes letters out of the channel, and makes inlets. When it is dropped, the channel is closed:
/// threads that wait for room are notified, and the items that are still in the inlet are dropped; then
/// the first panic among these drops goes on.
pub(crate) struct Outlet {
    channel: Arc<Channel<Sealed>>,
    taken: Taken<Sealed>,
}

impl Outlet {
    /// Creates an outlet with room for `capacity` messages, or for one if that is 0.
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            channel: Arc::new(Channel::new(capacity.max(1))),
            taken: Taken::new(),
        }
    }

    pub(crate) fn inlet(&self) -> Inlet {
        Inlet {
            channel: Arc::clone(&self.channel),
            cause: None,
        }
    }

    /// Returns how many letters lie in the inlet now, to be taken out. What comes later is not among
    /// them.
    pub(crate) fn begin(&mut self) -> usize {
        self.taken.take_all(&self.channel)
    }

    /// Takes the next one out of those that lay in the inlet when a draining [began](Self::begin).
    pub(crate) fn take(&mut self) -> Option<Sealed> {
        self.taken.hand_out(&self.channel)
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        let waiting = self.channel.close();
        let mut panics = FirstPanic::default();
        panics.drop_each(self.taken.take_rest().into_iter().chain(waiting));
        panics.resume_from_drop();
    }
}
