use message_core::data::WorldFile; //~ gated behind the `data` feature
use message_core::prelude::*;

#[derive(message_core::data::Data)] //~ gated behind the `data` feature
struct Health {
    hp: u32,
}

fn main() {
    let mut manager = MessageManager::new();
    let text = "World(version: 1)";
    let _ = manager.save(&text); //~ enable the feature `data` of message-core
    let _ = manager.instance(&text); //~ enable the feature `data` of message-core
    let _ = manager.wire(text); //~ enable the feature `data` of message-core
    let _ = MessageManager::restore(&[], ManagerConfig::new()); //~ enable the feature `data` of message-core
}
