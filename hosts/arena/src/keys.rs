//! Keys as messages. To receive them, join the group [`PLAYERS`].

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::space::Vector;

group! {
    /// The receivers of keys: the ship, as long as there is one, and the referee.
    pub PLAYERS = "arena.Players",
}

/// The meaning of a key. The view decides which key it is.
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
    /// Fires at the place given by the last [`Aimed`].
    Trigger,
    Shield,
    Bomb,
    /// Slows down time for a while.
    Slow,
    Pause,
    Restart,
}

/// A key was pressed.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Pressed {
    /// The meaning of the key.
    pub button: Button,
}

/// A key was released.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Released {
    /// The meaning of the key.
    pub button: Button,
}

/// The pointer was moved.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Aimed {
    /// The new place.
    pub at: Vector,
}
