//! Adds several messages to one run.

use std::cell::{Cell, OnceCell};

use crate::address::Recipient;
use crate::mailbox::table::mailbox_at;
use crate::mailbox::{Letters, Mailboxes, Postmark, Postmarks, column_of};
use crate::message::{Message, MessageIndex};

/// The columns of the current run, to which messages are added one by one. Each is complete at once, so this can be leaked.
pub(crate) struct Batch<'w, M> {
    messages: &'w mut Vec<M>,
    postmarks: &'w mut Postmarks,
    pub(crate) to: Recipient,
    /// The number of the next letter, over all types.
    next: &'w Cell<u64>,
}

/// A batch to which an iterator adds messages. When this is dropped, also if the iterator panics, it addresses them.
struct Extended<'w, M> {
    /// The number of messages that have a postmark.
    addressed: usize,
    batch: Batch<'w, M>,
}

impl Mailboxes {
    /// Returns `true` if messages of a type are stored by value in this frame, and so come in [batches](Self::batch).
    pub(crate) fn are_by_value<M: Message>(&self, of: MessageIndex) -> bool {
        let mailbox = self.open(of, Some(column_of::<M>));
        let letters = mailbox.writing.try_borrow();
        letters.is_ok_and(|letters| letters.messages::<M>().is_some())
    }

    /// Makes a batch of messages that are [stored by value](Self::are_by_value).
    pub(crate) fn batch<M: Message>(&mut self, of: MessageIndex, to: Recipient) -> Batch<'_, M> {
        self.current.set(None);
        let letters = mailbox_at(&mut self.cells, of).write_aside();
        let batch = Batch::of(letters, to, &self.next);
        batch.expect("the messages are stored by value")
    }

    /// Publishes messages of the call that has just published a message of that type, while there is room. Takes none if
    /// messages are in boxes, or somebody reads them.
    pub(crate) fn go_on_with<M: Message>(
        &self,
        of: MessageIndex,
        to: Recipient,
        messages: impl Iterator<Item = M>,
    ) {
        let mailbox = self.cells.get(of.get()).and_then(OnceCell::get);
        let letters = mailbox.and_then(|mailbox| mailbox.writing.try_borrow_mut().ok());
        if let Some(mut letters) = letters
            && let Some(batch) = Batch::of(&mut letters, to, &self.next)
        {
            let addressed = batch.messages.len();
            let extended = Extended { addressed, batch };
            let column = &mut *extended.batch.messages;
            let room = usize::try_from(self.room()).unwrap_or(usize::MAX);
            match messages.size_hint() {
                // Counting takes as long as adding: W6-batch.
                (_, Some(most)) if most <= room => column.extend(messages),
                _ => column.extend(messages.take(room)),
            }
        }
    }
}

impl<'w, M: Message> Batch<'w, M> {
    /// Makes a batch of letters, or returns `None` if the messages are in boxes.
    #[inline]
    pub(super) fn of(letters: &'w mut Letters, to: Recipient, next: &'w Cell<u64>) -> Option<Self> {
        let (messages, postmarks) = letters.by_value()?;
        Some(Self {
            messages,
            postmarks,
            to,
            next,
        })
    }

    /// Adds a message with its postmark, or to the last run.
    #[inline]
    pub(crate) fn push(&mut self, message: M, first: Option<Postmark>) {
        match first {
            Some(postmark) => self.postmarks.push(postmark),
            None => self.postmarks.push_to_run(self.to),
        }
        self.messages.push(message);
        self.next.set(self.next.get() + 1);
    }
}

impl<M> Drop for Extended<'_, M> {
    fn drop(&mut self) {
        let batch = &mut self.batch;
        let count = u32::try_from(batch.messages.len() - self.addressed);
        let count = count.expect("fewer than 2^32 messages are published in a frame");
        batch.postmarks.extend_run(batch.to, count);
        batch.next.set(batch.next.get() + u64::from(count));
    }
}
