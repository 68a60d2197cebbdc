//! The world: rooms in a row, and a player who walks through them.

use message_core::prelude::*;
use message_core::{HeaderError, Inlet, InletError};

use crate::keyboard::Key;
use crate::messages::{Entered, Pressed, Seen};
use crate::screen::SCREEN;

mnemonic! {
    /// The player. The mnemonic is unbound once the player has left the world.
    pub PLAYER,
}

/// The rooms, from the first one to the way out.
pub const ROOMS: &[&str] = &["the cellar", "the hall", "the garden"];

/// A room. It has an inlet of the user interface, and notifies the screen when somebody enters.
struct Room {
    name: &'static str,
    ui: Inlet,
    screen: Header,
    visits: u32,
}

#[handlers]
impl Room {
    /// Notifies the screen with `try_post`: this handler runs on the thread that also runs the frames of the
    /// user interface, so waiting for room in the inlet would never succeed.
    #[on_receive]
    fn entered(&mut self, _: &Entered) -> Result<(), InletError<Seen>> {
        self.visits += 1;
        let again = if self.visits > 1 { " again" } else { "" };
        let line = format!("you are in {}{again}", self.name);
        self.ui.try_post(&self.screen, Seen { line })
    }
}

/// Walks from room to room.
struct Player {
    rooms: Vec<MessageeId>,
    at: usize,
}

#[handlers]
impl Player {
    #[on_receive]
    fn pressed(&mut self, pressed: &Pressed, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.at = match pressed.key {
            Key::Forward => self.at + 1,
            Key::Back => self.at.saturating_sub(1),
        };
        match self.rooms.get(self.at) {
            Some(&room) => {
                cx.send(room, Entered)?;
            }
            // The player leaves. The mnemonic is unbound, and further keys find no receiver.
            None => cx.despawn(cx.me())?,
        }
        Ok(())
    }
}

/// Creates a world without rooms. Its inlet is small: keys beyond its capacity wait for the next frame.
pub fn empty() -> MessageManager {
    MessageManager::with_config(ManagerConfig::new().inlet_capacity(2))
}

/// Adds a room that describes itself to that user interface.
pub fn add_room(
    world: &mut MessageManager,
    name: &'static str,
    ui: &Inlet,
) -> Result<MessageeId, HeaderError> {
    let room = Room {
        name,
        ui: ui.clone(),
        screen: Header::to(SCREEN).build()?,
        visits: 0,
    };
    Ok(world.spawn((room,)))
}

/// Adds the player, in the first room.
pub fn add_player(
    world: &mut MessageManager,
    rooms: Vec<MessageeId>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let first = rooms.first().copied();
    let player = world.spawn((Player { rooms, at: 0 },));
    world.bind(PLAYER, player)?;
    if let Some(room) = first {
        world.send(room, Entered)?;
    }
    Ok(())
}
