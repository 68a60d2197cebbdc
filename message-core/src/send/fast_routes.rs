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
    /// Holds what `open` would, while that is empty.
    closed: Vec<u32>,
}

impl FastRoutes {
    /// With the only handling component type of each message type that has just one.
    pub(crate) fn new(singles: impl Iterator<Item = Option<u32>>) -> Self {
        let singles: Box<[u32]> = singles.map(|single| single.unwrap_or(NONE)).collect();
        Self {
            open: singles.to_vec(),
            closed: Vec::new(),
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
        let routes = if self.open.is_empty() {
            &mut self.closed
        } else {
            &mut self.open
        };
        if let Some(route) = routes.get_mut(at) {
            *route = if heard { NONE } else { self.singles[at] };
        }
    }

    /// Somebody listens to everything, or nobody any more.
    pub(crate) fn set_all_heard(&mut self, all: bool) {
        if all == self.closed.is_empty() {
            std::mem::swap(&mut self.open, &mut self.closed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_heard_while_somebody_listens_to_everything_is_heard_afterwards() {
        let [one, other] = [MessageIndex(0), MessageIndex(1)];
        let mut routes = FastRoutes::new([Some(7), Some(8)].into_iter());
        routes.set_heard(one, true);
        for all in [true, true, false] {
            routes.set_all_heard(all);
        }
        assert_eq!(routes.component(one), Some(NONE));
        assert_eq!(routes.component(other), Some(8));
        routes.set_all_heard(true);
        routes.set_heard(one, false);
        routes.set_heard(other, true);
        assert_eq!([one, other].map(|it| routes.component(it)), [None; 2]);
        for _ in 0..2 {
            routes.set_all_heard(false);
            assert_eq!(routes.component(one), Some(7));
            assert_eq!(routes.component(other), Some(NONE));
        }
    }
}
