//! The user interface: a manager with a screen in it.

use message_core::prelude::*;

use crate::messages::{Loaded, Progress, Seen};

mnemonic! {
    /// The screen. Anyone with the inlet of the user interface can write to it.
    pub SCREEN,
}

/// The lines shown so far, each with who speaks, and the world once it is loaded.
#[derive(Default)]
pub struct Screen {
    lines: Vec<String>,
    world: Option<MessageManager>,
}

#[handlers]
impl Screen {
    #[on_receive]
    fn progress(&mut self, progress: &Progress) {
        let Progress { rooms, of } = *progress;
        let (done, left) = ("#".repeat(rooms), ".".repeat(of - rooms));
        self.lines.push(format!("loader:   [{done}{left}]"));
    }

    /// Takes the world out of the message, which is passed as `&mut`.
    #[on_receive]
    fn loaded(&mut self, loaded: &mut Loaded) {
        self.world = loaded.world.take();
    }

    #[on_receive]
    fn seen(&mut self, seen: &Seen) {
        self.lines.push(format!("world:    {}", seen.line));
    }
}

impl Screen {
    /// Returns the screen of a user interface, if it has one.
    pub fn of(ui: &mut MessageManager) -> Option<&mut Self> {
        ui.iter_mut().next().map(|(_, screen)| screen)
    }

    /// Returns the world, if it has arrived.
    pub fn take_world(&mut self) -> Option<MessageManager> {
        self.world.take()
    }

    /// Returns the lines shown since the last call.
    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }
}

/// Creates a user interface.
pub fn user_interface() -> Result<MessageManager, MessageeError> {
    let mut ui = MessageManager::new();
    let screen = ui.spawn((Screen::default(),));
    ui.bind(SCREEN, screen)?;
    Ok(ui)
}
