//! A batch that is lent out to be delivered in one walk.
//!
//! Only to a walk that nothing can look at from within: until the batch is given back, the heap
//! knows of its messages no more than how many they are.

use crate::address::{MessageeId, Recipient, Sender};
use crate::message::Message;
use crate::post::queue::chunk::Head;
use crate::post::queue::slot::chunk_of;
use crate::post::queue::{DelayHeap, Due, DueEntry, Messages, Rows};
use crate::send::call::Posted;

/// A batch is lent for as many messages at least: for fewer it is not worth it.
const FEWEST: usize = 4;

/// What is lent of a batch besides the messages.
pub(crate) struct Part {
    heads: Vec<Head>,
    /// Those before this one have been walked over.
    next: usize,
    end: usize,
}

/// The messages of a batch.
pub(crate) struct Lent<M> {
    pub(crate) part: Part,
    messages: Vec<Option<M>>,
}

/// What became of a message that a walk has met.
pub(crate) enum Met {
    Delivered,
    /// The handler has failed. The walk ends, and the message is still there.
    Failed,
    /// It cannot be delivered in a walk. The walk ends before it.
    Unusual,
}

impl<M> Lent<M> {
    /// Calls with each message and whom it is for, as far as the walk is to go. Whatever becomes of a
    /// message, also if the call panics, it is delivered then, unless the call says that it is not.
    #[inline]
    pub(crate) fn walk(&mut self, mut call: impl FnMut(MessageeId, &mut M) -> Met) {
        let Self { part, messages } = self;
        let (begin, end) = (part.next, part.end);
        for (head, place) in part.heads[begin..end].iter().zip(&mut messages[begin..end]) {
            part.next += 1;
            let (Some(message), Some(to)) = (place.as_mut(), head.to()) else {
                continue;
            };
            match call(to, message) {
                Met::Delivered if std::mem::needs_drop::<M>() => *place = None,
                Met::Delivered => {}
                Met::Failed => return,
                Met::Unusual => {
                    part.next -= 1;
                    return;
                }
            }
        }
    }

    /// Drops the message that the walk has met last.
    pub(crate) fn drop_met(&mut self) {
        if let Some(met) = self.part.next.checked_sub(1) {
            self.messages[met] = None;
        }
    }
}

impl DelayHeap {
    /// Lends the batch that an entry stands for, as far as its messages were posted before the posting
    /// of a number. `None` if its messages have to be taken out one by one.
    pub(crate) fn lend<M: Message>(&mut self, entry: DueEntry, until: u64) -> Option<Lent<M>> {
        let (part, messages) = self.lend_part(entry, until)?;
        let messages = std::mem::take(&mut Rows::<M>::of(messages).0[chunk_of(entry.slot) as usize]);
        Some(Lent { part, messages })
    }

    fn lend_part(&mut self, entry: DueEntry, until: u64) -> Option<(Part, &mut dyn Messages)> {
        if !entry.is_whole() || !self.traced.is_empty() {
            return None;
        }
        let queue = self.queue_mut(entry.slab);
        let batch = queue.chunk_mut(chunk_of(entry.slot))?;
        let (next, end) = batch.part(until)?;
        if end - next < FEWEST {
            return None;
        }
        let heads = std::mem::take(&mut batch.heads);
        Some((Part { heads, next, end }, &mut *queue.messages))
    }

    /// Takes back what was lent, without the messages that the walk has met. Returns how many of them it
    /// has delivered.
    pub(crate) fn give_back<M: Message>(&mut self, entry: DueEntry, lent: Lent<M>) -> usize {
        let Lent { part, messages } = lent;
        let (delivered, rows) = self.give_part_back(entry, part);
        Rows::<M>::of(rows).0[chunk_of(entry.slot) as usize] = messages;
        delivered
    }

    fn give_part_back(&mut self, entry: DueEntry, part: Part) -> (usize, &mut dyn Messages) {
        let queue = self.queues[entry.slab as usize].as_deref_mut();
        let queue = queue.expect(super::QUEUE);
        let mut delivered = 0;
        if let Some(batch) = queue.chunk_mut(chunk_of(entry.slot)) {
            batch.heads = part.heads;
            delivered = batch.advance(part.next);
        }
        self.pending -= delivered;
        (delivered, &mut *queue.messages)
    }

    /// What is known of the message of a batch that a walk has met last.
    #[cold]
    pub(crate) fn due_of(&self, entry: DueEntry, part: &Part) -> Option<Due> {
        let met = part.next.checked_sub(1)?;
        let queue = self.queue(entry.slab);
        let batch = queue.chunk(chunk_of(entry.slot))?;
        let origin = batch.origin(met);
        let posted = Posted {
            mark: *self.postmarks.get(origin.post_meta),
            due: batch.term().due,
            since: entry.due,
        };
        Some(Due {
            posted,
            to: Recipient::Id(part.heads.get(met)?.to()?),
            sender: origin.sender.map_or(Sender::Outside, Sender::Messagee),
            entry,
            plain: true,
            repeats: false,
        })
    }
}
