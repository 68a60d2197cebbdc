//! Events for the `tracing` crate, under the target `message`.

use message_core::MessageManager;
use message_core::report::Report;
#[cfg(feature = "trace-context")]
use message_core::trace::TraceContext;
use message_core::trace::{TraceEvent, TraceId, TraceOutcome, TraceSink, Traced};

#[cfg(feature = "trace-context")]
use crate::contexts::Contexts;
use crate::describe;

/// Switches events of the `tracing` crate on or off. There is one event for each step of a message, with
/// target `message`: level `TRACE` for sends and deliveries, `DEBUG` for messages that wait or are
/// cancelled, and `WARN` for failures.
///
/// The program installs a subscriber of the `tracing` crate to receive the events. As with a recorder,
/// each send and each delivery has a number in the meantime.
///
/// With the feature `trace-context`, each event has a field `traceparent` with the ids of
/// [Trace Context](https://www.w3.org/TR/trace-context/): the trace, which everything that a cause has led to has in
/// common, and the span, which is the send or the delivery. The field `parent_span` has the span of the cause. A message
/// to another node that emits such events, too, continues the trace there, so what collects the events of both can join
/// them.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// struct Ears { traced: bool }
///
/// #[handlers]
/// impl Ears {
///     #[on_receive]
///     fn hear(&mut self, _: &Ping, cx: &mut Context<'_>) {
///         self.traced = cx.trace_id().is_some();
///     }
/// }
///
/// let mut manager = MessageManager::new();
/// let id = manager.spawn((Ears { traced: false },));
/// message_trace::emit_tracing_events(&mut manager, true);
/// manager.send(id, Ping)?;
/// assert!(manager.get::<Ears>(id)?.traced);
/// message_trace::emit_tracing_events(&mut manager, false);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics if a handler panics while this call settles what an earlier panic left pending; see
/// [`settle`](MessageManager::settle).
pub fn emit_tracing_events(manager: &mut MessageManager, emit: bool) {
    manager.set_trace_sink(emit.then(Emitter::default));
}

/// Emits a report as a `WARN` event with target `message`. Give it to
/// [`ManagerConfig::report_to`](message_core::ManagerConfig::report_to).
///
/// ```
/// use message_core::prelude::*;
/// use message_core::report::ReportTo;
///
/// let config = ManagerConfig::new().report_to(ReportTo::Function(message_trace::warn));
/// let manager = MessageManager::with_config(config);
/// # drop(manager);
/// ```
pub fn warn(report: &Report) {
    tracing::warn!(target: "message", name = report.message(), "{report}");
}

/// Emits an event at the level that fits it: a failure, a message that waits or never arrives, or a step on a
/// message's usual way. Its fields are the numbers and names, and those that are given; its message is the line that
/// [`TraceEvent`] prints.
macro_rules! emit {
    ($event:expr $(, $field:ident = $value:expr)* $(,)?) => {{
        let event: &TraceEvent = $event;
        let cause = match event.what {
            Traced::Sent { cause, .. } => cause,
            _ => None,
        };
        // A level has to be known when compiling.
        macro_rules! emit_at {
            ($level:ident) => {
                tracing::$level!(
                    target: "message",
                    send = event.send.map(TraceId::get),
                    delivery = event.what.delivery().map(TraceId::get),
                    cause = cause.map(TraceId::get),
                    name = event.message,
                    from = %event.sender,
                    to = %event.recipient,
                    frame = event.moment.frame,
                    $($field = $value,)*
                    "{}",
                    describe(event)
                )
            };
        }
        match &event.what {
            Traced::Erred { .. }
            | Traced::Refused { .. }
            | Traced::Died { .. }
            | Traced::Returned {
                outcome: TraceOutcome::Panicked,
                ..
            } => emit_at!(warn),
            Traced::PassedOver { .. }
            | Traced::Unhandled { .. }
            | Traced::Waits { .. }
            | Traced::Cancelled
            | Traced::Replaced => emit_at!(debug),
            _ => emit_at!(trace),
        }
    }};
}

/// The sink whose events go to the `tracing` crate.
#[derive(Default)]
struct Emitter {
    #[cfg(feature = "trace-context")]
    contexts: Contexts,
}

impl TraceSink for Emitter {
    #[cfg(not(feature = "trace-context"))]
    fn event(&mut self, event: TraceEvent) {
        emit!(&event);
    }

    #[cfg(feature = "trace-context")]
    fn event(&mut self, event: TraceEvent) {
        let ids = self.contexts.ids(&event);
        let traceparent = ids.map(|ids| ids.own.to_string());
        let parent = ids.and_then(|ids| ids.parent);
        let parent = parent.map(|parent| format!("{:016x}", u64::from_be_bytes(parent)));
        emit!(
            &event,
            traceparent = traceparent.as_deref(),
            parent_span = parent.as_deref(),
        );
    }

    #[cfg(feature = "trace-context")]
    fn context(&self, of: TraceId) -> Option<TraceContext> {
        self.contexts.of(of)
    }
}
