//! The letters of all types that can be read, in the order sent.
//!
//! The letters of each type and frame are in that order already, by their numbers; here they are
//! sorted together.

use std::{fmt, vec};

use super::choice::{Choice, selecting};
use super::cursor::AnyCursor;
use super::letters::Letters;
use super::mail::{AnyMail, Mail};
use super::selected::Selected;
use crate::sort::sort_by_number;

/// A selection among the messages of all types that were published in the frame before this one, or
/// [since](Self::since) the last look; from
/// [`MessageManager::inbox_any`](crate::MessageManager::inbox_any) or
/// [`Context::inbox_any`](crate::Context::inbox_any).
///
/// ```
/// use std::time::Duration;
/// use message_core::prelude::*;
///
/// #[derive(Message, Debug)]
/// struct Hit(u32);
///
/// #[derive(Message, Debug)]
/// struct Heal(u32);
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// manager.publish(orc, Hit(3))?;
/// manager.publish(orc, Heal(2))?;
/// manager.publish(orc, Hit(4))?;
/// manager.tick(Duration::from_millis(16));
///
/// let all = manager.inbox_any().to(orc);
/// let all: Vec<String> = all.iter().map(|mail| format!("{:?}", mail.message())).collect();
/// assert_eq!(all, ["Hit(3)", "Heal(2)", "Hit(4)"]);
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct AnyInbox<'a> {
    choice: Choice<'a>,
    /// The number from which on is read, over all frames that are left; without it, the last frame
    /// is.
    since: Option<u64>,
}

impl<'a> AnyInbox<'a> {
    pub(crate) fn new(choice: Choice<'a>) -> Self {
        Self {
            choice,
            since: None,
        }
    }

    selecting!(AnyMail<'a>);

    /// Reads everything that the cursor has not read and that can still be found, instead of the last
    /// frame alone, as [`Inbox::since`](crate::mailbox::Inbox::since) does for one type. The cursor
    /// moves to the end at once, past what the selection leaves out, and counts what was dropped
    /// meanwhile.
    ///
    /// ```
    /// use message_core::mailbox::AnyCursor;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Hit;
    ///
    /// #[derive(Message)]
    /// struct Heal;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.set_mail_retention::<Hit>(2);
    /// let mut cursor = AnyCursor::new();
    /// manager.publish(Everyone, Hit)?;
    /// manager.tick(Duration::from_millis(16));
    /// manager.publish(Everyone, Heal)?;
    /// manager.tick(Duration::from_millis(16));
    /// let names = manager.inbox_any().since(&mut cursor).into_iter().map(|mail| mail.name());
    /// assert!(names.eq([Hit::NAME, Heal::NAME])); // The last frame has only the second.
    /// assert_eq!(cursor.missed(), 0);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn since(mut self, cursor: &mut AnyCursor) -> Self {
        let mail = self.choice.mail;
        let end = mail.begun;
        let missed = |next: u64| {
            let left = self
                .letters(Some(next))
                .map(|letters| u64::from(letters.envelopes.count));
            end.saturating_sub(next).saturating_sub(left.sum())
        };
        self.since = Some(cursor.advance(mail.serial, end, missed));
        self
    }

    /// Returns a cursor that has read all that can be found now, as
    /// [`Inbox::cursor`](crate::mailbox::Inbox::cursor) makes it. The selection does not matter.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Hit;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.publish(Everyone, Hit)?;
    /// manager.tick(Duration::from_millis(16));
    /// let mut cursor = manager.inbox_any().cursor();
    /// assert!(manager.inbox_any().since(&mut cursor).is_empty());
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn cursor(&self) -> AnyCursor {
        let mail = self.choice.mail;
        AnyCursor::reading_on(Some((mail.serial, mail.begun)), 0)
    }

    /// Returns the mail of all types, in the order sent.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Hit { damage: u32 }
    ///
    /// #[derive(Message)]
    /// struct Heal;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.publish(Everyone, Hit { damage: 3 })?;
    /// manager.publish(Everyone, Heal)?;
    /// manager.publish(Everyone, Hit { damage: 4 })?;
    /// manager.tick(Duration::from_millis(16));
    ///
    /// let inbox = manager.inbox_any();
    /// let hits = inbox.iter().filter_map(|mail| mail.message().downcast_ref::<Hit>());
    /// assert_eq!(hits.map(|hit| hit.damage).sum::<u32>(), 7);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> vec::IntoIter<AnyMail<'a>> {
        let mut mails = Vec::new();
        for letters in self.letters(self.since) {
            let rows = Selected::of(self.choice, letters);
            let positions = rows.flat_map(|(_, positions)| positions);
            mails.extend(positions.map(|at| Mail::new(letters.message(at), letters, at)));
        }
        sort_by_number(&mut mails, |mail| mail.envelope().number);
        mails.into_iter()
    }

    /// Returns the letters that were published in the last frame, or since the frame that begins with this number.
    fn letters(&self, since: Option<u64>) -> impl Iterator<Item = &'a Letters> {
        let mail = self.choice.mail;
        let frame = mail.frame;
        let readable = mail.readable();
        readable.filter(move |letters| match since {
            Some(number) => letters.envelopes.first_number() >= Some(number),
            None => letters.envelopes.frame + 1 == frame,
        })
    }
}

impl<'a> IntoIterator for AnyInbox<'a> {
    type Item = AnyMail<'a>;
    type IntoIter = vec::IntoIter<AnyMail<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &AnyInbox<'a> {
    type Item = AnyMail<'a>;
    type IntoIter = vec::IntoIter<AnyMail<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for AnyInbox<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyInbox").finish_non_exhaustive()
    }
}
