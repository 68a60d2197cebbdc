//! The letters of one type that are chosen, one after the other.

use std::collections::vec_deque;
use std::{fmt, slice};

use super::choice::Choice;
use super::letters::Letters;
use super::mail::Mail;
use super::selected::Numbers;
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
    /// The frame that was searched last.
    letters: Option<&'a Letters>,
    /// Its messages, or none if they are in boxes.
    messages: &'a [M],
    /// Those of its selected messages that lie side by side, and the position of the first: W6-pass.
    side: slice::Iter<'a, M>,
    at: u32,
    /// The positions of its other selected letters.
    rest: Numbers<'a>,
}

impl<'a, M: Message> Mails<'a, M> {
    pub(super) fn new(choice: Choice<'a>, frames: vec_deque::Iter<'a, Letters>) -> Self {
        Self {
            choice,
            frames,
            letters: None,
            messages: &[],
            side: [].iter(),
            at: 0,
            rest: Numbers::All(0..0),
        }
    }

    /// Reads the selected letters of a frame. Not compiled into every loop over letters: W6-pass.
    #[inline(never)]
    pub(super) fn begin_frame(&mut self, letters: &'a Letters) {
        self.letters = Some(letters);
        self.messages = letters.messages().map_or(&[], Vec::as_slice);
        match self.choice.select(letters) {
            Numbers::All(side) if !self.messages.is_empty() => {
                self.at = side.start;
                self.side = self.messages[side.start as usize..side.end as usize].iter();
            }
            rest => self.rest = rest,
        }
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
            let letters = self.frames.next()?;
            self.begin_frame(letters);
        }
    }
}

impl<M> Clone for Mails<'_, M> {
    fn clone(&self) -> Self {
        Self {
            frames: self.frames.clone(),
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
