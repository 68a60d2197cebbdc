//! The messages between the threads and the managers.

use message_core::prelude::*;

use crate::keyboard::Key;

/// The progress of loading. Sent to the screen.
#[derive(Message, Debug)]
pub struct Progress {
    /// The number of rooms built so far.
    pub rooms: usize,
    /// The total number of rooms.
    pub of: usize,
}

/// The finished world. Sent to the screen, which takes it out of the message.
#[derive(Message, Debug)]
pub struct Loaded {
    /// The world.
    pub world: Option<MessageManager>,
}

/// Something is visible. Sent to the screen.
#[derive(Message, Debug)]
pub struct Seen {
    /// The description.
    pub line: String,
}

/// A key was pressed. Sent to the player.
#[derive(Message, Debug)]
pub struct Pressed {
    /// The key.
    pub key: Key,
}

/// Somebody enters the receiver. Sent to a room.
#[derive(Message, Debug)]
pub struct Entered;
