//! The delivery that answers a question of another node.

use message_core::error::Receiver;
use message_core::registry::Place;
use message_core::trace::{SentBy, TraceEvent, TraceId, TraceOutcome, TraceSink, Traced};
use message_core::{MessageId, MessageManager};

/// The delivery that has answered, or that has failed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handled {
    pub(crate) delivery: TraceId,
    /// The place of its handler in the source.
    pub(crate) place: Option<Place>,
}

/// Finds the delivery that answers a request, from the events of a manager that is traced anyway.
#[derive(Debug)]
pub(crate) struct Answering {
    request: MessageId,
    send: Option<TraceId>,
    called: Option<Handled>,
    handled: Option<Handled>,
}

impl Answering {
    /// Begins to watch the next request of a type.
    pub(crate) fn begin(manager: &mut MessageManager, request: MessageId) {
        manager.set_trace_sink(Some(Self {
            request,
            send: None,
            called: None,
            handled: None,
        }));
    }

    /// Stops watching. Returns the delivery that has answered; if there is none, the last one that has failed.
    pub(crate) fn end(manager: &mut MessageManager) -> Option<Handled> {
        manager.set_trace_sink::<Self>(None)?.handled
    }

    /// Returns the place of a handler.
    fn place(&self, receiver: Receiver, handler: Option<&str>) -> Option<Place> {
        let Receiver::Component {
            component: called, ..
        } = receiver
        else {
            return None;
        };
        let mut handlers = message_core::registry().handlers_of(self.request);
        let found = handlers.find(|it| it.component == called && Some(it.method) == handler);
        found.map(|it| it.place)
    }
}

impl TraceSink for Answering {
    fn event(&mut self, event: TraceEvent) {
        if event.message_id != self.request {
            return;
        }
        if self.send.is_none()
            && let Traced::Sent {
                by: SentBy::Request,
                ..
            } = event.what
        {
            self.send = event.send;
        }
        if self.send.is_none() || event.send != self.send {
            return;
        }
        match event.what {
            Traced::Called {
                delivery,
                receiver,
                handler,
                ..
            } => {
                let place = self.place(receiver, handler);
                self.called = Some(Handled { delivery, place });
            }
            Traced::Returned {
                delivery, outcome, ..
            } => {
                let called = self.called.filter(|called| called.delivery == delivery);
                match outcome {
                    TraceOutcome::Answered => self.handled = called,
                    TraceOutcome::Failed | TraceOutcome::Panicked => {
                        self.handled = self.handled.or(called);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Returns `true`, so that a manager is not traced for this alone: while others are, this gets the events, too.
    fn is_full(&self) -> bool {
        true
    }
}
