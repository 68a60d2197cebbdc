//! The letters of one type that are being written.

use std::cell::Ref;
use std::collections::vec_deque;
use std::fmt;
use std::marker::PhantomData;

use crate::mailbox::choice::selecting;
use crate::mailbox::{Choice, Letters, Mail, Mails, column_of};
use crate::message::Message;

/// A selection among the messages of one type that have been published in this frame, and will be
/// found in the next; from [`MessageManager::published`](crate::MessageManager::published) or
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
    letters: Option<Ref<'a, Letters>>,
    choice: Choice<'a>,
    message: PhantomData<&'a M>,
}

impl<'a, M: Message> Published<'a, M> {
    pub(crate) fn new(choice: Choice<'a>) -> Self {
        let (of, mailboxes) = (M::FACTS.index(), choice.mail);
        let mailbox = of.and_then(|of| mailboxes.find(of, Some(column_of::<M>)));
        Self {
            letters: mailbox.map(|mailbox| mailbox.pending(mailboxes.frame)),
            choice,
            message: PhantomData,
        }
    }

    selecting!(Mail<'_, M>);

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
        let mut mails = Mails::new(self.choice, vec_deque::Iter::default());
        if let Some(letters) = &self.letters {
            mails.begin_frame(letters);
        }
        mails
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
