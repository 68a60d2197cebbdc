//! Adds several messages to one run.

use std::cell::{Cell, OnceCell};

use super::postmarks::Postmarks;
use super::table::Mailboxes;
use crate::address::Recipient;
use crate::message::{Message, MessageIndex};

/// The columns of the current run. When it is dropped, also if an iterator panics, it addresses the messages that were
/// added.
struct Batch<'w, M> {
    messages: &'w mut Vec<M>,
    postmarks: &'w mut Postmarks,
    /// The number of messages that have a postmark.
    addressed: usize,
    to: Recipient,
    /// The number of the next letter, over all types.
    next: &'w Cell<u64>,
}

impl Mailboxes {
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
            && let Some((column, postmarks)) = letters.by_value()
        {
            let batch = Batch {
                addressed: column.len(),
                messages: column,
                postmarks,
                to,
                next: &self.next,
            };
            let room = usize::try_from(self.room()).unwrap_or(usize::MAX);
            match messages.size_hint() {
                // Counting takes as long as adding: W6-batch.
                (_, Some(most)) if most <= room => batch.messages.extend(messages),
                _ => batch.messages.extend(messages.take(room)),
            }
        }
    }
}

impl<M> Drop for Batch<'_, M> {
    fn drop(&mut self) {
        let count = u32::try_from(self.messages.len() - self.addressed);
        let count = count.expect("fewer than 2^32 messages are published in a frame");
        self.postmarks.extend_run(self.to, count);
        self.next.set(self.next.get() + u64::from(count));
    }
}
