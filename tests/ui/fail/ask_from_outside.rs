use std::time::Duration;

use message_data::Data;
use message_core::prelude::*;
use message_data::ask::Ask;
use serde::{Deserialize, Serialize};

#[derive(Message, Data, Serialize, Deserialize)]
#[message(reply = u32)]
struct GetHp;

fn main() {
    let mut manager = MessageManager::new();
    let orc = manager.spawn(());
    let _ = manager.ask(orc, GetHp).within(Duration::from_secs(2));
}
