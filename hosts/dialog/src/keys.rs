//! Keys, and scripts made of them.

use std::fmt;

use message_core::prelude::*;
use ratatui::crossterm::event::KeyCode;

use crate::ring::FOCUS;

/// A key was pressed.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// A character.
    Char(char),
    /// Tab.
    Tab,
    /// Tab with Shift.
    BackTab,
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Backspace.
    Backspace,
}

impl Key {
    /// Returns the key for a key of the terminal, if any widget could use it.
    #[must_use]
    pub fn of(code: KeyCode) -> Option<Self> {
        Some(match code {
            KeyCode::Char(typed) => Self::Char(typed),
            KeyCode::Tab => Self::Tab,
            KeyCode::BackTab => Self::BackTab,
            KeyCode::Enter => Self::Enter,
            KeyCode::Esc => Self::Escape,
            KeyCode::Backspace => Self::Backspace,
            _ => return None,
        })
    }
}

/// Sends a key to the focused widget, and on to the widgets around it.
pub fn press(ui: &mut MessageManager, key: Key) -> Result<(), SendError> {
    if let Some(focused) = ui.bound(FOCUS) {
        ui.send(Up(focused), key)?;
    }
    Ok(())
}

/// The names of the keys that are not characters.
const NAMED: [(&str, Key); 5] = [
    ("<Tab>", Key::Tab),
    ("<BackTab>", Key::BackTab),
    ("<Enter>", Key::Enter),
    ("<Esc>", Key::Escape),
    ("<Backspace>", Key::Backspace),
];

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Char(typed) = self {
            return write!(f, "{typed}");
        }
        let name = NAMED.iter().find(|(_, key)| key == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

/// Parses a script: characters represent themselves, the other keys have names, such as `<Tab>`.
pub fn parse(script: &str) -> Result<Vec<Key>, String> {
    let mut keys = Vec::new();
    let mut rest = script;
    while let Some(first) = rest.chars().next() {
        let named = NAMED.iter().find(|(name, _)| rest.starts_with(name));
        if let Some((name, key)) = named {
            keys.push(*key);
            rest = &rest[name.len()..];
        } else if first == '<' {
            let at = script.len() - rest.len() + 1;
            let all = NAMED.map(|(name, _)| name).join("`, `");
            return Err(format!(
                "unknown key at character {at} of the keys: expected `{all}`"
            ));
        } else {
            keys.push(Key::Char(first));
            rest = &rest[first.len_utf8()..];
        }
    }
    Ok(keys)
}
