use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health;

#[handlers]
impl Health {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) {}
}

#[handlers]
impl Health {
    #[on_receive]
    fn bruise(&self, _: &Damage) {}
}

fn main() {}
