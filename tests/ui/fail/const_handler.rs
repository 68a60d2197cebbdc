use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health;

#[handlers]
impl Health {
    #[on_receive]
    const fn hurt(&mut self, _: &Damage) {}
}

fn main() {}
