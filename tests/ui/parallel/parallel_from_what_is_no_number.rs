use message_core::prelude::*;

#[derive(Message)]
struct Advance;

struct Rocket;

#[handlers]
impl Rocket {
    #[on_receive(parallel = "many")]
    fn advance(&mut self, _: &Advance) {}
}

fn main() {}
