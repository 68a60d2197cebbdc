//! `before` names a component that has no handler for the message.

use message_core::prelude::*;

#[derive(Message)]
struct Hit;

struct Scenery;

struct Shield;

#[handlers]
impl Shield {
    #[on_receive(before(Scenery))]
    fn hit(&mut self, _: &Hit) {}
}

fn main() {}
