//! The result of a send.

use crate::error::{SendError, SendErrorKind, Undelivered};

/// The counts of a send: who has received the message, who will, and who failed.
///
/// A count stays at the maximum of its type if there are more. [`at_least`](Self::at_least) and
/// [`require`](crate::post::HeaderBuilder::require) compare with the counts as they are here.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// struct Ears;
///
/// #[handlers]
/// impl Ears {
///     #[on_receive]
///     fn hear(&mut self, _: &Ping) {}
/// }
///
/// let mut manager = MessageManager::new();
/// manager.spawn((Ears,));
/// manager.spawn((Ears, Ears));
/// assert_eq!(manager.send(Everyone, Ping)?.received, 3);
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipt {
    /// The number of components that have received it, and of subscribers that are not hidden. One that
    /// returned `false` or `None` has not received it; one that returned an error has. At most `u32::MAX`.
    pub received: u32,
    /// The number of components and subscribers that will receive it later: those that are busy now, those of
    /// a messagee that comes alive when the outermost send returns, and subscribers with a stage of their own.
    /// While an interceptor is busy, it counts for all of them. If one of them is removed or disabled first, a
    /// [`DeadLetter`](crate::lifecycle::DeadLetter) reports it. At most `u16::MAX`.
    pub pending: u16,
    /// The number of handlers that have failed: returned an error, or panicked under
    /// [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook). The receipt of a send from outside counts
    /// the failures of all that the send has led to: nested sends, messages that were kept, and the
    /// manager's own messages when it returned. The receipt of a send in a handler counts those of its
    /// own deliveries. At most `u16::MAX`.
    pub failed: u16,
    /// The number of proxies among several receivers that were not reached: the other manager cannot be
    /// reached, the outbox is full, or the message cannot be written as bytes. They are not counted as
    /// receivers. A [`DeadLetter`](crate::lifecycle::DeadLetter) reports the reason for each. At most
    /// `u16::MAX`.
    pub unreached: u16,
    /// `true` if a component or an interceptor consumed it: those behind it have not received it, except as far as
    /// [`StopAt`](crate::handler::StopAt) says.
    pub consumed: bool,
}

impl Receipt {
    /// Returns the receipt if at least that many receivers have received the message or will, not
    /// counting the hidden ones. For messages that must have receivers.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Alarm;
    ///
    /// let mut manager = MessageManager::new();
    /// let error = manager.send(Everyone, Alarm)?.at_least(2).expect_err("nobody is there");
    /// assert_eq!(error.to_string(), "the message was received by 0, expected at least 2");
    ///
    /// fn alarm(manager: &mut MessageManager) -> Result<(), SendError> {
    ///     manager.send(Everyone, Alarm)?.at_least(1)?;
    ///     Ok(())
    /// }
    /// let few = alarm(&mut manager).unwrap_err();
    /// assert!(matches!(few.kind(), SendErrorKind::NotReceived { wanted: 1, got: 0, .. }));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NotReceived`](SendErrorKind::NotReceived). It does not name the message and the recipient, which a
    /// receipt does not know; that of a header that [requires](crate::post::HeaderBuilder::require) receivers does.
    pub fn at_least(self, receivers: usize) -> Result<Self, SendError> {
        let (wanted, got, why) = (receivers, self.receivers(), Undelivered::TooFew);
        if got < wanted {
            let few = SendErrorKind::NotReceived { wanted, got, why };
            return Err(SendError::of(None, None, few));
        }
        Ok(self)
    }

    /// Returns how many have received the message or will, without the hidden ones.
    pub(crate) fn receivers(self) -> usize {
        self.received as usize + usize::from(self.pending)
    }

    /// Returns the receipt of deliveries that have ended.
    #[inline]
    pub(crate) fn counted(received: usize, failed: usize, consumed: bool) -> Self {
        Self {
            received: received.try_into().unwrap_or(u32::MAX),
            failed: small(failed),
            consumed,
            ..Self::default()
        }
    }

    pub(crate) fn add_pending(&mut self, more: usize) {
        self.pending = self.pending.saturating_add(small(more));
    }

    pub(crate) fn set_failed(&mut self, failed: usize) {
        self.failed = small(failed);
    }

    pub(crate) fn set_unreached(&mut self, unreached: usize) {
        self.unreached = small(unreached);
    }
}

/// Returns a count that stays at the maximum of its type.
fn small(count: usize) -> u16 {
    count.try_into().unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    // holds: send.receipt-saturates
    #[test]
    fn a_count_stays_at_the_maximum_of_its_type() {
        let mut receipt = Receipt::counted(u32::MAX as usize + 1, 70_000, false);
        receipt.add_pending(65_000);
        receipt.add_pending(5_000);
        receipt.set_unreached(70_000);
        let most = u16::MAX;
        assert_eq!(receipt.received, u32::MAX);
        assert_eq!(
            (receipt.pending, receipt.failed, receipt.unreached),
            (most, most, most)
        );
        receipt.set_failed(3);
        assert_eq!(receipt.failed, 3);
    }
}
