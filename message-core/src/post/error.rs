//! Which of several posts has failed.

use crate::error::SendError;

/// Which of several posts has failed, from
/// [`MessageManager::post_each`](crate::MessageManager::post_each). The messages before it were posted;
/// it and those behind it were not.
///
/// ```
/// use message_core::error::Limit;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Wave(u32);
///
/// let config = ManagerConfig::new().max_pending(2);
/// let mut manager = MessageManager::with_config(config);
/// let later = Header::to(Everyone).after_frames(1);
/// let error = manager.post_each(later, (0..5).map(Wave)).expect_err("two can be pending");
/// assert_eq!(error.posted, 2);
/// assert!(matches!(error.error.kind(), SendErrorKind::AtLimit { limit: Limit::Pending { most: 2, .. }, .. }));
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[error("stopped after posting {posted}: {error}")]
#[non_exhaustive]
pub struct PostEachError {
    /// How many messages were posted before it.
    pub posted: usize,
    /// Why it was not posted.
    #[source]
    pub error: SendError,
}
