//! Publishes messages in a loop.

use std::fmt;

use crate::error::SendError;
use crate::mailbox::Batch;
use crate::message::Message;
use crate::send::publish::Publisher;

/// Publishes many messages of one type to one recipient; from
/// [`MessageManager::writer`](crate::MessageManager::writer) or [`Context::writer`](crate::Context::writer).
///
/// The recipient is checked when the writer is made. From then on, publishing a message takes about as long as pushing
/// it onto a `Vec`. The writer borrows the manager or the context, so nothing else happens meanwhile. Drop
/// it to use them again.
///
/// Each message is published as by [`publish`](crate::MessageManager::publish): it has the same sender, is readable from
/// the next frame on, can be seen as [pending](crate::MessageManager::pending), is logged and traced, and counts for
/// [`max_published`](crate::ManagerConfig::max_published). Its [place](crate::mailbox::Mail::place) is that of the call
/// that made the writer.
///
/// ```
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Spark { angle: u32 }
///
/// let mut manager = MessageManager::new();
/// let mut sparks = manager.writer::<Spark>(Everyone)?;
/// let mut angle = 0;
/// while angle < 360 {
///     sparks.publish(Spark { angle })?;
///     angle += 1 + angle / 2;
/// }
/// drop(sparks); // It borrows the manager.
///
/// manager.tick(Duration::from_millis(16));
/// let angles = manager.inbox::<Spark>().into_iter().map(|spark| spark.angle);
/// assert!(angles.take(5).eq([0, 1, 2, 4, 7]));
/// # Ok::<(), SendError>(())
/// ```
#[must_use]
pub struct MailWriter<'w, M> {
    publisher: Publisher<'w>,
    /// The run of the last message, unless somebody is told of each.
    batch: Option<Batch<'w, M>>,
}

impl<'w, M: Message> MailWriter<'w, M> {
    pub(super) fn new(publisher: Publisher<'w>, batch: Option<Batch<'w, M>>) -> Self {
        Self { publisher, batch }
    }

    /// Publishes a message.
    ///
    /// ```
    /// use message_core::SendErrorKind;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Drop;
    ///
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().max_published(2));
    /// let mut rain = manager.writer::<Drop>(Everyone)?;
    /// rain.publish(Drop)?;
    /// rain.publish(Drop)?;
    /// let error = rain.publish(Drop).expect_err("it was the third");
    /// assert!(matches!(error.kind(), SendErrorKind::MailboxFull { .. }));
    /// drop(rain);
    /// assert_eq!(manager.pending::<Drop>().count(), 2);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MailboxFull`](crate::SendErrorKind::MailboxFull). What was published before stays published.
    #[inline]
    pub fn publish(&mut self, message: M) -> Result<(), SendError> {
        match &mut self.batch {
            Some(batch) if batch.has_room() => {
                batch.push(message);
                Ok(())
            }
            _ => self.publish_anew(message),
        }
    }

    /// Publishes the first message, and each of which somebody is told.
    #[cold]
    #[inline(never)]
    fn publish_anew(&mut self, message: M) -> Result<(), SendError> {
        // The batch borrows the letters.
        self.batch = None;
        self.publisher.publish(message)?;
        self.batch = self.publisher.batch();
        Ok(())
    }

    /// Publishes messages until one cannot be published.
    pub(crate) fn publish_each(
        &mut self,
        mut messages: impl Iterator<Item = M>,
    ) -> Result<(), SendError> {
        match &mut self.batch {
            Some(batch) if batch.has_room_for(messages.size_hint()) => {
                batch.extend(messages);
                Ok(())
            }
            _ => messages.try_for_each(|message| self.publish(message)),
        }
    }
}

impl<M> fmt::Debug for MailWriter<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailWriter")
            .field("message", &std::any::type_name::<M>())
            .finish_non_exhaustive()
    }
}
