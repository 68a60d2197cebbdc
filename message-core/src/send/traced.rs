//! Traces of messages under way: who sends them, how they end, and what is kept.
//!
//! Nothing here is called while nothing is traced.

use std::num::NonZeroU64;
use std::panic::Location;

use crate::address::{Recipient, Sender};
use crate::error::{Receiver, SendError};
use crate::handler::routes::RouteTable;
use crate::message::{AnyMessage, Facts};
use crate::post::Ticket;
use crate::post::posting::Posting;
use crate::post::queue::{DelayHeap, Due, Held, TracedPost};
use crate::receipt::Receipt;
use crate::send::call::{Delivery, Extras, OnBusy, ReceiverSlot, Sent};
use crate::send::erased::{Replies, Source};
use crate::send::publish::Accepted;
use crate::time::{Moment, Stage};
use crate::trace::{SentBy, Subject, TraceId, TracedCall, Tracer, WaitsUntil};
use crate::world::World;

impl Delivery<'_> {
    fn by(&self) -> SentBy {
        self.sent.by(match (&self.replies, self.on_busy) {
            (Replies::First(..), _) => SentBy::Request,
            (Replies::All(_), _) => SentBy::RequestAll,
            (Replies::Ignore, OnBusy::Refuse) => SentBy::SendMut,
            (Replies::Ignore, OnBusy::Keep) => SentBy::Plain,
        })
    }
}

impl Sent<'_> {
    /// Returns the kind of call that sent it, where `call` is the one that carries it out.
    fn by(&self, call: SentBy) -> SentBy {
        match self.sender {
            Sender::Manager => SentBy::Manager,
            _ if self.extras.posted.is_some() => SentBy::Post,
            _ => call,
        }
    }

    /// Returns the subject of trace events about it.
    pub(crate) fn subject(&self) -> Subject {
        Subject {
            send: self.extras.number,
            facts: self.facts,
            own_tags: self.own_tags(),
            sender: self.sender,
            recipient: *self.to,
            moment: self.world.common.time.moment(),
        }
    }

    fn traced_call(&self, by: SentBy) -> TracedCall {
        TracedCall {
            by,
            place: self.place,
            stage: self
                .extras
                .posted
                .map_or(Stage::Immediate, |posted| posted.mark.stage),
        }
    }
}

impl Posting<'_> {
    fn subject(self, facts: &'static Facts, moment: Moment) -> Subject {
        Subject {
            own_tags: self.header.tags,
            ..Subject::new(facts, self.header.to, self.sender, moment)
        }
    }
}

impl TracedPost {
    fn subject(&self, moment: Moment) -> Subject {
        Subject {
            send: self.number,
            own_tags: self.post_meta.tags,
            ..Subject::new(self.facts, self.record.to, self.record.sender(), moment)
        }
    }
}

impl Tracer {
    /// Traces a send that failed before it could be carried out.
    #[cold]
    pub(crate) fn refused_at_once(&self, sent: &Sent<'_>, by: SentBy, error: &SendError) {
        let (subject, cause) = (sent.subject(), self.cause());
        let number = sent.extras.number.or_else(|| {
            let call = sent.traced_call(sent.by(by));
            self.sent(subject, call, cause, None)
        });
        let subject = Subject {
            send: number,
            ..subject
        };
        self.refused(subject, error);
    }

    /// Traces messages that are about to be cancelled.
    #[cold]
    pub(crate) fn cancelled_posts(&self, heap: &DelayHeap, tickets: &[Ticket], moment: Moment) {
        for post in tickets
            .iter()
            .filter_map(|&ticket| heap.traced_post(ticket))
        {
            self.cancelled(post.subject(moment));
        }
    }
}

impl Delivery<'_> {
    /// Delivers a message that has no number yet.
    #[cold]
    pub(super) fn carry_out_traced(
        &mut self,
        table: &RouteTable,
        mut source: Source<'_>,
    ) -> Result<Receipt, SendError> {
        let (sent, world) = (self.sent, self.sent.world);
        let traced = sent.traced_call(self.by());
        let message: &dyn AnyMessage = source.get();
        let cause = world.trace.cause();
        let number = world
            .trace
            .sent(sent.subject(), traced, cause, Some(message));
        let extras = Extras {
            number,
            ..*sent.extras
        };
        let extras = &extras;
        let sent = &Sent { extras, ..*sent };
        let result = self.with_sent(sent).carry_out_numbered(table, source);
        // A post with stage `Immediate` fails when too few have received it.
        let receipt = result.as_ref().ok();
        let shortage = receipt.and_then(|receipt| world.shortage(sent, *receipt));
        world.trace.settled(
            sent.subject(),
            match &shortage {
                Some(error) => Err(error),
                None => result.as_ref().copied(),
            },
        );
        result
    }
}

