//! The columns of the current run, borrowed to add several messages to it.

use std::cell::RefMut;

use super::envelopes::Envelopes;
use super::table::Mailboxes;
use crate::address::Recipient;
use crate::message::{Message, MessageIndex};

/// Adds messages to the current run. Each of them is complete as soon as it is added, so a batch can be leaked.
pub(crate) struct Batch<'w, M> {
    mail: &'w Mailboxes,
    messages: RefMut<'w, Vec<M>>,
    envelopes: RefMut<'w, Envelopes>,
    to: Recipient,
}

impl<'w, M: Message> Batch<'w, M> {
    /// Borrows the run of the last letter, which was just published to a recipient. Returns `None` if it is
    /// elsewhere, or if messages are in boxes.
    pub(crate) fn new(mail: &'w Mailboxes, of: MessageIndex, to: Recipient) -> Option<Self> {
        let letters = mail.cells.get(of.get())?.get()?.try_write()?;
        if letters.envelopes().last_number()? + 1 != mail.next_number() {
            return None;
        }
        // Asked twice, since a guard that is split is gone.
        letters.messages::<M>()?;
        let (messages, envelopes) = RefMut::map_split(letters, |letters| {
            let columns = letters.columns_mut();
            columns.expect("messages are stored by value")
        });
        Some(Self {
            mail,
            messages,
            envelopes,
            to,
        })
    }

    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.mail.room() > 0
    }

    /// Returns `true` if there is room for all items of an iterator, by its size hint.
    pub(crate) fn has_room_for(&self, (_, most): (usize, Option<usize>)) -> bool {
        most.is_some_and(|most| most as u64 <= self.mail.room())
    }

    /// Adds a message, for which there has to be room.
    #[inline]
    pub(crate) fn push(&mut self, message: M) {
        self.envelopes.push_to_run(self.to);
        self.messages.push(message);
        self.mail.number(1);
    }

    /// Adds messages, for which there has to be room.
    pub(crate) fn extend(&mut self, messages: impl Iterator<Item = M>) {
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
        batch.mail.number(count);
    }
}
