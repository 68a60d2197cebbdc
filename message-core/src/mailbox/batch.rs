//! Adds several messages to one run.

use std::any::Any;
use std::cell::{Cell, OnceCell};

use super::envelopes::Envelopes;
use super::letters::Letters;
use super::table::Mailboxes;
use crate::address::Recipient;
use crate::message::{Message, MessageIndex};

/// The columns of the current run. Each message is complete as soon as it is added, so a batch can be leaked.
pub(super) struct Batch<'w, M> {
    messages: &'w mut Vec<M>,
    envelopes: &'w mut Envelopes,
    to: Recipient,
    /// The number of the next letter, over all types.
    next: &'w Cell<u64>,
    /// The number of the first letter for which there is no room.
    full: u64,
}

impl Mailboxes {
    /// Publishes messages of the call that has just published a message of that type, while there is room. Returns what
    /// is left: all of them if messages are in boxes, or somebody reads them.
    pub(crate) fn go_on_with<M: Message, I: Iterator<Item = M>>(
        &self,
        of: MessageIndex,
        to: Recipient,
        mut messages: I,
    ) -> Option<I> {
        let mailbox = self.cells.get(of.get()).and_then(OnceCell::get);
        let letters = mailbox.and_then(|mailbox| mailbox.writing.try_borrow_mut().ok());
        if let Some(mut letters) = letters
            && let Some(mut batch) = Batch::of(&mut letters, to, &self.next, self.full)
        {
            let (_, most) = messages.size_hint();
            if most.is_some_and(|most| most as u64 <= self.room()) {
                batch.extend(messages);
                return None;
            }
            while batch.has_room() {
                batch.push(messages.next()?);
            }
        }
        Some(messages)
    }
}

impl<'w, M: Message> Batch<'w, M> {
    /// Goes on with the last run of letters whose messages are stored by value.
    pub(super) fn of(
        letters: &'w mut Letters,
        to: Recipient,
        next: &'w Cell<u64>,
        full: u64,
    ) -> Option<Self> {
        let messages: &mut dyn Any = &mut *letters.messages;
        Some(Self {
            messages: messages.downcast_mut()?,
            envelopes: &mut letters.envelopes,
            to,
            next,
            full,
        })
    }

    fn has_room(&self) -> bool {
        self.next.get() < self.full
    }

    /// Adds a message, for which there has to be room.
    pub(super) fn push(&mut self, message: M) {
        self.envelopes.push_to_run(self.to);
        self.messages.push(message);
        self.next.set(self.next.get() + 1);
    }

    /// Adds messages, for which there has to be room.
    fn extend(&mut self, messages: impl Iterator<Item = M>) {
        let unaddressed = Unaddressed {
            addressed: self.messages.len(),
            batch: self,
        };
        unaddressed.batch.messages.extend(messages);
    }
}

/// Addresses the messages that were added meanwhile when it is dropped, also if the iterator panics.
struct Unaddressed<'b, 'w, M> {
    batch: &'b mut Batch<'w, M>,
    /// The number of messages that have an envelope.
    addressed: usize,
}

impl<M> Drop for Unaddressed<'_, '_, M> {
    fn drop(&mut self) {
        let batch = &mut *self.batch;
        let count = u32::try_from(batch.messages.len() - self.addressed);
        let count = count.expect("fewer than 2^32 messages are published in a frame");
        batch.envelopes.extend_run(batch.to, count);
        batch.next.set(batch.next.get() + u64::from(count));
    }
}
