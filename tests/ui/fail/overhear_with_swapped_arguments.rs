use message_core::prelude::*;

#[derive(Message)]
struct Damage;

fn main() {
    let mut manager = MessageManager::new();
    let orc = manager.spawn(());
    let _ = manager.overhear(Filter::of::<Damage>(), orc);
}
