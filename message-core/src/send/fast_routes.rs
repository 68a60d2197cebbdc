//! What the short way of a send asks instead of all the lists: for each message type the one component
//! type that handles it, as long as nobody listens to it.

use crate::message::MessageIndex;

/// Stands where nobody can be sent to directly: no component type has this index.
const NONE: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(crate) struct FastRoutes {
    /// By message type, the only component type that handles it, or [`NONE`].
    singles: Box<[u32]>,
    /// The same, with [`NONE`] where somebody listens; empty while somebody listens to everything.
    open: Vec<u32>,
}

impl FastRoutes {
    /// With the only handling component type of each message type that has just one.
    pub(crate) fn new(singles: impl Iterator<Item = Option<u32>>) -> Self {
        let singles: Box<[u32]> = singles.map(|single| single.unwrap_or(NONE)).collect();
        Self {
            open: singles.to_vec(),
            singles,
        }
    }

    /// The index of the only component type that handles the message, if there is just one and nobody
    /// listens; otherwise none, or one that no component type has.
    #[inline]
    pub(crate) fn component(&self, message: MessageIndex) -> Option<u32> {
        self.open.get(message.get()).copied()
    }

    /// Somebody listens to a message type, or nobody any more.
    pub(crate) fn set_heard(&mut self, message: MessageIndex, heard: bool) {
        let at = message.get();
        if let Some(open) = self.open.get_mut(at) {
            *open = if heard { NONE } else { self.singles[at] };
        }
    }

    /// Somebody listens to everything, or nobody any more; then those that `heard` tells of are heard.
    pub(crate) fn set_all_heard(&mut self, all: bool, heard: impl Iterator<Item = MessageIndex>) {
        self.open.clear();
        if !all {
            self.open.extend_from_slice(&self.singles);
            heard.for_each(|message| self.set_heard(message, true));
        }
    }
}
