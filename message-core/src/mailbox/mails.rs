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
    /// The row that is being read. A loop can have it in registers: nobody else is told where
    /// it is.
    row: Option<InRow<'a, M>>,
    rows: Rows<'a>,
}

/// What is left of a row.
struct InRow<'a, M> {
    // One of both is empty, by how the messages are stored.
    plain: slice::Iter<'a, M>,
    sorted: slice::Iter<'a, Option<M>>,
    letters: &'a Letters,
    /// The slot of the first that is left.
    slot: u32,
}

impl<'a, M: Message> Mails<'a, M> {
    pub(super) fn new(rows: Rows<'a>) -> Self {
        Self { row: None, rows }
    }
}

impl<'a, M: Message> InRow<'a, M> {
    /// The next row.
    #[inline(never)]
    fn next_of(rows: &mut Rows<'a>) -> Option<Self> {
        let Row { letters, slots } = rows.next()?;
        let (mut plain, mut sorted): (&[M], &[Option<M>]) = (&[], &[]);
        let slot = slots.start;
        let slots = slots.start as usize..slots.end as usize;
        match letters.messages() {
            Some(messages) if letters.metadata().are_sorted() => {
                sorted = &messages.sorted()[slots];
            }
            Some(messages) => plain = &messages.plain()[slots],
            None => plain = slice::from_ref(letters.boxed_message(slot)),
        }
        Some(Self {
            plain: plain.iter(),
            sorted: sorted.iter(),
            letters,
            slot,
        })
    }

    #[inline]
    fn next(&mut self) -> Option<Mail<'a, M>> {
        let message = match self.plain.next() {
            Some(message) => message,
            None => self.sorted.next()?.as_ref()?,
        };
        let slot = self.slot;
        self.slot = slot + 1;
        Some(Mail::new(message, self.letters, slot))
    }
}

impl<'a, M: Message> Iterator for Mails<'a, M> {
    type Item = Mail<'a, M>;

    #[inline]
    fn next(&mut self) -> Option<Mail<'a, M>> {
        loop {
            if let Some(row) = &mut self.row
                && let Some(mail) = row.next()
            {
                return Some(mail);
            }
            self.row = Some(InRow::next_of(&mut self.rows)?);
        }
    }

    fn count(self) -> usize {
        let row = self.row.map_or(0, |row| row.plain.len() + row.sorted.len());
        row + self.rows.count_letters()
    }
}

impl<M> Clone for InRow<'_, M> {
    fn clone(&self) -> Self {
        Self {
            plain: self.plain.clone(),
            sorted: self.sorted.clone(),
            ..*self
        }
    }
}

impl<M> Clone for Mails<'_, M> {
    fn clone(&self) -> Self {
        Self {
            row: self.row.clone(),
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
