//! Fewer receivers than a receipt was asked for.

/// Fewer have received a message than [`Receipt::at_least`](crate::Receipt::at_least) was asked for.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Alarm;
///
/// let mut manager = MessageManager::new();
/// let error = manager.send(Everyone, Alarm)?.at_least(1).unwrap_err();
/// assert_eq!((error.wanted, error.got), (1, 0));
/// assert_eq!(error.to_string(), "the message was received by 0, expected at least 1");
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the message was received by {got}, expected at least {wanted}")]
#[non_exhaustive]
pub struct TooFewReceivers {
    /// The number that was expected.
    pub wanted: usize,
    /// The number of receivers that have received it or will, not counting the hidden ones.
    pub got: usize,
}
