//! What the threads and the managers say to each other.

use message_core::prelude::*;

use crate::keyboard::Key;

/// So much of the world is there. To the screen.
#[derive(Message, Debug)]
pub struct Progress {
    /// How many rooms.
    pub rooms: usize,
    /// How many there will be.
    pub of: usize,
}

/// The world is ready, and this is it. To the screen, which takes it out of the message.
#[derive(Message, Debug)]
pub struct Loaded {
    /// The world.
    pub world: Option<MessageManager>,
}

/// Something is to be seen. To the screen.
#[derive(Message, Debug)]
pub struct Seen {
    /// What it looks like.
    pub line: String,
}

/// A key was pressed. To the player.
#[derive(Message, Debug)]
pub struct Pressed {
    /// Which one.
    pub key: Key,
}

/// Somebody comes into the receiver. To a room.
#[derive(Message, Debug)]
pub struct Entered;
