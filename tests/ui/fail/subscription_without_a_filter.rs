use message_core::prelude::*;

#[derive(Message)]
struct Damage;

fn main() {
    let mut manager = MessageManager::new();
    let orc = manager.spawn(());
    manager.subscribe(orc, |_: &Damage, _: &mut SubscriberContext<'_>| ());
}
