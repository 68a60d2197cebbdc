// holds: subscriptions.returns
use message_core::prelude::*;

#[derive(Message)]
struct Damage {
    amount: u32,
}

fn main() {
    let mut manager = MessageManager::new();
    manager.subscribe(Filter::of::<Damage>().before(), |damage, _| {
        damage.amount > 0
    });
}
