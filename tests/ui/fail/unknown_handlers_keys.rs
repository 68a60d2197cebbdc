use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health;

#[handlers(priority = 3, type(Health))]
impl Health {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) {}
}

fn main() {}
