//! Events for the `tracing` crate, under the target `message`.

use crate::trace::{TraceEvent, TraceId, TraceOutcome, Traced};

/// The severity of an event for its reader.
enum Kind {
    /// A failure.
    Trouble,
    /// A message waits, or never arrives.
    Detour,
    /// A step on a message's usual way.
    Way,
}

/// Emits an event at the level that fits it. Its fields are the numbers and names; its message is
/// the line that [`TraceEvent`] prints.
pub(super) fn emit(event: &TraceEvent) {
    // A level has to be known when compiling.
    macro_rules! emit_at {
        ($level:ident) => {
            tracing::$level!(
                target: "message",
                send = event.send.map(TraceId::get),
                delivery = event.what.delivery().map(TraceId::get),
                cause = cause(event).map(TraceId::get),
                name = event.message,
                from = %event.sender,
                to = %event.recipient,
                frame = event.moment.frame,
                "{event}"
            )
        };
    }
    match kind_of(event) {
        Kind::Trouble => emit_at!(warn),
        Kind::Detour => emit_at!(debug),
        Kind::Way => emit_at!(trace),
    }
}

fn kind_of(event: &TraceEvent) -> Kind {
    match &event.what {
        Traced::Erred { .. }
        | Traced::Refused { .. }
        | Traced::Died { .. }
        | Traced::Returned {
            outcome: TraceOutcome::Panicked,
            ..
        } => Kind::Trouble,
        Traced::PassedOver { .. }
        | Traced::Unhandled { .. }
        | Traced::Waits { .. }
        | Traced::Cancelled
        | Traced::Replaced => Kind::Detour,
        Traced::Sent { .. }
        | Traced::Called { .. }
        | Traced::Carried { .. }
        | Traced::Returned { .. }
        | Traced::Settled { .. } => Kind::Way,
    }
}

fn cause(event: &TraceEvent) -> Option<TraceId> {
    match event.what {
        Traced::Sent { cause, .. } => cause,
        _ => None,
    }
}
