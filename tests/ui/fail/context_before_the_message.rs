use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health;

#[handlers]
impl Health {
    #[on_receive]
    fn hurt(&mut self, _cx: &mut Context<'_>, _: &Damage) {}
}

fn main() {}
