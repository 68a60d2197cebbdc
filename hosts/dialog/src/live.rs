//! The loop of a real terminal.

use std::time::{Duration, Instant};

use message_core::prelude::*;
use ratatui::crossterm::event::{self, KeyCode, KeyModifiers};

use crate::keys::{Key, press};
use crate::{Failure, screen};

/// The longest time without a tick.
const FRAME: Duration = Duration::from_millis(50);

/// Shows a window until it is despawned, or until the user presses Ctrl-C. The terminal is restored in any case, also
/// if a handler panics: the hook of `ratatui` restores it before the panic is printed.
pub fn run(ui: &mut MessageManager, window: MessageeId) -> Result<(), Failure> {
    ratatui::run(|terminal| {
        let mut last = Instant::now();
        while ui.is_alive(window) {
            let views = screen::views(ui, window)?;
            terminal.draw(|frame| screen::draw(&views, frame))?;
            if event::poll(FRAME)?
                && let Some(pressed) = event::read()?.as_key_press_event()
            {
                // In raw mode, Ctrl-C is a key like any other.
                let ctrl = pressed.modifiers.contains(KeyModifiers::CONTROL);
                match (pressed.code, ctrl) {
                    (KeyCode::Char('c'), true) => break,
                    (code, false) => Key::of(code).map_or(Ok(()), |key| press(ui, key))?,
                    _ => {}
                }
            }
            ui.tick(last.elapsed());
            last = Instant::now();
        }
        Ok(())
    })
}
