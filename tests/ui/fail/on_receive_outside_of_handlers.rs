use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health;

impl Health {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) {}
}

fn main() {
    Health.hurt(&Damage);
}
