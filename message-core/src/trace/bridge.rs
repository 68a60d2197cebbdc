//! Events for the `tracing` crate, under the target `message`.

use crate::trace::{TraceEvent, TraceId, TraceOutcome, Traced};

/// Emits an event at the level that fits it: a failure, a message that waits or never arrives, or a step on a
/// message's usual way. Its fields are the numbers and names; its message is the line that [`TraceEvent`] prints.
pub(super) fn emit(event: &TraceEvent) {
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
                "{event}"
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
}
