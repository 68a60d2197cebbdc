use message_core::prelude::*;

struct Damage;

fn main() {
    let mut manager = MessageManager::new();
    let orc = manager.spawn(());
    let _ = manager.send(orc, Damage);
}
