use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health;

#[handlers]
impl Health {
    #[on_receive(order = 3)]
    fn hurt(&mut self, _: &Damage) {}
}

fn main() {}
