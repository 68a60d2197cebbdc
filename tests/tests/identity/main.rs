//! Message identity: names, ids, tags, and what a program or its crates declare.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

#[path = "../common/mod.rs"]
mod common;

mod handlers;
mod identity;
mod linked;
mod messages;
mod ordering;
mod renamed;
mod tags;
mod user;
