use message_core::prelude::*;

#[derive(Message)]
struct Damage;

fn main() {
    let mut manager = MessageManager::new();
    manager.subscribe(Filter::all(), |_: &Damage, _: &mut SubscriberContext<'_>| ());
}
