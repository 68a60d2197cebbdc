//! A plugin with its own copy of message-core.
#![forbid(unsafe_code)]

use message_core::prelude::*;

message_core::plugin!("alone");

#[derive(Message)]
#[message(name = "alone.Ping")]
pub struct Ping;

pub struct Hermit;

#[handlers]
impl Hermit {
    #[on_receive]
    fn ping(&mut self, _: &Ping) {}
}
