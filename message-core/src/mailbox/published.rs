//! The letters of one type that are being written.

use std::cell::Ref;
use std::collections::vec_deque;
use std::fmt;
use std::marker::PhantomData;

use crate::mailbox::choice::selecting;
use crate::mailbox::{Choice, Cursor, Letters, Mail, Mailbox, Mails, column_of};
use crate::message::Message;

/// A selection among the messages of one type that have been published in this frame, and will be
/// found in the next, or also among [earlier](Self::with_inbox) ones; from [`MessageManager::published`](crate::MessageManager::published) or
/// [`Context::published`](crate::Context::published).
///
/// Its letters borrow from it, while those of an [`Inbox`](crate::mailbox::Inbox) borrow from the
/// frame; so iterate over it by reference. Nothing can be published while it is held, except at a
/// [`Desk`](crate::Desk). Each call walks through all messages of the type. To read for many
/// recipients, use the [`Inbox`](crate::mailbox::Inbox) of the next frame.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Wish;
///
/// let mut manager = MessageManager::new();
/// let (one, two) = (manager.spawn(()), manager.spawn(()));
/// manager.publish(one, Wish)?;
/// assert!(manager.inbox::<Wish>().is_empty());
/// assert_eq!(manager.published::<Wish>().to(one).count(), 1);
/// assert!(manager.published::<Wish>().to(two).is_empty());
/// # Ok::<(), SendError>(())
/// ```
#[must_use]
pub struct Published<'a, M> {
    mailbox: Option<&'a Mailbox>,
    letters: Option<Ref<'a, Letters>>,
    /// The letters that are read before.
    earlier: vec_deque::Iter<'a, Letters>,
    /// The ordinal of the first letter to read.
    since: u64,
    choice: Choice<'a>,
    message: PhantomData<&'a M>,
}

impl<'a, M: Message> Published<'a, M> {
    pub(crate) fn new(choice: Choice<'a>) -> Self {
        let (of, mailboxes) = (M::FACTS.index(), choice.mail);
        let mailbox = of.and_then(|of| mailboxes.find(of, Some(column_of::<M>)));
        Self {
            mailbox,
            letters: mailbox.map(|mailbox| mailbox.pending(mailboxes.frame)),
            earlier: vec_deque::Iter::default(),
            since: 0,
            choice,
            message: PhantomData,
        }
    }

    selecting!(Mail<'_, M>);

    /// Adds the messages of the [inbox](crate::MessageManager::inbox), which come first: together, what was published in
    /// the last frame and in this one.
    ///
    /// A message is found in both frames. To handle each one once, read [with a cursor](Self::since).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Noise { volume: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// manager.publish(Everyone, Noise { volume: 3 })?;
    /// manager.tick(Duration::from_millis(16));
    /// manager.publish(Everyone, Noise { volume: 7 })?;
    /// let noises = manager.published::<Noise>().with_inbox();
    /// assert!(noises.iter().map(|noise| noise.volume).eq([3, 7]));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn with_inbox(mut self) -> Self {
        self.read_from(None);
        self
    }

    /// Reads everything that the cursor has not read and that can still be found, up to now. The cursor moves to the end
    /// at once, past what the selection leaves out, and counts what was dropped meanwhile; see
    /// [`Inbox::since`](crate::mailbox::Inbox::since).
    ///
    /// A host that reads like this after each [`tick`](crate::MessageManager::tick) finds each message once, and right
    /// after it was published:
    ///
    /// ```
    /// use message_core::mailbox::Cursor;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Turn;
    ///
    /// #[derive(Message)]
    /// struct Moved { by: i32 }
    ///
    /// struct Pawn;
    ///
    /// #[handlers]
    /// impl Pawn {
    ///     #[on_receive]
    ///     fn turn(&mut self, _: &Turn, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         cx.publish(Everyone, Moved { by: 2 })
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// manager.spawn((Pawn,));
    /// let mut cursor = Cursor::new();
    /// for _ in 0..3 {
    ///     manager.post(Header::to(Everyone).stage(Stage::Update), Turn)?;
    ///     manager.tick(Duration::ZERO);
    ///     let moves = manager.published::<Moved>().since(&mut cursor);
    ///     assert!(moves.iter().map(|moved| moved.by).eq([2]));
    /// }
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn since(mut self, cursor: &mut Cursor<M>) -> Self {
        let (mail, end) = (
            self.choice.mail,
            self.letters.as_deref().map_or(0, Letters::end),
        );
        let oldest = self.mailbox.map_or(0, |mailbox| mailbox.oldest(mail));
        let missed = |next| oldest.saturating_sub(next);
        let since = cursor.advance(mail.serial, end, missed);
        self.read_from(Some(since));
        self
    }

    /// Reads earlier frames before this one: see [`Mailbox::frames`].
    fn read_from(&mut self, since: Option<u64>) {
        self.since = since.unwrap_or(0);
        let frames = |mailbox: &'a Mailbox| mailbox.frames(self.choice.mail, since);
        self.earlier = self.mailbox.map(frames).unwrap_or_default();
    }

    /// Returns the mail, in the order published. It borrows from this selection.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Order { units: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// manager.publish(Everyone, Order { units: 2 })?;
    /// manager.publish(Everyone, Order { units: 3 })?;
    /// let pending = manager.published::<Order>();
    /// assert_eq!(pending.iter().map(|order| order.units).sum::<u32>(), 5);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn iter(&self) -> Mails<'_, M> {
        let earlier = self.earlier.clone();
        Mails::new(self.choice, earlier, self.letters.as_deref(), self.since)
    }
}

impl<'i, M: Message> IntoIterator for &'i Published<'_, M> {
    type Item = Mail<'i, M>;
    type IntoIter = Mails<'i, M>;

    fn into_iter(self) -> Mails<'i, M> {
        self.iter()
    }
}

impl<M> fmt::Debug for Published<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Published")
            .field("message", &std::any::type_name::<M>())
            .finish_non_exhaustive()
    }
}
