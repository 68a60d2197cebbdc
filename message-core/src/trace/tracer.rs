//! The source of a manager's events: numbers, the cause of the current sends, and the sinks.
//!
//! While nothing is traced, nothing here is called: a send checks one flag, and deliveries check one that
//! they share with the panic policy.

use std::any::Any;
use std::cell::{Cell, OnceCell, Ref, RefCell, RefMut};
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::time::Duration;

use crate::address::{HookId, Recipient, Sender};
use crate::error::{Receiver, SendError};
use crate::message::{AnyMessage, Facts};
use crate::structure::Structure;
use crate::tag::TagSet;
use crate::time::{Moment, Stage, WallSource, wall_time};
use crate::trace::{
    SentBy, SourcePlace, TraceContext, TraceEvent, TraceId, TraceOutcome, TraceSink, Traced,
};

/// The message that an event is about.
#[derive(Clone, Copy)]
pub(crate) struct Subject {
    pub(crate) send: Option<TraceId>,
    pub(crate) facts: &'static Facts,
    pub(crate) own_tags: TagSet,
    pub(crate) sender: Sender,
    pub(crate) recipient: Recipient,
    pub(crate) moment: Moment,
    /// The call by which it was sent.
    pub(crate) place: &'static Location<'static>,
    pub(crate) stage: Stage,
}

#[derive(Default)]
pub(crate) struct Tracer {
    on: Cell<bool>,
    numbers: Cell<u64>,
    /// The delivery that is running, or any other cause of the current sends.
    cause: Cell<Option<TraceId>>,
    /// The delivery that is running, whatever the cause of its sends.
    running: Cell<Option<TraceId>>,
    /// Each in a cell of its own, so that the others get the events that happen while somebody looks at one of them.
    pub(crate) sinks: Vec<RefCell<Box<dyn TraceSink>>>,
    clock: Option<WallSource>,
    /// The call that a replay makes, and the place of the call that it repeats.
    pub(crate) repeated: Option<(&'static Location<'static>, SourcePlace)>,
    /// The time when tracing was switched on for the first time.
    began: OnceCell<Duration>,
    /// The time of the last event.
    last: Cell<Duration>,
}

/// Calls `run` with the value that holds a tracer, and sets the cause for the duration of the call.
/// Afterwards, also after a panic, the previous cause is restored.
pub(crate) fn because_of<S, T>(
    state: &mut S,
    tracer: fn(&S) -> &Tracer,
    cause: Option<TraceId>,
    run: impl FnOnce(&mut S) -> T,
) -> T {
    let before = tracer(state).cause.replace(cause);
    let result = catch_unwind(AssertUnwindSafe(|| run(state)));
    tracer(state).cause.set(before);
    result.unwrap_or_else(|payload| resume_unwind(payload))
}

/// A delivery under way. Unless [`returned`](Self::returned) is called, it has panicked.
pub(crate) struct Delivery<'t> {
    tracer: &'t Tracer,
    structure: &'t Structure,
    subject: Subject,
    id: TraceId,
    receiver: Receiver,
    outcome: TraceOutcome,
    /// The cause before it, and the delivery around it.
    before: Option<TraceId>,
    around: Option<TraceId>,
}

impl Delivery<'_> {
    pub(crate) fn returned(mut self, outcome: TraceOutcome) {
        self.outcome = outcome;
    }
}

impl Drop for Delivery<'_> {
    fn drop(&mut self) {
        self.tracer.running.set(self.around);
        self.tracer.look(self.structure);
        let what = Traced::Returned {
            delivery: self.id,
            receiver: self.receiver,
            outcome: self.outcome.clone(),
        };
        self.tracer.tell(self.subject, what);
        self.tracer.cause.set(self.before);
    }
}

impl Tracer {
    pub(crate) fn new(clock: Option<WallSource>) -> Self {
        Self {
            clock,
            ..Self::default()
        }
    }

    /// Returns `true` if events are traced.
    pub(crate) fn is_on(&self) -> bool {
        self.on.get()
    }

    /// Sets the sink of a type, and returns the previous one of that type.
    pub(crate) fn set_sink<S: TraceSink>(&mut self, sink: Option<S>) -> Option<S> {
        let mut sinks = self.sinks.iter_mut();
        let at = sinks.position(|it| (&**it.get_mut() as &dyn Any).is::<S>());
        // With its cell, so that a guard that was leaked is forgotten.
        let before = at.map(|at| self.sinks.remove(at).into_inner());
        let sink = sink.map(|sink| RefCell::new(Box::new(sink) as Box<dyn TraceSink>));
        self.sinks.extend(sink);
        self.update();
        if self.is_on() {
            self.began.get_or_init(|| wall_time(self.clock));
        }
        let before: Box<dyn Any> = before?;
        before.downcast().ok().map(|sink| *sink)
    }

