//! A plugin with a shared crate that can be built in several ways.
#![forbid(unsafe_code)]

use climate::Rain;
use message_core::prelude::*;

message_core::plugin!("rain", shared(climate));

pub struct Puddle;

#[handlers]
impl Puddle {
    #[on_receive]
    fn fill(&mut self, _: &Rain) {}
}
