//! Keys as messages. Whoever wants to hear keys joins the group [`PLAYERS`].

use message_core::data::Data;
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::space::Vector;

group! {
    /// Everyone who hears the keys: the ship, as long as there is one, and the referee.
    pub PLAYERS = "arena.Players",
}

/// What a key means. Which key that is, is the view's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Button {
    Up,
    Down,
    Left,
    Right,
    FireUp,
    FireDown,
    FireLeft,
    FireRight,
    /// Fires at the place that the last [`Aimed`] names.
    Trigger,
    Shield,
    Bomb,
    /// Slows the time down for a while.
    Slow,
    Pause,
    Restart,
}

/// A key was pressed.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Pressed {
    /// What it means.
    pub button: Button,
}

/// A key was released.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Released {
    /// What it means.
    pub button: Button,
}

/// The pointer was moved to another place.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Aimed {
    /// The place.
    pub at: Vector,
}
