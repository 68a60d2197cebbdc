//! Tracing: every step of every message as an event, with its cause.
//!
//! While a manager is traced, each send and each delivery has a number, and each send knows the
//! number of the delivery it was sent in, through every queue, stage, delay and mailbox.
//! Events go to each [`TraceSink`] that was [set](crate::MessageManager::set_trace_sink). While
//! there is none, tracing costs a send one comparison.
//!
//! The crate `message-trace` has the sinks that most programs use: a recorder that keeps the last events and answers "why
//! did this happen" by walking from cause to cause, and events for the crate `tracing`. It writes a recording for
//! <https://ui.perfetto.dev>, and as JSON lines.
//!
//! The idea of causes is from distributed tracing (Sigelman and others, "Dapper", 2010).

mod display;
mod elsewhere;
mod event;
mod id;
mod place;
mod sink;
mod tracer;

pub use elsewhere::{BackFrom, SentElsewhere, TraceContext};
pub use event::{PassedOver, SentBy, TraceEvent, TraceOutcome, Traced, WaitsUntil};
pub use id::TraceId;
pub use place::SourcePlace;
pub use sink::TraceSink;
pub(crate) use tracer::{Subject, Tracer, because_of};
