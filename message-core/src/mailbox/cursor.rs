//! Cursors: how far a reader has read.

use std::fmt;
use std::marker::PhantomData;

use crate::message::AnyMessage;

/// A cursor in the mail of one type: how far a reader has read, for
/// [`Inbox::since`](crate::mailbox::Inbox::since).
///
/// A new cursor begins with the oldest message that can still be found, and has missed nothing. The same
/// holds for a cursor that was last used with another manager.
/// [`Inbox::cursor`](crate::mailbox::Inbox::cursor) makes a cursor that begins with what can be found from
/// the next frame on.
///
/// It is `Copy`: reading with a copy does not advance the original.
///
/// ```
/// use message_core::mailbox::Cursor;
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Noise { volume: u32 }
///
/// let mut manager = MessageManager::new();
/// for volume in [3, 7] {
///     manager.publish(Everyone, Noise { volume })?;
/// }
/// manager.tick(Duration::from_millis(16));
///
/// let mut cursor = Cursor::<Noise>::new();
/// assert_eq!(manager.inbox().since(&mut cursor).count(), 2);
/// assert_eq!(manager.inbox().since(&mut cursor).count(), 0); // All is read.
/// # Ok::<(), SendError>(())
/// ```
pub struct Cursor<M: ?Sized> {
    /// The serial number of the manager, and what is read next there.
    next: Option<(u64, u64)>,
    missed: u64,
    message: PhantomData<fn(&M)>,
}

/// A cursor in the mail of all types: how far a reader has read, for
/// [`AnyInbox::since`](crate::mailbox::AnyInbox::since).
///
/// ```
/// use message_core::mailbox::AnyCursor;
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Noise { volume: u32 }
///
/// let mut manager = MessageManager::new();
/// for volume in [3, 7] {
///     manager.publish(Everyone, Noise { volume })?;
/// }
/// manager.tick(Duration::from_millis(16));
///
/// let mut cursor = AnyCursor::new();
/// assert_eq!(manager.inbox_any().since(&mut cursor).count(), 2);
/// assert_eq!(manager.inbox_any().since(&mut cursor).count(), 0); // All is read.
/// # Ok::<(), SendError>(())
/// ```
pub type AnyCursor = Cursor<dyn AnyMessage>;

impl<M: ?Sized> Cursor<M> {
    /// Creates a cursor that has read nothing: its first read begins with the oldest message that can
    /// still be found.
    ///
    /// ```
    /// use message_core::mailbox::Cursor;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Noise;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.set_mail_retention::<Noise>(2);
    /// for _ in 0..2 {
    ///     manager.publish(Everyone, Noise)?;
    ///     manager.tick(Duration::from_millis(16));
    /// }
    /// let mut cursor = Cursor::<Noise>::new();
    /// assert_eq!(manager.inbox().since(&mut cursor).count(), 2);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self {
            next: None,
            missed: 0,
            message: PhantomData,
        }
    }

    /// Returns how many messages, to any recipient, were dropped between the last two reads, so that no
    /// reader with this cursor has found them. Zero for a cursor that has read once or never.
    ///
    /// ```
    /// use message_core::mailbox::Cursor;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Noise;
    ///
    /// let mut manager = MessageManager::new();
    /// let mut cursor = Cursor::<Noise>::new();
    /// assert!(manager.inbox().since(&mut cursor).is_empty());
    /// for _ in 0..3 {
    ///     manager.publish(Everyone, Noise)?;
    ///     manager.tick(Duration::from_millis(16));
    /// }
    /// assert_eq!(manager.inbox().since(&mut cursor).count(), 1); // Of the last frame.
    /// assert_eq!(cursor.missed(), 2);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// Moves to the end, and returns from where on is to be read. `missed_since` tells how many of
    /// those from one on are gone.
    pub(super) fn advance(
        &mut self,
        manager: u64,
        end: u64,
        missed_since: impl FnOnce(u64) -> u64,
    ) -> u64 {
        let known = self.next.replace((manager, end));
        let known = known.filter(|(known, _)| *known == manager);
        self.missed = known.map_or(0, |(_, next)| missed_since(next));
        known.map_or(0, |(_, next)| next)
    }

    /// Returns which manager's mail it has read, and the number of the letter that comes next.
    pub(crate) fn reading(&self) -> Option<(u64, u64)> {
        self.next
    }

    /// Returns a cursor that goes on at the number of a letter in the mail of a manager.
    pub(crate) fn reading_on(next: Option<(u64, u64)>, missed: u64) -> Self {
        Self {
            next,
            missed,
            ..Self::new()
        }
    }
}

impl<M: ?Sized> Default for Cursor<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: ?Sized> Clone for Cursor<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: ?Sized> Copy for Cursor<M> {}

impl<M: ?Sized> fmt::Debug for Cursor<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cursor")
            .field("message", &std::any::type_name::<M>())
            .field("next", &self.next)
            .field("missed", &self.missed)
            .finish()
    }
}
