//! The letters of one type that are chosen, one after the other.

use std::{fmt, slice};

use super::letters::Letters;
use super::mail::Mail;
use super::selected::{Numbers, Selected};
use crate::message::Message;

/// The mail of an [`Inbox`](crate::mailbox::Inbox) or of [`Published`](crate::mailbox::Published), in the
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
    rows: Selected<'a>,
    /// The letters that can be read without looking at further postmarks are of this frame.
    letters: Option<&'a Letters>,
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
            rows,
            letters: None,
            messages: &[],
            side: [].iter(),
            at: 0,
            rest: Numbers::All(0..0),
        }
    }

    /// Goes on to the next letters that lie side by side or are listed.
    fn begin_row(&mut self) -> Option<()> {
        let (letters, row) = self.rows.next()?;
        self.letters = Some(letters);
        self.messages = letters.messages().map_or(&[], Vec::as_slice);
        match row {
            Numbers::All(side) if !self.messages.is_empty() => {
                self.at = side.start;
                self.side = self.messages[side.start as usize..side.end as usize].iter();
            }
            rest => self.rest = rest,
        }
        Some(())
    }
}

impl<'a, M: Message> Iterator for Mails<'a, M> {
    type Item = Mail<'a, M>;

    #[inline]
    fn next(&mut self) -> Option<Mail<'a, M>> {
        loop {
            if let Some(message) = self.side.next() {
                let at = self.at;
                self.at += 1;
                return Some(Mail::new(message, self.letters?, at));
            }
            if let Some(at) = self.rest.next() {
                let letters = self.letters?;
                let message = match self.messages.get(at as usize) {
                    Some(message) => message,
                    None => letters.boxed_message(at),
                };
                return Some(Mail::new(message, letters, at));
            }
            self.begin_row()?;
        }
    }
}

impl<M> Clone for Mails<'_, M> {
    fn clone(&self) -> Self {
        Self {
            rows: self.rows.clone(),
            side: self.side.clone(),
            rest: self.rest.clone(),
            ..*self
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
