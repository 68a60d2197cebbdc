//! What names one posted message.

use std::num::NonZeroU64;

/// Names one posted message, to [cancel](crate::MessageManager::cancel) it or to
/// [ask](crate::MessageManager::has_pending) for it.
///
/// A ticket is never used again: once its message is delivered or cancelled, it names nothing. The
/// ticket of a message that repeats names it until its last delivery; that of a message which was
/// delivered at once names nothing from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// Which posting of which manager it is, or `None` for one that was delivered at once.
    pub(crate) number: Option<NonZeroU64>,
    /// Where the message is: slab and slot.
    pub(crate) slab: u32,
    pub(crate) slot: u32,
}

impl Ticket {
    /// The ticket of a message that was delivered at once.
    pub(crate) const SPENT: Self = Self {
        number: None,
        slab: 0,
        slot: 0,
    };
}
