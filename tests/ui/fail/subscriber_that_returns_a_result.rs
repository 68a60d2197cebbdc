// holds: subscriptions.returns
use message_core::prelude::*;

#[derive(Message)]
struct Damage;

#[derive(Message)]
struct Ouch;

fn main() {
    let mut manager = MessageManager::new();
    manager.subscribe(Filter::of::<Damage>(), |_, cx| cx.send(Everyone, Ouch));
}
