//! The server over loopback: every path and every refusal.

#![allow(
    unreachable_pub,
    reason = "nothing of a test can be reached from outside"
)]

mod answers;
mod breaks;
mod change;
mod client;
mod dead;
mod recording;
mod refusals;
mod rooms;
mod slow;
mod travel;
mod views;
mod world;
