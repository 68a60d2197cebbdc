//! The manager held against naive models, by random programs.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

#[path = "../common/mod.rs"]
mod common;

mod frames;
mod listeners_model;
mod mail_model;
mod model;
