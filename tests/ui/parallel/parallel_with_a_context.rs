use message_core::prelude::*;

#[derive(Message)]
struct Advance;

struct Rocket;

#[handlers]
impl Rocket {
    #[on_receive(parallel)]
    fn advance(&mut self, _: &Advance, _: &mut Context<'_>) {}
}

fn main() {}
