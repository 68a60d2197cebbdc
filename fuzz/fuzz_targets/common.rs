//! Types that the targets read, and the test `kept_files`.

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
#[data(name = "fuzz.Mind")]
pub struct Mind {
    pub sight: f32,
    pub friends: Vec<MessageeId>,
    pub target: Option<MessageeId>,
    pub notes: BTreeMap<String, (u8, char)>,
    pub mood: Mood,
}

#[derive(Serialize, Deserialize, Default, Debug, PartialEq)]
pub enum Mood {
    #[default]
    Calm,
    Angry(u32),
    Afraid {
        of: String,
        since: Option<i64>,
    },
}

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "fuzz.Damage")]
#[data(exact, name = "fuzz.Damage")]
pub struct Damage {
    pub amount: u32,
}

#[handlers]
impl Mind {
    #[on_receive]
    fn damage(&mut self, damage: &Damage) {
        self.mood = Mood::Angry(damage.amount);
    }
}