    /// Returns the sink of a type.
    pub(crate) fn sink<S: TraceSink>(&self) -> Option<Ref<'_, S>> {
        let mut sinks = self.sinks.iter().filter_map(|sink| sink.try_borrow().ok());
        sinks.find_map(|sink| {
            let sink = Ref::map(sink, |sink| &**sink as &dyn Any);
            Ref::filter_map(sink, <dyn Any>::downcast_ref).ok()
        })
    }

    /// Traces as long as a sink takes events.
    fn update(&self) {
        let is_full =
            |sink: &RefCell<Box<dyn TraceSink>>| sink.try_borrow().is_ok_and(|sink| sink.is_full());
        self.on.set(!self.sinks.iter().all(is_full));
    }

    /// Returns the time of the wall clock, but always later than the previous result. With a coarse
    /// clock, a cause and its effect would otherwise have the same time.
    fn wall(&self) -> Duration {
        let now = wall_time(self.clock);
        let began = *self.began.get_or_init(|| now);
        let after_last = self.last.get().saturating_add(Duration::from_nanos(1));
        let wall = now.saturating_sub(began).max(after_last);
        self.last.set(wall);
        wall
    }

    fn number(&self) -> TraceId {
        let numbers = self.numbers.get();
        self.numbers.set(numbers + 1);
        TraceId::after(numbers)
    }

    /// Returns the cause of the current sends.
    pub(crate) fn cause(&self) -> Option<TraceId> {
        self.cause.get()
    }

    /// Returns the delivery that is running.
    pub(crate) fn running(&self) -> Option<TraceId> {
        self.running.get()
    }

    /// Traces what happens to a message.
    pub(crate) fn tell(&self, subject: Subject, what: Traced) {
        let event = TraceEvent {
            send: subject.send,
            message: subject.facts.name,
            message_id: subject.facts.id,
            tags: subject.facts.tags() | subject.own_tags,
            sender: subject.sender,
            recipient: subject.recipient,
            moment: subject.moment,
            wall: self.wall(),
            what,
        };
        let mut sinks = self.free_sinks();
        if let Some(mut first) = sinks.next() {
            sinks.for_each(|mut sink| sink.event(event.clone()));
            first.event(event);
            if first.is_full() {
                drop(first);
                self.update();
            }
        }
    }

    /// Returns the sinks that nobody is looking at.
    pub(crate) fn free_sinks(&self) -> impl Iterator<Item = RefMut<'_, Box<dyn TraceSink>>> {
        let sinks = self.sinks.iter();
        sinks.filter_map(|sink| sink.try_borrow_mut().ok())
    }

    /// Traces that a message is sent. Returns it with its number.
    pub(crate) fn sent(
        &self,
        subject: Subject,
        by: SentBy,
        cause: Option<TraceId>,
        message: Option<&dyn AnyMessage>,
    ) -> Subject {
        let wanted = self.free_sinks().any(|sink| sink.wants_contents());
        let contents = message.filter(|_| wanted);
        let contents = contents.map(|message| format!("{message:?}"));
        let send = Some(self.number());
        let subject = Subject { send, ..subject };
        let what = Traced::Sent {
            cause,
            by,
            place: self.source(subject.place),
            stage: subject.stage,
            contents,
        };
        self.tell(subject, what);
        subject
    }

    /// Traces that a message has come from another manager. Returns the number of the event.
    pub(crate) fn came(&self, subject: Subject, what: Traced) -> TraceId {
        let number = self.number();
        let send = Some(number);
        self.tell(Subject { send, ..subject }, what);
        number
    }

    /// Returns the ids by which other programs know a send.
    pub(crate) fn context(&self, of: TraceId) -> Option<TraceContext> {
        self.free_sinks().find_map(|sink| sink.context(of))
    }

    /// Returns the place of a call. That of a repeated call is the one in the log.
    fn source(&self, place: &'static Location<'static>) -> SourcePlace {
        match &self.repeated {
            // A wire has the call that made it, which was another one.
            Some((call, _)) if *call == place && self.running().is_some() => SourcePlace::LOGGED,
            Some((call, logged)) if *call == place => logged.clone(),
            _ => place.into(),
        }
    }

    fn look(&self, structure: &Structure) {
        self.free_sinks().for_each(|mut sink| sink.look(structure));
    }

    /// Traces that a receiver is called.
    pub(crate) fn called<'t>(
        &'t self,
        structure: &'t Structure,
        subject: Subject,
        receiver: Receiver,
        hook: Option<HookId>,
        handler: Option<&'static str>,
    ) -> Delivery<'t> {
        self.look(structure);
        let delivery = self.number();
        let what = Traced::Called {
            delivery,
            receiver,
            hook,
            handler,
        };
        self.tell(subject, what);
        Delivery {
            tracer: self,
            structure,
            subject,
            id: delivery,
            receiver,
            outcome: TraceOutcome::Panicked,
            before: self.cause.replace(Some(delivery)),
            around: self.running.replace(Some(delivery)),
        }
    }

    pub(crate) fn refused(&self, subject: Subject, error: &SendError) {
        let error = error.clone();
        self.tell(subject, Traced::Refused { error });
    }
}
