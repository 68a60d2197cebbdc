//! Subscriptions and overhearing.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/subscribers.rs"]
mod subscribers;

mod addressee;
mod as_sent;
mod busy_subscribers;
mod declining;
mod filters;
mod interceptors;
mod interplay;
mod listening_stages;
mod overhearing;
mod overhearing_later;
mod overhearing_nested;
mod predicates;
mod retained;
mod retained_later;
mod retained_paused;
mod subscribing;
mod subscriptions;
