//! A replay to watch: the log of a game is replayed and verified, and each of its frames is kept as a
//! scene.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use message_core::prelude::*;
use message_data::{Replay, ReplayError};

use crate::game::{CONFIG, Game};
use crate::radio::listen;
use crate::referee::Step;
use crate::scene::Scene;

/// The frames of an earlier game.
#[derive(Debug)]
pub struct Film {
    /// The scenes, one for each step of the game.
    pub scenes: Vec<Scene>,
    /// How many digests of the log were compared with the replayed game. All were equal.
    pub digests: u64,
    /// The game at the end.
    pub end: Game,
}

impl Film {
    /// Replays the log in that file.
    pub fn open(log: &Path) -> Result<Self, ReplayError> {
        Self::of(Replay::open(log)?)
    }

    /// Replays a log that has already been read.
    pub fn of_bytes(log: Vec<u8>) -> Result<Self, ReplayError> {
        Self::of(Replay::of_bytes(log))
    }

    /// Records a scene in each step by means of a subscriber. Subscribers are not in the log, so they
    /// are created again before it is replayed.
    fn of(replay: Replay) -> Result<Self, ReplayError> {
        let scenes = Arc::new(Mutex::new(Vec::<Scene>::new()));
        let kept = Arc::clone(&scenes);
        let mut replay = replay.config(CONFIG).prepare(move |manager| {
            listen(manager);
            let kept = Arc::clone(&kept);
            kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
            manager.subscribe(Filter::of::<Step>().hidden(), move |_, cx| {
                let mut scene = Scene::of(cx);
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                // Flashes can be read in each step of their frame, so keep them only once.
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
