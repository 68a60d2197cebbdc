//! What names one posted message.

use std::num::NonZeroU64;

/// Names one posted message, to [cancel](crate::MessageManager::cancel) it or to
/// [ask](crate::MessageManager::has_pending) for it.
///
/// A ticket is never used again: once its message is delivered or cancelled, it names nothing. The
/// ticket of a message that repeats names it until its last delivery; that of a message which was
/// delivered at once names nothing from the start.
///
/// ```
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// let later = Header::to(Everyone).after(Duration::from_secs(1)).build()?;
/// let ticket = manager.post(&later, Ping)?;
///
/// assert!(manager.has_pending(ticket));
/// assert_eq!(manager.cancel(ticket), 1);
/// assert!(!manager.has_pending(ticket));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// Which posting of which manager it is, or `None` for one that was delivered at once.
    pub(crate) number: Option<NonZeroU64>,
    /// Where the message is: the index of its type above, the number of its slot below. One whole
    /// word, so that what was just written as words is also read as words.
    at: u64,
}

impl Ticket {
    /// The ticket of a message that was delivered at once.
    pub(crate) const SPENT: Self = Self {
        number: None,
        at: 0,
    };

    #[inline]
    pub(crate) fn new(number: Option<NonZeroU64>, slab: u32, slot: u32) -> Self {
        let at = u64::from(slab) << 32 | u64::from(slot);
        Self { number, at }
    }

    /// The index of the type of its message.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "it has 32 bits")]
    pub(crate) fn slab(self) -> u32 {
        (self.at >> 32) as u32
    }

    /// Which slot its message is in.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "it has the low 32 bits")]
    pub(crate) fn slot(self) -> u32 {
        self.at as u32
    }
}
