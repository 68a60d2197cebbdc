use message_core::prelude::*;

#[derive(Message)]
struct Damage;

fn hear(_: &Damage) {}

fn main() {
    let mut manager = MessageManager::new();
    manager.subscribe(Filter::of::<Damage>(), hear);
}
