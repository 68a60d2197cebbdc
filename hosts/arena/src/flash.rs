//! Visual effects without consequences: sparks, bursts, rings. They are published, and the view pulls
//! them from the mailbox in the next frame. The game does not know whether there is a view.

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::Kind;
use crate::space::Vector;

/// A visual effect.
#[derive(Message, Data, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[data(exact)]
pub struct Flash {
    /// The appearance.
    pub look: Look,
    /// The place.
    pub at: Vector,
}

/// The appearance of a flash.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Look {
    /// A hit on something of that kind.
    Spark(Kind),
    /// Something of that kind breaks into pieces.
    Burst(Kind),
    /// A shield has stopped a hit.
    Stopped,
    /// A bomb has gone off.
    Blast {
        /// The radius of the blast.
        radius: f32,
    },
    /// Something of that kind has arrived.
    Arrival(Kind),
    /// The ship has been repaired.
    Repaired,
    /// A wave begins.
    Wave(u32),
    /// The points that were scored here.
    Points(u32),
}

/// Publishes a flash.
pub fn flash(cx: &mut Context<'_>, look: Look, at: Vector) -> Result<(), SendError> {
    cx.publish(Everyone, Flash { look, at })?;
    Ok(())
}
