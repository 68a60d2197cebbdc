//! The mail of one type and the mail of all types: where their letters are, and how a cursor counts them.
//!
//! The letters of each type and frame are in the order sent already, by their numbers. Those of all types are sorted
//! together.

use std::vec;

use crate::mailbox::{
    AnyInbox, AnyMail, Inbox, Letters, Mail, Mailbox, Mails, Selected, column_of,
};
use crate::message::{AnyMessage, Message};
use crate::sort::sort_by_number;

/// The messages of an [`Inbox`]: those of one type, or all as [`dyn AnyMessage`](AnyMessage). Not to be implemented
/// elsewhere.
///
/// ```
/// use message_core::mailbox::{Inbox, Readable};
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Noise;
///
/// fn from_outside<M: Readable + ?Sized>(inbox: Inbox<'_, M>) -> usize {
///     inbox.from(Sender::Outside).count()
/// }
///
/// let mut manager = MessageManager::new();
/// manager.publish(Everyone, Noise)?;
/// manager.tick(Duration::from_millis(16));
/// assert_eq!(from_outside(manager.inbox::<Noise>()), 1);
/// assert_eq!(from_outside(manager.inbox_any()), 1);
/// # Ok::<(), SendError>(())
/// ```
pub trait Readable: 'static {
    /// The mail of an inbox, one after the other.
    type Mails<'a>: Iterator<Item = Mail<'a, Self>>;

    #[doc(hidden)]
    fn mails<'a>(inbox: &Inbox<'a, Self>) -> Self::Mails<'a>;

    /// Returns the letter after the last one that can be read.
    #[doc(hidden)]
    fn end(inbox: &Inbox<'_, Self>) -> u64;

    /// Returns how many letters from one on can no longer be read.
    #[doc(hidden)]
    fn missed(inbox: &Inbox<'_, Self>, next: u64) -> u64;
}

impl<'a, M: Message> Inbox<'a, M> {
    pub(crate) fn mailbox(&self) -> Option<&'a Mailbox> {
        let of = M::FACTS.index()?;
        self.choice.mail.find(of, Some(column_of::<M>))
    }
}

/// The letters of a type are counted by their ordinals.
impl<M: Message> Readable for M {
    type Mails<'a> = Mails<'a, M>;

    fn mails<'a>(inbox: &Inbox<'a, M>) -> Mails<'a, M> {
        let frames = |mailbox: &'a Mailbox| mailbox.frames(inbox.choice.mail, inbox.since);
        let frames = inbox.mailbox().map(frames);
        let since = inbox.since.unwrap_or(0);
        Mails::new(inbox.choice, frames.unwrap_or_default(), None, since)
    }

    fn end(inbox: &Inbox<'_, M>) -> u64 {
        inbox.mailbox().map_or(0, |mailbox| mailbox.end)
    }

    fn missed(inbox: &Inbox<'_, M>, next: u64) -> u64 {
        let oldest = |mailbox: &Mailbox| mailbox.oldest(inbox.choice.mail);
        let oldest = inbox.mailbox().map_or(0, oldest);
        oldest.saturating_sub(next)
    }
}

/// The letters of all types are counted by their numbers.
impl Readable for dyn AnyMessage {
    type Mails<'a> = vec::IntoIter<AnyMail<'a>>;

    fn mails<'a>(inbox: &AnyInbox<'a>) -> vec::IntoIter<AnyMail<'a>> {
        let mut mails = Vec::new();
        for letters in letters_since(inbox, inbox.since) {
            let Selected { rows, listed } = inbox.choice.select(letters);
            let listed = listed.iter().copied();
            let positions = rows.into_iter().flatten().chain(listed);
            mails.extend(positions.map(|at| Mail::new(letters.message(at), letters, at)));
        }
        sort_by_number(&mut mails, |mail| mail.postmark().number);
        mails.into_iter()
    }

    fn end(inbox: &AnyInbox<'_>) -> u64 {
        inbox.choice.mail.begun
    }

    fn missed(inbox: &AnyInbox<'_>, next: u64) -> u64 {
        let left = letters_since(inbox, Some(next));
        let left = left.map(|letters| u64::from(letters.postmarks.count));
        let gone = Self::end(inbox).saturating_sub(next);
        gone.saturating_sub(left.sum())
    }
}

/// Returns the letters that an inbox contains, or those since the frame that begins with this number.
fn letters_since<'a>(
    inbox: &AnyInbox<'a>,
    since: Option<u64>,
) -> impl Iterator<Item = &'a Letters> + use<'a> {
    let mail = inbox.choice.mail;
    let readable = mail.readable(since.is_some());
    readable.filter(move |letters| letters.postmarks.get(0).number >= since.unwrap_or(0))
}
