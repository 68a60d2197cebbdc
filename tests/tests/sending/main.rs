//! Sending: recipients, requests, receipts, and the parameters and return values of handlers.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/subscribers.rs"]
mod subscribers;
#[path = "../common/watchers.rs"]
mod watchers;

mod carrier;
mod dynamic;
mod families;
mod groups;
mod order_between_pairs;
#[cfg(feature = "rayon")]
mod parallel;
mod post_to;
mod random_programs;
mod receipts;
mod receiving;
mod recipients;
mod requests;
mod returns;
mod sending;
mod short_way;
mod stopping;
mod to_a_hook;
mod two_types;
mod unhandled;
