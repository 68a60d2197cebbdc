//! What ends by itself: shots, and repairs that nobody takes.

use std::time::Duration;

use message_core::data::Data;
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

/// The receiver has been there for long enough. Sent to it when it is made, and due later.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Expire;

/// Ends its messagee when it is told.
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

/// Lets a messagee end after that time. One that is gone before is nobody's loss, and no dead letter.
pub fn expire(cx: &mut Context<'_>, id: MessageeId, after: Duration) -> Result<(), SendError> {
    let header = Header::to(id).stage(Stage::FixedUpdate);
    cx.post(header.after(after).if_alive(), Expire)?;
    Ok(())
}
