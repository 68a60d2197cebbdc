//! The loader: a thread that builds the world and hands it over.

use std::error::Error;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use message_core::Inlet;
use message_core::prelude::*;

use crate::messages::{Loaded, Progress};
use crate::screen::SCREEN;
use crate::world::{self, ROOMS};

/// How long the loader waits for a frame of the user interface if its inlet is full.
const PATIENCE: Duration = Duration::from_secs(10);

/// The thread of a loader.
pub type Loading = JoinHandle<Result<(), Box<dyn Error + Send + Sync>>>;

/// Starts loading.
pub fn start(ui: Inlet) -> Loading {
    thread::spawn(move || load(&ui))
}

/// Builds the world room by room. If the user interface is dropped meanwhile, the next post returns an error,
/// which ends the loader and drops what it has built.
fn load(ui: &Inlet) -> Result<(), Box<dyn Error + Send + Sync>> {
    let screen = Header::to(SCREEN).build()?;
    let mut world = world::empty();
    let mut rooms = Vec::new();
    for (built, &room) in ROOMS.iter().enumerate() {
        rooms.push(world::add_room(&mut world, room, ui)?);
        let progress = Progress {
            rooms: built + 1,
            of: ROOMS.len(),
        };
        ui.post(&screen, progress, PATIENCE)?;
    }
    world::add_player(&mut world, rooms)?;
    let world = Some(world);
    let posted = ui.post(&screen, Loaded { world }, PATIENCE);
    // The error contains the world, which is not `Sync`, so the error cannot be boxed as required.
    posted.map_err(|error| error.to_string().into())
}
