//! What of pending messages is traced: the numbers under which they were posted.

use std::num::NonZeroU64;

use crate::address::MessageeId;
use crate::header::Header;
use crate::message::Facts;
use crate::post::Ticket;
use crate::post::queue::{DelayHeap, DueEntry, Left, PostMeta, Record};
use crate::trace::TraceId;

/// A pending message, as the trace knows it.
#[derive(Clone, Copy)]
pub(crate) struct TracedPost {
    pub(crate) facts: &'static Facts,
    pub(crate) record: Record,
    pub(crate) post_meta: PostMeta,
    pub(crate) number: Option<TraceId>,
}

impl DelayHeap {
    /// A message that was posted has that number in the trace.
    pub(crate) fn enter_number(&mut self, posting: Option<NonZeroU64>, number: TraceId) {
        self.traced.extend(posting.map(|posting| (posting, number)));
    }

    /// The number in the trace of a message that is due, of a batch of the next one.
    #[cold]
    pub(crate) fn number_of(&mut self, entry: DueEntry) -> Option<TraceId> {
        let number = if entry.is_whole() {
            self.queue_mut(entry.slab).front(entry.slot)?.number
        } else {
            entry.number
        };
        self.number(NonZeroU64::new(number))
    }

    pub(super) fn number(&self, posting: Option<NonZeroU64>) -> Option<TraceId> {
        self.traced.get(&posting?).copied()
    }

    #[cold]
    pub(super) fn forget_number(&mut self, left: Left) {
        if let Some(posting) = left.number {
            self.traced.remove(&posting);
        }
    }

    /// The manager is traced from now on, or not any more: then all numbers are forgotten.
    #[cfg(feature = "trace")]
    pub(crate) fn set_traced(&mut self, is_on: bool, max_pending: usize) {
        self.most_pending = if is_on { 0 } else { max_pending };
        if !is_on {
            self.traced = crate::hash::HashedMap::default();
        }
    }

    /// A pending message, as the trace knows it.
    pub(crate) fn traced_post(&self, ticket: Ticket) -> Option<TracedPost> {
        let record = self.record(ticket)?;
        Some(TracedPost {
            facts: self.queue(ticket.slab()).facts,
            record,
            post_meta: *self.postmarks.get(record.post_meta),
            number: self.number(ticket.number),
        })
    }

    /// The message that would be replaced by one with that header.
    pub(crate) fn would_replace(
        &self,
        header: &Header,
        sender: Option<MessageeId>,
    ) -> Option<TracedPost> {
        let ticket = self.keys.get(&header.key_for(sender)?)?;
        self.traced_post(*ticket)
    }
}
