use message_core::prelude::*;

#[derive(Message)]
struct Damage;

struct Log;

fn main() {
    let mut manager = MessageManager::new();
    manager.subscribe(Filter::of::<Damage>(), Log);
}
