//! Failures: errors, panics, dead letters, required receivers, and reports.
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
#[path = "../common/letters.rs"]
mod letters;
#[path = "../common/pending.rs"]
mod pending;
#[path = "../common/programs.rs"]
mod programs;
#[path = "../common/traces.rs"]
mod traces;

mod brittle;
mod dead_letters;
mod errors;
mod lost;
mod panic_lifecycle;
mod panic_listeners;
mod panic_policy;
mod panic_programs;
mod panic_told;
mod panics;
mod panics_in_a_pass;
mod panics_left;
mod panics_together;
mod reported;
mod required;
