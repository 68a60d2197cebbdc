use message_core::prelude::*;

#[derive(Message)]
struct Damage;

fn main() {
    let mut manager = MessageManager::new();
    let mut heard = 0;
    manager.subscribe(Filter::of::<Damage>(), |_, _| heard += 1);
}
