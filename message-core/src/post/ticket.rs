//! The name of one posted message.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU64;

use crate::post::schedule::Track;
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
#[derive(Clone, Copy)]
pub struct Ticket {
    /// Which posting of which manager it is, or `None` for one that was delivered at once.
    pub(crate) number: Option<NonZeroU64>,
    /// Where the message waits: the number of its queue above, that of its track below. Of one that was
    /// delivered at once: its receipt.
    at: u64,
    /// When it is due, on the clock of the track.
    due: u64,
}

/// The bits below the number of a queue: those of a track's number, and [`PLAIN`].
const TRACK_BITS: u32 = 8;
/// Set if a message waits until it is due, and all that is known of it is in its block: it is for one messagee, and
/// has no key, no end with its sender, and no second delivery.
const PLAIN: u64 = 1 << 7;

/// No two postings have the same number. A ticket from a save or a log may not know where its message is.
impl PartialEq for Ticket {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Ticket {}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = f.debug_tuple("Ticket");
        match self.number {
            Some(number) => tuple.field(&number),
            None => tuple.field(&self.receipt()),
        };
        tuple.finish()
    }
}

impl Hash for Ticket {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
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
        Self::of_bits(at)
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
    pub(in crate::post) fn new(
        number: NonZeroU64,
        queue: u32,
        track: Track,
        due: u64,
        is_plain: bool,
    ) -> Self {
        let plain = u64::from(is_plain) * PLAIN;
        Self {
            number: Some(number),
            at: u64::from(queue) << TRACK_BITS | plain | track.number() as u64,
            due,
        }
    }

    /// Returns `true` if its message waits until it is due, and all that is known of it is in its block.
    #[inline]
    pub(in crate::post) fn is_plain(self) -> bool {
        self.at & PLAIN != 0
    }

    /// A ticket that names nothing which is pending.
    #[cfg(feature = "data")]
    pub(crate) fn lost(number: NonZeroU64) -> Self {
        Self {
            number: Some(number),
            at: u64::MAX,
            due: 0,
        }
    }

    fn identity(self) -> (Option<NonZeroU64>, u64) {
        let at = if self.number.is_some() { 0 } else { self.at };
        (self.number, at)
    }

    /// The receipt in the ticket of a message that was delivered at once.
    #[cfg(feature = "data")]
    pub(crate) fn bits(self) -> u64 {
        self.at
    }

    /// The ticket of a message that was delivered at once.
    pub(crate) fn of_bits(at: u64) -> Self {
        Self {
            number: None,
            at,
            due: 0,
        }
    }

    /// The number of the queue of its message's type.
    #[inline]
    pub(in crate::post) fn queue(self) -> u32 {
        u32::try_from(self.at >> TRACK_BITS).unwrap_or(u32::MAX)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "it has the low 7 bits")]
    pub(in crate::post) fn track(self) -> Track {
        Track::of_number((self.at % PLAIN) as usize)
    }

    /// When its message is due, if that repeats: for the first time.
    #[inline]
    pub(in crate::post) fn due(self) -> u64 {
        self.due
    }
}
