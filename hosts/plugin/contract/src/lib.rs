//! The names shared by the game and its plugins.
#![forbid(unsafe_code)]

use message_core::data::{self, Data};
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

message_core::shared!(data);

/// It gets colder. Nobody in the game itself handles it.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "contract.Chill")]
#[data(crate = message_core::data, exact)]
pub struct Chill {
    pub degrees: u32,
}

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "contract.Damage")]
#[data(crate = message_core::data, exact)]
pub struct Damage {
    pub amount: u32,
}

#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
#[data(crate = message_core::data, name = "contract.Health")]
pub struct Health {
    pub hp: u32,
}

#[handlers]
impl Health {
    #[on_receive]
    fn hurt(&mut self, damage: &Damage) {
        self.hp = self.hp.saturating_sub(damage.amount);
    }
}
