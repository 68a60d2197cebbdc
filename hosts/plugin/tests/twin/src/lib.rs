//! A plugin with a component whose name is also used by the plugin `frost`, and with its own types.
#![forbid(unsafe_code)]

use contract::Chill;
use message_core::data::Data;
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

message_core::plugin!("twin", shared(contract));

mnemonic!(TWIN);

#[derive(Message)]
#[message(name = "twin.Melt")]
pub struct Melt;

#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
#[data(crate = message_core::data, name = "frost.Ice")]
pub struct Ice {
    pub depth: u32,
}

#[handlers]
impl Ice {
    #[on_receive]
    fn grow(&mut self, _: &Chill) {}

    #[on_receive]
    fn melt(&mut self, _: &Melt) {}
}
