//! Publishes messages in a loop.

use std::fmt;
use std::panic::Location;

use crate::address::Recipient;
use crate::error::{Chain, SendError};
use crate::mailbox::{Batch, Postmark};
use crate::manager::SpeakingFor;
use crate::message::Message;
use crate::send::{Speaker, full};

/// Publishes messages of one type to one recipient in a loop; from
/// [`MessageManager::writer`](crate::MessageManager::writer) or [`SpeakingFor::writer`](crate::SpeakingFor::writer).
///
/// The recipient is checked when the writer is made. After that, publishing a message takes about as long as pushing it
/// onto a `Vec`. The writer borrows the manager, so nothing else happens meanwhile. A handler publishes many messages by
/// [`publish_each`](crate::Context::publish_each).
///
/// Each message is published as by [`publish`](crate::MessageManager::publish): it has the same sender, is readable from
/// the next frame on, can be seen as [pending](crate::MessageManager::published), is logged and traced, and counts for
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
///
/// manager.tick(Duration::from_millis(16));
/// let angles = manager.inbox::<Spark>().into_iter().map(|spark| spark.angle);
/// assert!(angles.take(5).eq([0, 1, 2, 4, 7]));
/// # Ok::<(), SendError>(())
/// ```
#[must_use]
pub struct MailWriter<'w, M>(Way<'w, M>);

/// The way in which the messages of a writer are published.
enum Way<'w, M> {
    Batch(InBatch<'w, M>),
    /// One by one: each is traced or logged, or they are in boxes.
    Each(SpeakingFor<'w>, Recipient, &'static Location<'static>),
}

struct InBatch<'w, M> {
    batch: Batch<'w, M>,
    /// The postmark of the first letter, until it is published.
    first: Option<Postmark>,
    /// The number of letters for which there is room.
    room: u64,
    limit: u32,
}

impl<'w, M: Message> MailWriter<'w, M> {
    pub(crate) fn new(
        mut from: SpeakingFor<'w>,
        to: Recipient,
        place: &'static Location<'static>,
    ) -> Result<Self, SendError> {
        let first = from.publication(M::FACTS, to, place)?;
        let (of, postmark) = first.letter()?;
        if first.publishes_singly() || !from.world().mail.are_by_value::<M>(of) {
            return Ok(Self(Way::Each(from, to, place)));
        }
        let world = from.manager.no_input();
        Ok(Self(Way::Batch(InBatch {
            first: Some(postmark),
            room: world.mail.room(),
            limit: world.common.config.max_published,
            batch: world.mail.batch(of, postmark.to),
        })))
    }

    /// Publishes a message.
    ///
    /// ```
    /// use message_core::error::Limit;
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
    /// assert!(matches!(error.kind(), SendErrorKind::AtLimit { limit: Limit::Published(2), .. }));
    /// assert_eq!(manager.published::<Drop>().count(), 2);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AtLimit`](crate::SendErrorKind::AtLimit). What was published before stays published.
    #[inline]
    pub fn publish(&mut self, message: M) -> Result<(), SendError> {
        match &mut self.0 {
            Way::Batch(it) if it.room > 0 => {
                it.room -= 1;
                it.batch.push(message, it.first.take());
                Ok(())
            }
            Way::Batch(it) => Err(full(it.batch.to, M::NAME, it.limit, Chain::default())),
            Way::Each(from, to, place) => from.publish_one(*to, place, message),
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
