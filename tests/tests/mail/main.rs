//! Mailboxes, and the desk at which they are read.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/traces.rs"]
mod traces;

mod batches;
mod desk;
mod desk_components;
mod dynamic_mail;
mod fixed_passes;
mod mail_cursors;
mod mail_from_handlers;
mod mailboxes;
mod writers;
