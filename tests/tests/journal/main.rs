//! Journals: a manager is recovered from the files that a killed process has left, whatever has happened to them.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

#[path = "../common/mod.rs"]
mod common;

mod damage;
mod failing;
mod kills;
mod memory;
mod opening;
mod world;
