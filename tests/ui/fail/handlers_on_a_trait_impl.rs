use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health;

trait Hurt {
    fn hurt(&mut self, damage: &Damage);
}

#[handlers]
impl Hurt for Health {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) {}
}

fn main() {
    Health.hurt(&Damage);
}
