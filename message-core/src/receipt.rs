//! What became of a send.

use crate::error::TooFewReceivers;

/// What became of a message that was sent.
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
    /// How many components have received it, and subscribers that are not hidden. One that
    /// returned `false` or `None` has not; one that returned an error has.
    pub received: usize,
    /// How many components and subscribers will receive it later: those that are busy now, those of a messagee
    /// that comes alive when the outermost send returns, and subscribers with a stage of their own. While an
    /// interceptor is busy, it counts for all of them. If one of them is removed or disabled first, a
    /// [`DeadLetter`](crate::lifecycle::DeadLetter) reports it.
    pub pending: usize,
    /// How many handlers have failed: returned an error, or panicked under
    /// [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook). The receipt of a send from outside counts
    /// the failures of all that the send has led to: nested sends, messages that were kept, and what
    /// the manager told when it returned. The receipt of a send in a handler counts those of its own
    /// deliveries.
    pub failed: usize,
    /// How many proxies among several receivers were not reached: the other manager cannot be reached, the
    /// outbox is full, or the message cannot be written as bytes. They are not counted as receivers. A
    /// [`DeadLetter`](crate::lifecycle::DeadLetter) reports the reason for each.
    pub unreached: u32,
    /// `true` if a component or an interceptor consumed it: those behind it have not received it.
    pub consumed: bool,
}

impl Receipt {
    /// Returns the receipt, if so many receivers at least have received the message or will, without
    /// the hidden ones: for those who must be there.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Alarm;
    ///
    /// let mut manager = MessageManager::new();
    /// let error = manager.send(Everyone, Alarm)?.at_least(2).expect_err("nobody is there");
    /// assert_eq!(error.to_string(), "the message was received by 0, expected 2 at least");
    ///
    /// fn alarm(manager: &mut MessageManager) -> Result<(), SendError> {
    ///     manager.send(Everyone, Alarm)?.at_least(1)?;
    ///     Ok(())
    /// }
    /// assert!(matches!(alarm(&mut manager), Err(SendError::TooFew(_))));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TooFewReceivers`], which converts into a [`SendError`](crate::SendError) and a
    /// [`HandlerError`](crate::HandlerError). It does not name the message and the recipient, which a
    /// receipt does not know; a header that [requires](crate::post::HeaderBuilder::require) receivers does.
    pub fn at_least(self, receivers: usize) -> Result<Self, TooFewReceivers> {
        let (wanted, got) = (receivers, self.received + self.pending);
        if got < wanted {
            return Err(TooFewReceivers { wanted, got });
        }
        Ok(self)
    }
}
