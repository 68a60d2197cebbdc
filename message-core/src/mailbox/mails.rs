//! The letters of one type that are chosen, one after the other.

use std::collections::vec_deque;
use std::ops::Range;
use std::{fmt, slice, vec};

use crate::mailbox::{Choice, Letters, Mail, Numbers, Selected};
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
    choice: Choice<'a>,
    /// The frames that are still to be searched.
    frames: vec_deque::Iter<'a, Letters>,
    /// The frame under way, if it is searched after them.
    last: Option<&'a Letters>,
    /// The ordinal of the first letter that is read. A cursor may have stopped within its frame.
    since: u64,
    /// The frame that was searched last.
    letters: Option<&'a Letters>,
    /// Its messages, or none if they are in boxes.
    messages: &'a [M],
    /// Messages side by side, and the position of the first.
    side: slice::Iter<'a, M>,
    at: u32,
    /// The positions of other letters that are read before the next row.
    rest: Numbers<'a>,
    /// The rows of letters that follow in the frame.
    rows: vec::IntoIter<Range<u32>>,
}

impl<'a, M: Message> Mails<'a, M> {
    pub(super) fn new(
        choice: Choice<'a>,
        frames: vec_deque::Iter<'a, Letters>,
        last: Option<&'a Letters>,
        since: u64,
    ) -> Self {
        Self {
            choice,
            frames,
            last,
            since,
            letters: None,
            messages: &[],
            side: [].iter(),
            at: 0,
            rest: Numbers::All(0..0),
            rows: Vec::new().into_iter(),
        }
    }

    /// Reads the selected letters of a frame.
    fn begin_frame(&mut self, letters: &'a Letters) {
        let Selected { rows, listed } = match self.since.checked_sub(letters.first) {
            None | Some(0) => self.choice.select(letters),
            Some(read) => self.choice.select_behind(letters, read),
        };
        self.letters = Some(letters);
        self.messages = letters.messages().map_or(&[], Vec::as_slice);
        self.rest = Numbers::Listed(listed.iter());
        self.rows = rows.into_iter();
    }

    /// Goes on to the next row, or to the next frame. Not compiled into every loop over letters: W6-pass.
    #[inline(never)]
    fn begin_row(&mut self) -> Option<()> {
        match self.rows.next() {
            Some(row) if self.messages.is_empty() => self.rest = Numbers::All(row),
            Some(row) => {
                self.at = row.start;
                self.side = self.messages[row.start as usize..row.end as usize].iter();
            }
            None => {
                let letters = self.frames.next().or_else(|| self.last.take())?;
                self.begin_frame(letters);
            }
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
            frames: self.frames.clone(),
            side: self.side.clone(),
            rest: self.rest.clone(),
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
