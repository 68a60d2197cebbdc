//! Things that end by themselves: shots, and repairs that nobody takes.

use std::time::Duration;

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

/// The receiver has existed long enough. Posted to it when it is created, with a delay.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Expire;

/// Despawns its messagee when it receives [`Expire`].
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
pub struct Expiring;

#[handlers]
impl Expiring {
    #[on_receive]
    fn expire(&mut self, _: &Expire, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        cx.despawn(cx.me())
    }
}

/// Despawns a messagee after that time. If it is gone before then, there is no dead letter.
pub fn expire(cx: &mut Context<'_>, id: MessageeId, after: Duration) -> Result<(), SendError> {
    let header = Header::to(id).stage(Stage::FixedUpdate);
    cx.post(header.after(after).if_alive(), Expire)?;
    Ok(())
}
