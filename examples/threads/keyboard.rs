//! The keyboard: a thread that presses keys.

use std::fmt;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use message_core::prelude::*;
use message_core::{HeaderError, Inlet};

use crate::messages::Pressed;
use crate::world::PLAYER;

/// How long the keyboard waits for a frame of the world if its inlet is full.
const PATIENCE: Duration = Duration::from_secs(10);

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Go to the next room.
    Forward,
    /// Go back to the previous room.
    Back,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Forward => "->",
            Self::Back => "<-",
        })
    }
}

/// The thread of a keyboard, which returns the first key that could not be delivered.
pub type Typing = JoinHandle<Result<Key, HeaderError>>;

/// Presses those keys, and then holds the last one down until there is no receiver any more. If there are
/// more keys than the inlet can hold, it waits for the next frame.
pub fn start(world: Inlet, keys: &'static [Key]) -> Typing {
    thread::spawn(move || {
        let player = Header::to(PLAYER).build()?;
        let held = keys.last().copied().unwrap_or(Key::Forward);
        let mut keys = keys.iter().copied().chain(std::iter::repeat(held));
        loop {
            let key = keys.next().unwrap_or(held);
            if let Err(error) = world.post(&player, Pressed { key }, PATIENCE) {
                return Ok(error.into_message().key);
            }
        }
    })
}
