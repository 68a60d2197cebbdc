//! Tracing: every step of every message as an event, with its cause.
//!
//! While a manager is traced, each send and each delivery has a number, and each send knows the
//! number of the delivery it was sent in, through every queue, stage, delay and mailbox.
//! [`MessageManager::explain`](crate::MessageManager::explain) answers "why did this happen" by
//! walking from cause to cause.
//!
//! Events go to a [`Recorder`], which is handed to
//! [`Recorder::start`](crate::trace::Recorder::start) and keeps the last of them, and with
//! the feature `tracing` to the crate of that name, under the target `message`. Disabled
//! tracing costs a send less than 1 %; without the feature `trace` the code is not there.
//!
//! The crate `message-export` writes a recording for <https://ui.perfetto.dev>, and as JSON lines.
//!
//! The idea of causes is from distributed tracing (Sigelman and others, "Dapper", 2010).

#[cfg(feature = "tracing")]
mod bridge;
mod display;
mod event;
mod explain;
mod filter;
mod id;
mod recorder;
mod tracer;

pub use event::{PassedOver, SentBy, TraceEvent, TraceOutcome, Traced, WaitsUntil};
pub use explain::Explanation;
pub use filter::TraceFilter;
pub use id::TraceId;
pub use recorder::Recorder;
pub(crate) use tracer::{Subject, Tracer, because_of};
