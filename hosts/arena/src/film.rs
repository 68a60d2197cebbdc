//! A replay to look at: the log of a game is repeated and checked, and each of its frames is kept as a
//! scene.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use message_core::data::{Replay, ReplayError};
use message_core::prelude::*;

use crate::game::{CONFIG, Game};
use crate::radio::listen;
use crate::referee::Step;
use crate::scene::Scene;

/// The frames of a game that was played before.
#[derive(Debug)]
pub struct Film {
    /// Its scenes, one for each step of the game.
    pub scenes: Vec<Scene>,
    /// How many digests of the log were compared with the repeated game. All were equal.
    pub digests: u64,
    /// The manager at the end.
    pub end: Game,
}

impl Film {
    /// Repeats the log in that file.
    pub fn open(log: &Path) -> Result<Self, ReplayError> {
        Self::of(Replay::open(log)?)
    }

    /// Repeats a log that was read already.
    pub fn of_bytes(log: Vec<u8>) -> Result<Self, ReplayError> {
        Self::of(Replay::of_bytes(log))
    }

    /// A subscriber that hears each step keeps what is to be seen then. A log has no subscribers: they
    /// are made again before it is repeated.
    fn of(replay: Replay) -> Result<Self, ReplayError> {
        let scenes = Arc::new(Mutex::new(Vec::<Scene>::new()));
        let kept = Arc::clone(&scenes);
        let replay = replay.config(CONFIG).prepare(move |manager| {
            listen(manager);
            let kept = Arc::clone(&kept);
            kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
            manager.subscribe(Filter::of::<Step>().hidden(), move |_, cx| {
                let mut scene = Scene::of(cx);
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                // What has flashed up can be read in each step of its frame.
                if kept.last().is_some_and(|last| last.frame == scene.frame) {
                    scene.flashes.clear();
                }
                kept.push(scene);
            });
        });
        let replayed = replay.run()?;
        let scenes = std::mem::take(&mut *scenes.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Self {
            scenes,
            digests: replayed.digests,
            end: Game::from_manager(replayed.manager),
        })
    }
}
