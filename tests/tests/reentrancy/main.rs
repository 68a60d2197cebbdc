//! Re-entrancy: the sends and changes of handlers while others are running, and how deep they may nest.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/watchers.rs"]
mod watchers;

mod changes;
mod endless;
mod limits;
mod looking;
mod newborns;
mod reentrancy;
mod stack;
mod storming;
mod storms_kept;
mod storms_nested;
mod storms_posted;
mod switching;
