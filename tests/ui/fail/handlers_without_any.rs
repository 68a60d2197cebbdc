use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health;

#[handlers]
impl Health {
    fn hurt(&mut self, _: &Damage) {}
}

fn main() {
    Health.hurt(&Damage);
}
