use std::cell::Cell;

use message_core::prelude::*;

#[derive(Message)]
struct Advance;

struct Rocket {
    fuel: Cell<u32>,
}

#[handlers]
impl Rocket {
    #[on_receive(parallel)]
    fn advance(&self, _: &Advance) {
        self.fuel.set(1);
    }
}

fn main() {}
