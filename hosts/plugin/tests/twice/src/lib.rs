//! A plugin with a copy of a crate that the program also has.
#![forbid(unsafe_code)]

use message_core::prelude::*;
use weather::Wind;

message_core::plugin!("twice", shared(weather));

pub struct Sail;

#[handlers]
impl Sail {
    #[on_receive]
    fn fill(&mut self, _: &Wind) {}
}
