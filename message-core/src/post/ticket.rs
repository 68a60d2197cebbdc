//! The name of one posted message.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU64;

use crate::receipt::Receipt;
use crate::time::{Timeline, Track};

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
pub struct Ticket(pub(crate) Fate);

/// The fate of a message that was posted.
#[derive(Clone, Copy)]
pub(crate) enum Fate {
    Waits(Waiting),
    /// It was delivered at once.
    Delivered(Receipt),
}

/// A posting, and where its message waits.
#[derive(Clone, Copy)]
pub(crate) struct Waiting {
    pub(in crate::post) number: NonZeroU64,
    /// The number of the queue of its message's type.
    pub(in crate::post) queue: u32,
    pub(in crate::post) track: Track,
    /// It waits until it is due, and all that is known of it is in its block: it is for one messagee, and has no key, no
    /// end with its sender, and no second delivery.
    pub(in crate::post) is_plain: bool,
    /// The due time on the clock of the track. Not used if it repeats.
    pub(in crate::post) due: u64,
}

/// No two postings have the same number. A ticket from a save or a log may not know where its message is.
impl PartialEq for Ticket {
    fn eq(&self, other: &Self) -> bool {
        (self.number(), self.receipt()) == (other.number(), other.receipt())
    }
}

impl Eq for Ticket {}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = f.debug_tuple("Ticket");
        match &self.0 {
            Fate::Waits(waiting) => tuple.field(&waiting.number),
            Fate::Delivered(receipt) => tuple.field(&Some(receipt)),
        };
        tuple.finish()
    }
}

impl Hash for Ticket {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number().hash(state);
    }
}

impl Ticket {
    /// Returns the receipt of a message that was delivered at once, because its header has no stage. Returns
    /// `None` for a message that is delivered later.
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
        match self.0 {
            Fate::Waits(_) => None,
            Fate::Delivered(receipt) => Some(receipt),
        }
    }

    /// Returns where its message waits, unless that was delivered at once.
    #[inline]
    pub(in crate::post) fn waiting(self) -> Option<Waiting> {
        match self.0 {
            Fate::Waits(waiting) => Some(waiting),
            Fate::Delivered(_) => None,
        }
    }

    /// Returns which posting of which manager it is, unless the message was delivered at once.
    pub(crate) fn number(self) -> Option<NonZeroU64> {
        Some(self.waiting()?.number)
    }
}

/// Returns the ticket of a message that was delivered at once.
pub fn delivered_ticket(receipt: Receipt) -> Ticket {
    Ticket(Fate::Delivered(receipt))
}

/// Returns the ticket of a message that is no longer pending.
pub fn lost_ticket(number: NonZeroU64) -> Ticket {
    Ticket(Fate::Waits(Waiting {
        number,
        queue: u32::MAX,
        track: Track::new(0, Timeline::Scaled),
        is_plain: false,
        due: 0,
    }))
}
