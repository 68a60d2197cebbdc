//! Without the features messages and handlers are implemented by hand.

use message_core::prelude::*;

struct Damage;

impl Message for Damage {
    type Reply = message_core::NoReply;
    const NAME: &'static str = "damage";
}

fn main() {
    let mut manager = MessageManager::new();
    let _ = manager.send(Everyone, Damage);
}
