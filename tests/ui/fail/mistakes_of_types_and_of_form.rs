use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Heal;

struct Health;

#[handlers]
impl Health {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) -> u32 {
        7
    }

    #[on_receive]
    fn heal(&mut self, _: &Heal) {}

    #[on_receive]
    fn nothing(&mut self) {}
}

fn main() {}
