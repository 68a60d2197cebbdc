use message_core::prelude::*;

struct Health;

fn main() {
    let mut manager = MessageManager::new();
    manager.spawn(Health);
}
