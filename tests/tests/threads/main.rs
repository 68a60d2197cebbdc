//! Other threads: the inlet.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/inlets.rs"]
mod inlets;
#[path = "../common/letters.rs"]
mod letters;

mod asking;
mod inlet;
mod inlet_failures;
mod inlet_threads;