impl World {
    /// Posts a message that is not delivered at once.
    #[cold]
    #[inline(never)]
    pub(crate) fn post_traced(
        &self,
        posting: Posting<'_>,
        held: &mut dyn Held,
    ) -> Result<Ticket, SendError> {
        let (cause, facts) = (self.trace.cause(), held.facts());
        let number = self.trace_posting(posting, SentBy::Post, cause, held.get());
        let posted = self.enter_traced_post(posting, number, held);
        posted.inspect_err(|error| {
            let subject = Subject {
                send: number,
                ..posting.subject(facts, self.common.time.moment())
            };
            self.trace.refused(subject, error);
        })
    }

    /// Traces a message that is about to be posted. Returns its number.
    #[cold]
    pub(crate) fn trace_posting(
        &self,
        posting: Posting<'_>,
        by: SentBy,
        cause: Option<TraceId>,
        message: &dyn AnyMessage,
    ) -> Option<TraceId> {
        let call = TracedCall {
            by,
            place: posting.place,
            stage: posting.header.stage,
        };
        let subject = posting.subject(message.facts(), self.common.time.moment());
        self.trace.sent(subject, call, cause, Some(message))
    }

    /// Like [`accept_any_mail`](Self::accept_any_mail), but traces it. Also returns the number of the
    /// message.
    #[cold]
    #[inline(never)]
    pub(crate) fn accept_traced_mail(
        &self,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
        message: &dyn AnyMessage,
    ) -> (Result<Accepted, SendError>, Option<TraceId>) {
        let (by, stage) = (SentBy::Publish, Stage::Immediate);
        let call = TracedCall { by, place, stage };
        let (subject, cause) = (
            Subject::new(message.facts(), to, sender, self.common.time.moment()),
            self.trace.cause(),
        );
        let send = self.trace.sent(subject, call, cause, Some(message));
        let accepted = self.accept_any_mail(to, sender, message);
        if let Err(error) = &accepted {
            self.trace.refused(Subject { send, ..subject }, error);
        }
        (accepted, send)
    }

    /// Like [`enter_post`](Self::enter_post), but takes the number that a traced message has.
    pub(crate) fn enter_traced_post(
        &self,
        posting: Posting<'_>,
        number: Option<TraceId>,
        held: &mut dyn Held,
    ) -> Result<Ticket, SendError> {
        let proxy = self
            .outside
            .proxies
            .posted_to(posting.header, &self.structure.messagees);
        let replaced = if self.trace.is_on() && proxy.is_none() {
            let (header, sender) = (posting.header, posting.sender.id());
            self.schedule.borrow().would_replace(header, sender)
        } else {
            None
        };
        let facts = held.facts();
        let ticket = self.enter_post(posting, held)?;
        if let Some(proxy) = proxy {
            let subject = Subject {
                send: number,
                ..posting.subject(facts, self.common.time.moment())
            };
            self.trace.carried(subject, proxy);
            return Ok(ticket);
        }
        if let Some(number) = number {
            self.schedule
                .borrow_mut()
                .enter_number(ticket.number, number);
        }
        if let Some(replaced) = replaced {
            self.trace
                .replaced(replaced.subject(self.common.time.moment()));
        }
        Ok(ticket)
    }

    /// Numbers a message that was posted before tracing began and is delivered now.
    #[cold]
    pub(crate) fn trace_overdue(
        &self,
        sent: &Sent<'_>,
        message: &dyn AnyMessage,
        due: &Due,
    ) -> Option<TraceId> {
        let (subject, call) = (sent.subject(), sent.traced_call(SentBy::Post));
        let number = self.trace.sent(subject, call, None, Some(message))?;
        if due.repeats {
            let posting = NonZeroU64::new(due.entry.number);
            self.schedule.borrow_mut().enter_number(posting, number);
        }
        Some(number)
    }
}

impl Sent<'_> {
    /// Traces a message that is kept for the receiver in a spot.
    #[cold]
    pub(crate) fn trace_waits(&self, spot: ReceiverSlot, intercepting: bool) {
        let until = match self.world.receiver(spot) {
            Receiver::Subscription(id) if intercepting => WaitsUntil::Intercepted(id),
            receiver => WaitsUntil::Free(receiver),
        };
        self.world.trace.waits(self.subject(), until);
    }
}
