//! The server over loopback: every path and every refusal.

#![allow(
    unreachable_pub,
    reason = "nothing of a test can be reached from outside"
)]

mod breaks;
mod client;
mod recording;
mod refusals;
mod slow;
mod travel;
mod views;
mod world;
