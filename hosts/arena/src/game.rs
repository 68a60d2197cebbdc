//! The game: a manager with a headquarters in it, and the operations on it from outside.

use std::io::{self, Write};
use std::time::Duration;

use message_core::prelude::*;
use message_core::{FrameReport, SendError};
use message_data::{
    self as data, Log, LogError, LogOptions, LogReport, RestoreError, SaveError, SaveOptions,
};

use crate::flash::Flash;
use crate::keys::{Aimed, Button, PLAYERS, Pressed, Released};
use crate::radio::{RadioLog, listen};
use crate::referee::{Begin, HQ, Referee, Step};
use crate::scene::Scene;
use crate::score::Score;
use crate::space::Vector;
use crate::waves::Waves;

/// The duration of a step.
pub const STEP: Duration = Duration::from_nanos(16_666_667);

/// The manager's configuration. Saves and replays must use the same one.
pub const CONFIG: ManagerConfig = ManagerConfig::new().fixed_step(STEP).max_fixed_steps(6);

/// A game.
#[derive(Debug)]
pub struct Game {
    manager: MessageManager,
}

impl Game {
    /// Creates a game that begins with its first frame.
    pub fn new(seed: u64) -> Result<Self, HandlerError> {
        let mut manager = MessageManager::with_config(CONFIG);
        let parts = (
            Referee::default(),
            Waves::new(seed),
            Score::default(),
            RadioLog::default(),
        );
        let hq = manager.spawn_named("HQ", parts);
        manager.bind(HQ, hq)?;
        manager.join(PLAYERS, hq)?;
        let steps = Header::to(HQ).stage(Stage::FixedUpdate).every_pass();
        manager.post(steps, Step)?;
        manager.post(Header::to(HQ), Begin)?;
        listen(&mut manager);
        Ok(Self { manager })
    }

    /// Continues a saved game.
    pub fn load(save: &[u8]) -> Result<Self, RestoreError> {
        let mut manager = data::restore(save, CONFIG)?.manager;
        listen(&mut manager);
        Ok(Self { manager })
    }

    /// Wraps the game in that manager.
    pub(crate) fn from_manager(manager: MessageManager) -> Self {
        Self { manager }
    }

    /// Returns a save of the current state, including pending messages.
    pub fn save(&mut self) -> Result<Vec<u8>, SaveError> {
        data::save(&mut self.manager, &SaveOptions::new())
    }

    /// Logs all inputs of the game from now on, with a digest twice a second.
    pub fn log_to(&mut self, writer: impl Write + Send + 'static) -> Result<(), LogError> {
        let options = LogOptions::new().digest_every(30);
        Log::start(&mut self.manager, writer, options)
    }

    /// Ends the log, if there is one.
    pub fn end_log(&mut self) -> io::Result<Option<LogReport>> {
        Log::stop(&mut self.manager)
    }

    /// Notifies the group of players that a key was pressed.
    pub fn press(&mut self, button: Button) -> Result<Receipt, SendError> {
        self.manager.send(PLAYERS, Pressed { button })
    }

    /// Notifies the group of players that a key was released.
    pub fn release(&mut self, button: Button) -> Result<Receipt, SendError> {
        self.manager.send(PLAYERS, Released { button })
    }

    /// Notifies the group of players of the position of the pointer.
    pub fn aim(&mut self, at: Vector) -> Result<Receipt, SendError> {
        self.manager.send(PLAYERS, Aimed { at })
    }

    /// Runs a frame.
    pub fn frame(&mut self, time: Duration) -> FrameReport {
        self.manager.tick(time)
    }

    /// Returns the current scene.
    pub fn scene(&self) -> Scene {
        Scene::of(&self.manager)
    }

    /// Returns the flashes of the last frame.
    pub fn flashes(&self) -> Vec<Flash> {
        self.manager.inbox::<Flash>().iter().map(|it| *it).collect()
    }

    /// Returns the manager, for viewing.
    pub fn manager(&self) -> &MessageManager {
        &self.manager
    }

    /// Returns the manager, for tools.
    pub fn manager_mut(&mut self) -> &mut MessageManager {
        &mut self.manager
    }
}
