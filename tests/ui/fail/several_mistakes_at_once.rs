use message_core::prelude::*;

#[derive(Message)]
struct Damage;

#[derive(Message)]
struct Heal;

struct Health;

#[handlers(priority = 1)]
impl Health {
    #[on_receive]
    async fn hurt(self, _: Damage) {}

    #[on_receive(priority = 1, priority = 2)]
    fn heal(&mut self, _: &Heal, _: u8, _: u16) {}
}

fn main() {}
