//! The numbers under which pending messages were traced when they were posted.

use std::num::NonZeroU64;

use crate::address::MessageeId;
use crate::header::Header;
use crate::message::Facts;
use crate::post::Ticket;
use crate::post::schedule::{Record, Schedule};
use crate::trace::TraceId;

/// A pending message, as the trace knows it.
#[derive(Clone, Copy)]
pub(crate) struct TracedPost {
    pub(crate) facts: &'static Facts,
    pub(crate) record: Record,
    pub(crate) number: Option<TraceId>,
}

impl Schedule {
    /// A message that was posted has that number in the trace.
    pub(crate) fn enter_number(&mut self, posting: NonZeroU64, number: TraceId) {
        self.traced.insert(posting, number);
    }

    /// Returns the number in the trace of a posting.
    #[inline]
    pub(super) fn number(&self, posting: NonZeroU64) -> Option<TraceId> {
        if self.traced.is_empty() {
            return None;
        }
        self.traced.get(&posting).copied()
    }

    /// Returns the number in the trace of a ticket's posting.
    pub(super) fn number_of(&self, ticket: Ticket) -> Option<TraceId> {
        self.number(ticket.number?)
    }

    /// Returns a pending message, as the trace knows it.
    pub(crate) fn traced_post(&self, ticket: Ticket) -> Option<TracedPost> {
        let record = self.record(&self.head(ticket)?);
        Some(TracedPost {
            facts: self.queues[ticket.queue()].as_deref()?.facts,
            record,
            number: self.number(record.number),
        })
    }

    /// Returns the message that would be replaced by one with that header.
    pub(crate) fn would_replace(
        &self,
        header: &Header,
        sender: Option<MessageeId>,
    ) -> Option<TracedPost> {
        let ticket = self.keys.get(&header.key_for(sender)?)?;
        self.traced_post(*ticket)
    }
}
