use message_data::Data;
use message_core::prelude::*;
use message_data::ask::{Ask, AskError};
use serde::{Deserialize, Serialize};

#[derive(Message, Data, Serialize, Deserialize)]
#[message(reply = u32)]
struct GetHp;

#[derive(Message)]
struct Worry {
    about: MessageeId,
}

struct Healer;

#[handlers]
impl Healer {
    #[on_receive]
    fn worry(&mut self, worry: &Worry, cx: &mut Context<'_>) -> Result<(), AskError> {
        cx.ask(worry.about, GetHp)?;
        Ok(())
    }
}

fn main() {}
