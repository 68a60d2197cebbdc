//! The limits of a manager.

/// The limits of a manager. Made with [`new`](Self::new) and changed by its methods:
///
/// ```
/// use message_core::prelude::*;
///
/// let manager = MessageManager::with_config(ManagerConfig::new().max_depth(16));
/// assert!(manager.is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct ManagerConfig {
    pub(crate) max_depth: usize,
    pub(crate) max_kept: usize,
}

impl ManagerConfig {
    /// The default limits: 64 nested sends, 1 048 576 kept deliveries.
    pub const fn new() -> Self {
        Self {
            max_depth: 64,
            max_kept: 1 << 20,
        }
    }

    /// How deep sends may be nested: a send from outside is the first, a send by its receiver
    /// the second. One more fails with [`SendError::TooDeep`](crate::SendError::TooDeep). Zero
    /// leaves nothing that can be sent, the manager's own messages included.
    ///
    /// Each level takes room on the thread's stack, so a limit of many thousands only moves the
    /// end of a runaway from an error to an overflow.
    pub const fn max_depth(mut self, depth: usize) -> Self {
        self.max_depth = depth;
        self
    }

    /// How many deliveries may be kept for busy components, and for messagees that are not yet
    /// alive, from the start of an outermost send to its end. One more fails with
    /// [`SendError::TooManyKept`](crate::SendError::TooManyKept). Counted in all and not at
    /// once, so that a component that answers each of its own messages with another comes to an
    /// end.
    pub const fn max_kept(mut self, deliveries: usize) -> Self {
        self.max_kept = deliveries;
        self
    }
}

impl Default for ManagerConfig {
    fn default() -> Self {
        Self::new()
    }
}
