//! Events for the `tracing` crate, under the target `message`.

use crate::trace::{TraceEvent, TraceId, TraceOutcome, Traced};

/// Emits an event with the level that fits it. Its fields are the numbers and names; its message is
/// the line that [`TraceEvent`] prints.
macro_rules! emit_at {
    ($level:ident, $event:expr) => {
        tracing::event!(
            target: "message",
            tracing::Level::$level,
            send = $event.send.map(TraceId::get),
            delivery = $event.what.delivery().map(TraceId::get),
            cause = cause($event).map(TraceId::get),
            name = $event.message,
            from = %$event.sender,
            to = %$event.recipient,
            frame = $event.moment.frame,
            "{}",
            $event
        )
    };
}

pub(super) fn emit(event: &TraceEvent) {
    match &event.what {
        Traced::Erred { .. }
        | Traced::Refused { .. }
        | Traced::Died { .. }
        | Traced::Returned {
            outcome: TraceOutcome::Panicked,
            ..
        } => emit_at!(WARN, event),
        Traced::PassedOver { .. } | Traced::Waits { .. } | Traced::Cancelled | Traced::Replaced => {
            emit_at!(DEBUG, event)
        }
        Traced::Sent { .. }
        | Traced::Called { .. }
        | Traced::Returned { .. }
        | Traced::Settled { .. } => emit_at!(TRACE, event),
    }
}

fn cause(event: &TraceEvent) -> Option<TraceId> {
    match event.what {
        Traced::Sent { cause, .. } => cause,
        _ => None,
    }
}
