//! The limits of a manager, in the error of a message that reached one.

use crate::error::Bulk;

/// A limit of a manager that was reached, with its value.
///
/// ```
/// use message_core::error::Limit;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::with_config(ManagerConfig::new().max_published(1));
/// manager.publish(Everyone, Ping)?;
/// let error = manager.publish(Everyone, Ping).expect_err("it is one too many");
/// assert!(matches!(error.kind(), SendErrorKind::AtLimit { limit: Limit::Published(1), .. }));
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Limit {
    /// Sends are nested deeper than [`max_depth`](crate::ManagerConfig::max_depth).
    #[error(
        "sends are already nested {0} deep, the limit set by `ManagerConfig::max_depth`; post the message to a \
         later stage, or raise the limit"
    )]
    Depth(usize),
    /// The message would have to be kept for a busy component or a messagee that is not yet alive, and
    /// [`max_kept`](crate::ManagerConfig::max_kept) deliveries have been kept in this dispatch. Receivers that were
    /// free have received it; what was kept before is still delivered.
    #[error(
        "{0} deliveries have been kept in this dispatch, the limit set by `ManagerConfig::max_kept`; post the \
         message to a later stage, or raise the limit"
    )]
    Kept(usize),
    /// [`max_pending`](crate::ManagerConfig::max_pending) messages are pending.
    #[error(
        "{most} messages are pending, the limit set by `ManagerConfig::max_pending`{}; cancel some, post fewer, \
         or raise the limit",
        .bulk.as_ref().map_or_else(String::new, |bulk| format!(": {bulk}"))
    )]
    Pending {
        /// The limit.
        most: usize,
        /// The most frequent type among them. `None` when these are the messages that wait for subscribers in a stage
        /// of their own.
        bulk: Option<Bulk>,
    },
    /// [`max_published`](crate::ManagerConfig::max_published) messages have been published in this frame.
    #[error(
        "{0} messages have been published in this frame, the limit set by `ManagerConfig::max_published`; \
         publish fewer, or raise the limit"
    )]
    Published(u32),
}
