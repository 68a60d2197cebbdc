//! The inputs of a room's log that come from the rooms.

use message_core::MessageManager;
use message_data::LoggedInput;
use serde::{Deserialize, Serialize};

use crate::far::{Far, RoomId};
use crate::gateway::{depart, enter, follow, local, report, take_back};
use crate::passage::Letter;

/// An input of a room that comes from the rooms. The messages that arrive are inputs of the manager.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum RoomInput {
    Enter(RoomId, bool),
    /// The proxy for a target is spawned.
    Proxy(Far),
    /// A messagee has another address.
    Follow(Far, Far),
    /// The barrier before a frame.
    Depart(bool),
    /// A message was not delivered in another room.
    Return(Box<Letter>),
    /// The first of those becomes a dead letter.
    Report,
}

message_data::logged_input!(RoomInput);

impl LoggedInput for RoomInput {
    const NAME: &'static str = "message_rooms.input";

    fn repeat(self, manager: &mut MessageManager) {
        match self {
            Self::Enter(room, needs_data) => enter(manager, room, needs_data),
            Self::Proxy(target) => _ = local(manager, target),
            Self::Follow(old, new) => _ = follow(manager, old, new),
            Self::Depart(needs_data) => drop(depart(manager, needs_data)),
            Self::Return(letter) => take_back(manager, *letter),
            Self::Report => _ = report(manager),
        }
    }
}
