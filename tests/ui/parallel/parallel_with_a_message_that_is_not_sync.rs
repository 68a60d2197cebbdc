use std::cell::Cell;

use message_core::prelude::*;

#[derive(Message)]
struct Advance {
    steps: Cell<u32>,
}

struct Rocket;

#[handlers]
impl Rocket {
    #[on_receive(parallel)]
    fn advance(&mut self, advance: &Advance) {
        advance.steps.set(1);
    }
}

fn main() {}
