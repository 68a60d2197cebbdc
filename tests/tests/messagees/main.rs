//! Messagees: their components, their mnemonics and names, and their lifecycle messages.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/letters.rs"]
mod letters;
#[path = "../common/watchers.rs"]
mod watchers;

mod component_lists;
mod dropping;
mod dropping_a_manager;
mod hooks;
mod leaving;
mod lifecycle;
mod managers;
mod messagees;
mod mnemonics;
mod names;
mod speak_for;
mod together;
mod told;
mod verbs;
