//! Peers: other ways for Rust programs to pass messages, each used as its own documentation recommends.
//!
//! A peer implements the rows that it can express, and does so as its users would: a handler that
//! cannot send immediately sends later, and a mailbox without addresses is read by one reader that sorts.
//! Each module's documentation names the chosen way, and the omitted rows with the reasons.
//!
//! | | W1 | W2 | W3-out | W3-in | W4 | W5 | W5-cancel | W6 | W6-pass | W7 | W8 | W9 |
//! |---|---|---|---|---|---|---|---|---|---|---|---|---|
//! | evenio | yes | yes | yes | deferred | yes | – | – | – | – | yes | deferred | yes |
//! | `bevy_ecs` | yes | yes | yes | deferred | yes | yes | – | yes | yes | yes | deferred | yes |
//! | actix | yes | 1k | yes | yes | yes | – | – | yes | – | yes | queued | – |
//! | shrev | – | – | – | – | – | – | – | yes | yes | – | – | – |
//! | hecs | direct | direct | direct | direct | direct | – | – | – | – | – | direct | yes |
//!
//! The rows that depart from another one are compared with that one, and have no peers.
//!
//! hecs has no messages. It serves as a bound: the cost of a peer that finds a component of an object
//! as fast as an ECS does, and delivers for free.

mod actix;
#[allow(
    clippy::needless_pass_by_value,
    reason = "an observer or a system takes its parameters by value"
)]
mod bevy;
#[allow(
    clippy::needless_pass_by_value,
    reason = "a handler takes its parameters by value"
)]
mod evenio;
mod hecs;
mod shrev;

use crate::compare::Contender;

pub(super) fn contenders() -> Vec<Contender> {
    let mut all = evenio::contenders();
    all.extend(bevy::contenders());
    all.extend(actix::contenders());
    all.extend(shrev::contenders());
    all.extend(hecs::contenders());
    all
}
