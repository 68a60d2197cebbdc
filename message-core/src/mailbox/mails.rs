//! The letters of one type that are chosen, one after the other.

use std::fmt;
use std::slice;

use super::letters::Letters;
use super::mail::Mail;
use super::rows::{Row, Rows};
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
    // What is left of the row that is being read: if the messages are sorted, the first is empty, or else
    // the second.
    plain: slice::Iter<'a, M>,
    sorted: slice::Iter<'a, Option<M>>,
    /// The slot of the first that is left.
    slot: u32,
    /// Of which that is a row.
    letters: Option<&'a Letters>,
    rows: Rows<'a>,
}

impl<'a, M: Message> Mails<'a, M> {
    #[inline]
    pub(super) fn new(rows: Rows<'a>) -> Self {
        Self {
            plain: [].iter(),
            sorted: [].iter(),
            slot: 0,
            letters: None,
            rows,
        }
    }

    /// Goes on with the next row.
    #[inline(never)]
    fn next_row(&mut self) -> Option<Mail<'a, M>> {
        let Row { letters, slots } = self.rows.next()?;
        let Some(messages) = letters.messages() else {
            let message = letters.boxed_message(slots.start);
            return Some(Mail::new(message, letters, slots.start));
        };
        self.letters = Some(letters);
        self.slot = slots.start;
        let slots = slots.start as usize..slots.end as usize;
        if letters.metadata().are_sorted() {
            self.sorted = messages.sorted()[slots].iter();
        } else {
            self.plain = messages.plain()[slots].iter();
        }
        self.next_in_row()
    }

    #[inline]
    fn next_in_row(&mut self) -> Option<Mail<'a, M>> {
        let message = match self.plain.next() {
            Some(message) => message,
            None => self.sorted.next()?.as_ref()?,
        };
        let letters = self.letters?;
        let slot = self.slot;
        self.slot = slot + 1;
        Some(Mail::new(message, letters, slot))
    }
}

impl<'a, M: Message> Iterator for Mails<'a, M> {
    type Item = Mail<'a, M>;

    #[inline]
    fn next(&mut self) -> Option<Mail<'a, M>> {
        match self.next_in_row() {
            Some(mail) => Some(mail),
            None => self.next_row(),
        }
    }

    fn count(self) -> usize {
        self.plain.len() + self.sorted.len() + self.rows.count_letters()
    }
}

impl<M> Clone for Mails<'_, M> {
    fn clone(&self) -> Self {
        Self {
            plain: self.plain.clone(),
            sorted: self.sorted.clone(),
            rows: self.rows.clone(),
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
