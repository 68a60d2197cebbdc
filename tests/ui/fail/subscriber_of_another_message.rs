use message_core::prelude::*;

#[derive(Message)]
struct Damage;

#[derive(Message)]
struct Healing;

fn main() {
    let mut manager = MessageManager::new();
    manager.subscribe(Filter::of::<Damage>(), |_: &Healing, _: &mut SubscriberContext<'_>| ());
}
