//! Recordings of [`message_core`] in formats of other programs: [Chrome trace JSON](write_chrome_trace), which
//! [Perfetto](https://ui.perfetto.dev) draws, and [JSON lines](write_json_lines).
//!
//! ```
//! use message_core::prelude::*;
//! use message_core::trace::{Recorder, TraceFilter};
//!
//! #[derive(Message)]
//! struct Ping;
//!
//! let mut manager = MessageManager::new();
//! Recorder::new(100).start(&mut manager);
//! manager.send(Everyone, Ping)?;
//! let recorder = Recorder::stop(&mut manager).expect("it was started");
//! message_export::write_json_lines(&recorder, &TraceFilter::all(), std::io::stdout())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod chrome;
mod lines;

pub use chrome::write_chrome_trace;
pub use lines::write_json_lines;
