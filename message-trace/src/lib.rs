//! Seeing what happens in [`message_core`]: a [`Recorder`] that keeps the last events of a manager and
//! [explains](Recorder::explain) them, a [description](describe) of each in words, a [`TraceFilter`] for events, and
//! recordings in formats of other programs: [Chrome trace JSON](write_chrome_trace), which
//! [Perfetto](https://ui.perfetto.dev) draws, and [JSON lines](write_json_lines). A [`Flow`] is a fixed picture of who
//! sends what to whom, as sorted text and as Mermaid.
//!
//! ```
//! use message_core::prelude::*;
//! use message_trace::{Recorder, TraceFilter};
//!
//! #[derive(Message)]
//! struct Ping;
//!
//! let mut manager = MessageManager::new();
//! Recorder::new(100).start(&mut manager);
//! manager.send(Everyone, Ping)?;
//! let recorder = Recorder::stop(&mut manager).expect("it was started");
//! message_trace::write_json_lines(&recorder, &TraceFilter::all(), std::io::stdout())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `json` | yes | `write_chrome_trace` and `write_json_lines` |
//! | `tracing` | no | `emit_tracing_events` and `warn`: events of the crate `tracing` |
//! | `trace-context` | no | these events have the ids of [Trace Context](https://www.w3.org/TR/trace-context/); enables `tracing` |

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "json")]
mod chrome;
#[cfg(feature = "trace-context")]
mod contexts;
mod describe;
mod explain;
mod filter;
mod flow;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod lines;
mod recorder;
#[cfg(feature = "tracing")]
mod tracing;

#[cfg(feature = "json")]
pub use chrome::write_chrome_trace;
pub use describe::describe;
pub use explain::Explanation;
pub use filter::TraceFilter;
pub use flow::Flow;
#[cfg(feature = "json")]
pub use lines::write_json_lines;
pub use recorder::Recorder;
#[cfg(feature = "tracing")]
pub use tracing::{emit_tracing_events, warn};
