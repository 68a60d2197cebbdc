use message_core::prelude::*;

#[derive(Message)]
struct Damage;

#[derive(Message)]
struct Heal;

struct Health {
    shared: *const u32,
}

#[handlers]
impl Health {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) {}

    #[on_receive]
    fn mend(&mut self, _: &Heal) {}
}

fn main() {}
