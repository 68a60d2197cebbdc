//! What is to be seen and has no consequences: sparks, bursts, rings. It is published, and the view pulls
//! it from the mailbox in the next frame. Nobody knows whether there is a view.

use message_core::data::Data;
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::body::Kind;
use crate::space::Vector;

/// Something flashes up.
#[derive(Message, Data, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[data(exact)]
pub struct Flash {
    /// What it looks like.
    pub look: Look,
    /// Where.
    pub at: Vector,
}

/// What a flash looks like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Look {
    /// Something of that kind was hit.
    Spark(Kind),
    /// Something of that kind falls to pieces.
    Burst(Kind),
    /// A shield has stopped a hit.
    Stopped,
    /// A bomb has gone off.
    Blast {
        /// How far it reaches.
        radius: f32,
    },
    /// Something of that kind has come.
    Arrival(Kind),
    /// The ship is repaired.
    Repaired,
    /// A wave begins.
    Wave(u32),
    /// So many points were scored here.
    Points(u32),
}

/// Publishes a flash.
pub fn flash(cx: &mut Context<'_>, look: Look, at: Vector) -> Result<(), SendError> {
    cx.publish(Everyone, Flash { look, at })?;
    Ok(())
}
