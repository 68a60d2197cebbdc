//! The most frequent type among the pending messages.

use std::fmt;
use std::panic::Location;

/// The type that fills the queue of pending messages, and the place in the source that posted most
/// messages of that type.
///
/// While posts are refused one after the other it is counted anew only when a sixteenth as many
/// messages as are pending have been posted since, so that refusing stays cheap.
///
/// ```
/// use message_core::error::Limit;
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Spam;
///
/// let mut manager = MessageManager::with_config(ManagerConfig::new().max_pending(2));
/// let later = Header::to(Everyone).after(Duration::from_secs(1)).build()?;
/// manager.post(&later, Spam)?;
/// manager.post(&later, Spam)?;
/// let error = manager.post(&later, Spam).unwrap_err();
/// let SendErrorKind::AtLimit { limit: Limit::Pending { bulk: Some(bulk), .. }, .. } = error.kind() else {
///     unreachable!("two are pending")
/// };
/// assert_eq!((bulk.message, bulk.messages), (Spam::NAME, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bulk {
    /// The type of the messages.
    pub message: &'static str,
    /// The number of pending messages of that type.
    pub messages: usize,
    /// The place where most of them were posted.
    pub place: &'static Location<'static>,
    /// The number of them that were posted there.
    pub from_place: usize,
}

impl fmt::Display for Bulk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (messages, place) = (self.messages, self.place);
        write!(f, "{messages} of them are `{}`, ", self.message)?;
        match self.from_place {
            all if all == messages => write!(f, "all posted at {place}"),
            some => write!(f, "of which {some} were posted at {place}"),
        }
    }
}
