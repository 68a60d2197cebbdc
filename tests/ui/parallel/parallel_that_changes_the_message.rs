use message_core::prelude::*;

#[derive(Message)]
struct Advance;

struct Rocket;

#[handlers]
impl Rocket {
    #[on_receive(parallel)]
    fn advance(&self, _: &mut Advance) {}
}

fn main() {}
