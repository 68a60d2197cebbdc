//! A plugin: ice, which the game does not know.
#![forbid(unsafe_code)]

use contract::{Chill, Damage};
use message_core::Recipient::Me;
use message_core::data::Data;
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

message_core::plugin!("frost", shared(contract));

/// The ice is thick enough. Published to everyone.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "frost.Frozen")]
#[data(crate = message_core::data, exact)]
pub struct Frozen {
    pub depth: u32,
}

/// A layer of ice: anything under it takes damage.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
#[data(crate = message_core::data, name = "frost.Ice")]
pub struct Ice {
    pub depth: u32,
}

#[handlers]
impl Ice {
    #[on_receive]
    fn grow(&mut self, chill: &Chill, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.depth += chill.degrees;
        cx.send(
            Me,
            Damage {
                amount: chill.degrees,
            },
        )?;
        if self.depth >= 10 {
            cx.publish(Everyone, Frozen { depth: self.depth })?;
        }
        Ok(())
    }
}
