//! What names one posted message.

use std::num::NonZeroU64;

use crate::receipt::Receipt;

/// How many bits each count of a receipt has: those who received the message, who will, who failed, and
/// who were not reached.
const COUNT_BITS: [u32; 4] = [21, 18, 14, 10];

/// Returns the highest count that fits into `bits` bits.
const fn most(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// Names one posted message, to [cancel](crate::MessageManager::cancel) it or to
/// [ask](crate::MessageManager::has_pending) for it.
///
/// A ticket is never used again: once its message is delivered or cancelled, it names nothing. The
/// ticket of a message that repeats names it until its last delivery; that of a message which was
/// delivered at once names nothing from the start, and tells its [receipt](Self::receipt).
///
/// ```
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// let ticket = manager.post(Header::to(Everyone).after(Duration::from_secs(1)), Ping)?;
///
/// assert!(manager.has_pending(ticket));
/// assert_eq!(manager.cancel(ticket), 1);
/// assert!(!manager.has_pending(ticket));
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// Which posting of which manager it is, or `None` for one that was delivered at once.
    pub(crate) number: Option<NonZeroU64>,
    /// Where the message is: the index of its type above, the number of its slot below. One whole
    /// word, so that what was just written as words is also read as words. Of one that was delivered
    /// at once: its receipt.
    at: u64,
}

impl Ticket {
    /// The ticket of a message that was delivered at once.
    pub(crate) fn spent(receipt: Receipt) -> Self {
        let Receipt {
            received,
            pending,
            failed,
            unreached,
            consumed,
        } = receipt;
        let counts: [u64; 4] = [
            received.into(),
            pending.into(),
            failed.into(),
            unreached.into(),
        ];
        let mut at = u64::from(consumed);
        for (count, bits) in counts.into_iter().zip(COUNT_BITS).rev() {
            at = at << bits | count.min(most(bits));
        }
        Self { number: None, at }
    }

    /// Returns the receipt of a message that was delivered at once, because its header has no stage. Returns
    /// `None` for a message that is delivered later.
    ///
    /// The counts saturate: at 2 097 151 received, 65 535 pending, 16 383 failed and 1 023 unreached.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// let ticket = manager.post(Header::to(Everyone), Ping)?;
    /// assert_eq!(ticket.receipt(), Some(Receipt::default()));
    /// let ticket = manager.post(Header::to(Everyone).after_frames(1), Ping)?;
    /// assert_eq!(ticket.receipt(), None);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn receipt(self) -> Option<Receipt> {
        if self.number.is_some() {
            return None;
        }
        let mut rest = self.at;
        let counts = COUNT_BITS.map(|bits| {
            let count = rest & most(bits);
            rest >>= bits;
            count
        });
        let [received, pending, failed, unreached] = counts;
        Some(Receipt {
            received: received.try_into().ok()?,
            pending: pending.try_into().ok()?,
            failed: failed.try_into().ok()?,
            unreached: unreached.try_into().ok()?,
            consumed: rest != 0,
        })
    }

    #[inline]
    pub(crate) fn new(number: Option<NonZeroU64>, slab: u32, slot: u32) -> Self {
        let at = u64::from(slab) << 32 | u64::from(slot);
        Self { number, at }
    }

    /// What the ticket of a message that was delivered at once tells.
    #[cfg(feature = "data")]
    pub(crate) fn bits(self) -> u64 {
        self.at
    }

    /// The ticket of a message that was delivered at once.
    #[cfg(feature = "data")]
    pub(crate) fn of_bits(at: u64) -> Self {
        Self { number: None, at }
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
