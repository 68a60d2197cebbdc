//! The same user interface without a terminal: keys from a script, and a screen in memory.

use std::fmt::Write;

use message_core::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use crate::Failure;
use crate::form::Form;
use crate::keys::{Key, press};
use crate::screen::{self, SIZE};

/// Returns the screen as text.
pub fn frame(ui: &mut MessageManager, window: MessageeId) -> Result<String, Failure> {
    let views = screen::views(ui, window)?;
    let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1))?;
    terminal.draw(|frame| screen::draw(&views, frame))?;
    let quoted = terminal.backend().to_string();
    let lines = quoted.lines().map(|line| line.trim_matches('"').trim_end());
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// Presses the keys one by one and returns all frames; only one for consecutive characters.
pub fn play(keys: &[Key]) -> Result<String, Failure> {
    let mut ui = MessageManager::new();
    let form = Form::open(&mut ui)?;
    let mut shown = frame(&mut ui, form)?;
    shown.push('\n');
    for (at, &key) in keys.iter().enumerate() {
        write!(shown, "{key}")?;
        press(&mut ui, key)?;
        let is_typing = |key: Option<&Key>| matches!(key, Some(Key::Char(_)));
        if is_typing(Some(&key)) && is_typing(keys.get(at + 1)) {
            continue;
        }
        if !ui.is_alive(form) {
            shown += "\nthe form is closed\n";
            break;
        }
        write!(shown, "\n{}\n", frame(&mut ui, form)?)?;
    }
    Ok(shown)
}
