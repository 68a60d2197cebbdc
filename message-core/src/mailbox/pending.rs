//! The letters of one type that are being written.

use std::cell::Ref;
use std::fmt;

use super::choice::{Choice, selecting};
use super::inbox::Mails;
use super::letters::Letters;
use super::mail::Mail;
use super::matching::{Also, Anything, Matches};
use crate::message::Message;

/// A selection among the messages of one type that have been published in this frame, and will be
/// found in the next; from [`MessageManager::pending`](crate::MessageManager::pending) or
/// [`Context::pending`](crate::Context::pending).
///
/// Its letters borrow from it, while those of an [`Inbox`](crate::Inbox) borrow from the frame; so
/// iterate over it by reference. Nothing can be published while it is held, except at a
/// [`Desk`](crate::Desk). Each call walks through all messages of the type. To read for
/// many recipients, use the [`Inbox`](crate::Inbox) of the next frame.
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
/// assert_eq!(manager.pending::<Wish>().to(one).count(), 1);
/// assert!(manager.pending::<Wish>().to(two).is_empty());
/// # Ok::<(), SendError>(())
/// ```
#[must_use]
pub struct Pending<'a, M, P = Anything> {
    letters: Option<Ref<'a, Letters<M>>>,
    choice: Choice<'a>,
    matching: P,
}

impl<'a, M: Message> Pending<'a, M> {
    pub(crate) fn new(choice: Choice<'a>) -> Self {
        let mailbox = choice.world.mailboxes.find();
        Self {
            letters: mailbox.map(super::Mailbox::pending),
            choice,
            matching: Anything,
        }
    }
}

impl<'a, M: Message, P: Matches<M>> Pending<'a, M, P> {
    selecting!(Mail<'_, M>);

    /// Keeps only the mail whose message fulfils the condition. Conditions that were given before
    /// hold too.
    pub fn matching<F: Fn(&M) -> bool>(self, condition: F) -> Pending<'a, M, Also<P, F>> {
        Pending {
            letters: self.letters,
            choice: self.choice,
            matching: Also {
                first: self.matching,
                second: condition,
            },
        }
    }

    /// Returns the mail, in the order published.
    pub fn iter(&self) -> Mails<'_, M, &P> {
        Mails::of(self.letters.as_deref(), self.choice, &self.matching)
    }
}

impl<'i, M: Message, P: Matches<M>> IntoIterator for &'i Pending<'_, M, P> {
    type Item = Mail<'i, M>;
    type IntoIter = Mails<'i, M, &'i P>;

    fn into_iter(self) -> Mails<'i, M, &'i P> {
        self.iter()
    }
}

impl<M, P> fmt::Debug for Pending<'_, M, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending")
            .field("message", &std::any::type_name::<M>())
            .finish_non_exhaustive()
    }
}
