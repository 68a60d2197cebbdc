//! Seeing: causes, explanations, recordings, and the forms in which they are written.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

#[path = "../common/chrome.rs"]
mod chrome;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/inlets.rs"]
mod inlets;
#[path = "../common/pending.rs"]
mod pending;
#[path = "../common/programs.rs"]
mod programs;
#[path = "../common/traces.rs"]
mod traces;

mod causes;
mod causes_after;
mod causes_later;
mod causes_of_threads;
mod chrome_trace;
mod counted;
mod explaining;
mod json_lines;
mod names_in_traces;
mod recorder;
mod seeing_together;
mod sinks;
mod tracing_events;
mod why_not;
