//! The reasons for which a message was not carried to a messagee of another manager.

use std::sync::Arc;

/// The reason for which a message did not leave for the messagee that a proxy represents.
///
/// [`SendErrorKind::NotCarried`](crate::SendErrorKind::NotCarried) contains it. Its text continues the phrase "the
/// messagee in another manager …".
///
/// ```
/// use message_core::SendErrorKind;
/// use message_core::error::CarryError;
///
/// fn is_worth_another_try(kind: &SendErrorKind) -> bool {
///     let SendErrorKind::NotCarried { why, .. } = kind else { return false };
///     matches!(why, CarryError::Unreachable | CarryError::Backlog { .. })
/// }
///
/// assert_eq!(CarryError::Unreachable.to_string(), "cannot be reached now");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CarryError {
    /// The other manager cannot be reached now: the outbox is blocked or closed.
    #[error("cannot be reached now")]
    Unreachable,
    /// The outbox is full.
    #[error(
        "cannot receive it now: the outbox to its manager is full, with a capacity of {capacity} bytes; send \
         less, or raise the capacity"
    )]
    Backlog {
        /// The capacity of the outbox, in bytes.
        capacity: usize,
    },
    /// The message cannot be written as bytes.
    #[error("cannot receive it: {error}")]
    NotWritten {
        /// The reason.
        error: Arc<str>,
    },
    /// The sender is a proxy, too. The message would be carried on in the name of a messagee that has not sent it
    /// from here.
    #[error(
        "cannot receive it: the sender is in another manager, too, and messages are not relayed"
    )]
    NotRelayed,
}
