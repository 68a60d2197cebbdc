use std::time::Duration;

use message_core::data::Data;
use message_core::prelude::*;
use message_net::{Ask, AskError, NodeConfig};
use serde::{Deserialize, Serialize};

#[derive(Message, Data, Serialize, Deserialize)]
struct Damage;

struct Healer;

#[handlers]
impl Healer {
    #[on_receive]
    fn hurt(&mut self, _: &Damage, cx: &mut Context<'_>) -> Result<(), AskError> {
        let me = cx.me();
        cx.ask(me, Damage).within(Duration::from_secs(2))?;
        Ok(())
    }
}

fn configured(config: NodeConfig) -> NodeConfig {
    config.answer::<Damage>()
}

fn main() {}
