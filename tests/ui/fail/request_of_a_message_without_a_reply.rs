use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Health;

#[handlers]
impl Health {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) {}
}

fn main() {
    let mut manager = MessageManager::new();
    let orc = manager.spawn((Health,));
    let _ = manager.request(orc, Damage);
}
