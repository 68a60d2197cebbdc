//! Traces of messages under way: their senders, their ends, and the kept messages.
//!
//! Nothing happens here while nothing is traced.

use std::num::NonZeroU64;

use crate::address::Sender;
use crate::error::SendError;
use crate::handler::routes::RouteTable;
use crate::message::{AnyMessage, OwnedMessage};
use crate::post::pass::{Due, Then};
use crate::post::schedule::Found;
use crate::post::{Held, Posting, Schedule, Ticket};
use crate::send::{Delivered, Delivery, OnBusy, Replies, Sent};
use crate::time::{Moment, Stage};
use crate::trace::{SentBy, Subject, TraceId, Traced, Tracer, WaitsUntil};

impl Sent<'_> {
    /// Returns the subject of trace events about it.
    pub(crate) fn subject(&self) -> Subject {
        let posted = self.extras.posted;
        Subject {
            send: self.extras.number,
            facts: self.facts,
            own_tags: self.own_tags(),
            sender: self.sender,
            recipient: self.to,
            moment: self.world.common.time.moment(),
            place: self.place,
            stage: posted.map_or(Stage::Immediate, |posted| posted.mark.stage),
        }
    }

    /// Numbers a message that was posted before tracing began and is delivered now.
    #[cold]
    pub(crate) fn trace_overdue(&self, message: &dyn AnyMessage, due: &Due) -> Option<TraceId> {
        let trace = &self.world.trace;
        let subject = trace.sent(self.subject(), SentBy::Post, None, Some(message));
        let number = subject.send?;
        if due.then == Then::Repeats {
            let mut schedule = self.world.schedule.borrow_mut();
            schedule.traced.insert(due.number, number);
        }
        Some(number)
    }

    /// Traces what happens to the message.
    pub(crate) fn trace(&self, what: impl FnOnce() -> Traced) {
        if self.world.trace.is_on() {
            self.world.trace.tell(self.subject(), what());
        }
    }

    /// Traces what a receiver of the message waits for.
    pub(crate) fn trace_waits(&self, until: impl FnOnce() -> WaitsUntil) {
        self.trace(|| Traced::Waits { until: until() });
    }
}

impl Posting<'_> {
    pub(crate) fn subject(&self) -> Subject {
        Subject {
            send: self.number,
            own_tags: self.header.tags,
            stage: self.header.stage,
            ..self.sent.subject()
        }
    }

    /// Traces a message that is about to be posted, and gives it a number.
    #[cold]
    pub(crate) fn trace(&mut self, by: SentBy, cause: Option<TraceId>, message: &dyn AnyMessage) {
        let trace = &self.sent.world.trace;
        self.number = trace.sent(self.subject(), by, cause, Some(message)).send;
    }

    /// Posts a message that is not delivered at once, and traces that.
    #[cold]
    pub(crate) fn enter_traced(mut self, held: &mut dyn Held) -> Result<Ticket, SendError> {
        let trace = &self.sent.world.trace;
        self.trace(SentBy::Post, trace.cause(), held.get());
        let posted = self.enter(held);
        posted.inspect_err(|error| trace.refused(self.subject(), error))
    }

    /// Traces that a message with this number enters the schedule, where it may replace another.
    #[cold]
    pub(crate) fn trace_entry(&self, schedule: &mut Schedule, post: NonZeroU64, number: TraceId) {
        schedule.traced.insert(post, number);
        let (sent, key) = (self.sent, self.header.key_for(self.sent.sender.id()));
        if sent.world.trace.is_on()
            && let Some(replaced) = schedule.would_replace(key)
        {
            let subject = replaced.subject(sent.world.common.time.moment());
            sent.world.trace.tell(subject, Traced::Replaced);
        }
    }
}

impl Found {
    fn subject(&self, moment: Moment) -> Subject {
        Subject {
            send: self.traced,
            facts: self.facts,
            own_tags: self.record.meta.tags,
            sender: self.record.sender(),
            recipient: self.record.to,
            moment,
            place: self.record.meta.place,
            stage: self.record.meta.stage,
        }
    }
}

impl Tracer {
    /// Traces messages that are about to be cancelled.
    pub(crate) fn cancelled_posts(&self, schedule: &Schedule, tickets: &[Ticket], moment: Moment) {
        if self.is_on() {
            let posts = tickets.iter();
            for post in posts.filter_map(|&ticket| schedule.found(ticket)) {
                self.tell(post.subject(moment), Traced::Cancelled);
            }
        }
    }
}

impl Delivery<'_> {
    /// Returns the kind of call that sent the message.
    fn by(&self) -> SentBy {
        match (&self.replies, self.on_busy) {
            _ if self.sent.sender == Sender::Manager => SentBy::Manager,
            _ if self.sent.extras.posted.is_some() => SentBy::Post,
            (Replies::First(..), _) => SentBy::Request,
            (Replies::All(_), _) => SentBy::RequestAll,
            (Replies::Ignore, OnBusy::Refuse) => SentBy::SendMut,
            (Replies::Ignore, OnBusy::Keep) => SentBy::Plain,
        }
    }

    /// Traces the error of a send that is refused, and returns it.
    #[cold]
    pub(super) fn refused(&self, error: SendError) -> SendError {
        let (sent, trace) = (self.sent, &self.sent.world.trace);
        if trace.is_on() {
            let subject = match sent.extras.number {
                Some(_) => sent.subject(),
                None => trace.sent(sent.subject(), self.by(), trace.cause(), None),
            };
            trace.refused(subject, &error);
        }
        error
    }

    /// Delivers a message that has no number yet.
    #[cold]
    pub(super) fn deliver_traced(
        &mut self,
        table: &RouteTable,
        message: &mut dyn OwnedMessage,
    ) -> Delivered {
        let (sent, trace) = (self.sent, &self.sent.world.trace);
        let (by, contents) = (self.by(), Some(&*message.get()));
        let subject = trace.sent(sent.subject(), by, trace.cause(), contents);
        let extras = sent.extras.numbered(subject.send);
        let sent = &sent.with(&extras);
        let result = self.with_sent(sent).deliver(table, message).result();
        // A post with stage `Immediate` fails when too few have received it.
        let shortage = sent.shortage(&result);
        match (shortage.as_ref(), &result) {
            (Some(error), _) | (None, Err(error)) => trace.refused(subject, error),
            (None, &Ok(receipt)) => trace.tell(subject, Traced::Settled { receipt }),
        }
        Delivered::of(result)
    }
}
