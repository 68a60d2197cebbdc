use message_data::{Data, Upgrade};
use serde::{Deserialize, Serialize};

#[derive(Data, Serialize, Deserialize, Default)]
#[data(version = 2, upgrade = rename)]
#[serde(default)]
struct Health {
    hp: u32,
}

fn rename(_: &mut Upgrade) {}

fn main() {}
