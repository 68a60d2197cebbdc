//! Traces of messages under way: their senders, their ends, and the kept messages.
//!
//! Nothing here is called while nothing is traced.

use crate::address::Sender;
use crate::error::{SendError, SendErrorKind};
use crate::handler::routes::RouteTable;
use crate::message::AnyMessage;
use crate::post::pass::{Due, Then};
use crate::post::schedule::Found;
use crate::post::{Held, Posting, Schedule, Ticket};
use crate::receipt::Receipt;
use crate::send::erased::{OwnedMessage, Replies};
use crate::send::{Delivery, Extras, OnBusy, Sent};
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
            recipient: *self.to,
            moment: self.world.common.time.moment(),
            place: self.place,
            stage: posted.map_or(Stage::Immediate, |posted| posted.mark.stage),
        }
    }

    /// Numbers a message that was posted before tracing began and is delivered now.
    #[cold]
    pub(crate) fn trace_overdue(&self, message: &dyn AnyMessage, due: &Due) -> TraceId {
        let (world, by) = (self.world, SentBy::Post);
        let number = world.trace.sent(self.subject(), by, None, Some(message));
        if due.then == Then::Repeats {
            let mut schedule = world.schedule.borrow_mut();
            schedule.traced.insert(due.number, number);
        }
        number
    }
}

impl Posting<'_> {
    fn subject(&self, send: Option<TraceId>) -> Subject {
        Subject {
            send,
            own_tags: self.header.tags,
            stage: self.header.stage,
            ..self.sent.subject()
        }
    }

    /// Traces a message that is about to be posted. Returns its number.
    #[cold]
    pub(crate) fn trace(
        &self,
        by: SentBy,
        cause: Option<TraceId>,
        message: &dyn AnyMessage,
    ) -> TraceId {
        let trace = &self.sent.world.trace;
        trace.sent(self.subject(None), by, cause, Some(message))
    }

    /// Posts a message that is not delivered at once, and traces that.
    #[cold]
    pub(crate) fn enter_traced(&self, held: &mut dyn Held) -> Result<Ticket, SendError> {
        let trace = &self.sent.world.trace;
        let number = Some(self.trace(SentBy::Post, trace.cause(), held.get()));
        let posted = self.enter_numbered(number, held);
        posted.inspect_err(|error| trace.refused(self.subject(number), error))
    }

    /// Like [`enter`](Self::enter), but takes the number that a traced message has.
    pub(crate) fn enter_numbered(
        &self,
        number: Option<TraceId>,
        held: &mut dyn Held,
    ) -> Result<Ticket, SendError> {
        let (world, header) = (self.sent.world, self.header);
        let messagees = &world.structure.messagees;
        let proxy = world.outside.proxies.posted_to(header, messagees);
        let replaced = if world.trace.is_on() && proxy.is_none() {
            let key = header.key_for(self.sent.sender.id());
            world.schedule.borrow().would_replace(key)
        } else {
            None
        };
        let ticket = self.enter(held)?;
        if let Some(proxy) = proxy {
            let subject = self.subject(number);
            world.trace.tell(subject, Traced::Carried { proxy });
            return Ok(ticket);
        }
        if let (Some(posting), Some(number)) = (ticket.number(), number) {
            let mut schedule = world.schedule.borrow_mut();
            schedule.traced.insert(posting, number);
        }
        if let Some(replaced) = replaced {
            let moment = world.common.time.moment();
            world.trace.tell(replaced.subject(moment), Traced::Replaced);
        }
        Ok(ticket)
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

    /// Traces a send that failed before it could be carried out.
    #[cold]
    pub(super) fn refused(&self, error: SendErrorKind) -> SendError {
        let (sent, trace, error) = (self.sent, &self.sent.world.trace, error.into());
        if trace.is_on() {
            let number = sent
                .extras
                .number
                .unwrap_or_else(|| trace.sent(sent.subject(), self.by(), trace.cause(), None));
            let subject = Subject {
                send: Some(number),
                ..sent.subject()
            };
            trace.refused(subject, &error);
        }
        error
    }

    /// Delivers a message that has no number yet.
    #[cold]
    pub(super) fn carry_out_traced(
        &mut self,
        table: &RouteTable,
        message: &mut dyn OwnedMessage,
    ) -> Result<Receipt, SendError> {
        let (sent, world) = (self.sent, self.sent.world);
        let (trace, by) = (&world.trace, self.by());
        let number = trace.sent(sent.subject(), by, trace.cause(), Some(&*message.get()));
        let extras = Extras {
            number: Some(number),
            ..*sent.extras
        };
        let sent = &sent.with(&extras);
        let result = self.with_sent(sent).carry_out(table, message);
        // A post with stage `Immediate` fails when too few have received it.
        let receipt = result.as_ref().ok();
        let shortage = receipt.and_then(|receipt| sent.shortage(*receipt));
        match (shortage.as_ref(), &result) {
            (Some(error), _) | (None, Err(error)) => trace.refused(sent.subject(), error),
            (None, &Ok(receipt)) => trace.tell(sent.subject(), Traced::Settled { receipt }),
        }
        result
    }
}

impl Sent<'_> {
    /// Traces what happens to the message.
    pub(crate) fn tell(&self, what: impl FnOnce() -> Traced) {
        if self.world.trace.is_on() {
            self.world.trace.tell(self.subject(), what());
        }
    }

    /// Traces what a receiver of the message waits for.
    pub(crate) fn trace_waits(&self, until: impl FnOnce() -> WaitsUntil) {
        self.tell(|| Traced::Waits { until: until() });
    }
}
