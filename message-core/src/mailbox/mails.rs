//! The letters of one type that are chosen, one after the other.

use std::{fmt, slice};

use super::letters::Letters;
use super::mail::Mail;
use super::selected::{Numbers, Selected};
use crate::message::Message;

/// The mail of an [`Inbox`](crate::mailbox::Inbox) or of [`Pending`](crate::mailbox::Pending), in the
/// order published.
///
/// ```
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
/// let mails = manager.inbox::<Noise>().into_iter();
/// assert_eq!(mails.map(|mail| mail.volume).max(), Some(7));
/// # Ok::<(), SendError>(())
/// ```
#[must_use]
pub struct Mails<'a, M> {
    reading: Option<Reading<'a, M>>,
    rows: Selected<'a>,
}

/// The letters that can be read without looking at further envelopes.
struct Reading<'a, M> {
    letters: &'a Letters,
    /// The messages of the frame, or none if they are in boxes.
    messages: &'a [M],
    /// Messages side by side, and the position of the first.
    side: slice::Iter<'a, M>,
    at: u32,
    /// The positions of the letters that follow.
    rest: Numbers<'a>,
}

impl<'a, M: Message> Mails<'a, M> {
    pub(super) fn new(rows: Selected<'a>) -> Self {
        Self {
            reading: None,
            rows,
        }
    }
}

impl<'a, M: Message> Reading<'a, M> {
    fn new(letters: &'a Letters, row: Numbers<'a>) -> Self {
        let messages: &[M] = letters.messages().map_or(&[], Vec::as_slice);
        let (side, rest) = match row {
            Numbers::All(side) if !messages.is_empty() => (side, Numbers::All(0..0)),
            rest => (0..0, rest),
        };
        Self {
            letters,
            messages,
            side: messages[side.start as usize..side.end as usize].iter(),
            at: side.start,
            rest,
        }
    }

    #[inline]
    fn next(&mut self) -> Option<Mail<'a, M>> {
        if let Some(message) = self.side.next() {
            let at = self.at;
            self.at += 1;
            return Some(Mail::new(message, self.letters, at));
        }
        let at = self.rest.next()?;
        let message = match self.messages.get(at as usize) {
            Some(message) => message,
            None => self.letters.boxed_message(at),
        };
        Some(Mail::new(message, self.letters, at))
    }
}

impl<'a, M: Message> Iterator for Mails<'a, M> {
    type Item = Mail<'a, M>;

    #[inline]
    fn next(&mut self) -> Option<Mail<'a, M>> {
        loop {
            if let Some(mail) = self.reading.as_mut().and_then(Reading::next) {
                return Some(mail);
            }
            let (letters, row) = self.rows.next()?;
            self.reading = Some(Reading::new(letters, row));
        }
    }
}

impl<M> Clone for Reading<'_, M> {
    fn clone(&self) -> Self {
        Self {
            side: self.side.clone(),
            rest: self.rest.clone(),
            ..*self
        }
    }
}

impl<M> Clone for Mails<'_, M> {
    fn clone(&self) -> Self {
        Self {
            reading: self.reading.clone(),
            rows: self.rows.clone(),
        }
    }
}

impl<M> fmt::Debug for Mails<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mails")
            .field("message", &std::any::type_name::<M>())
            .finish_non_exhaustive()
    }
}
