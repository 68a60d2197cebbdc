//! Keys, and scripts made of them.

use std::fmt;

use message_core::prelude::*;

/// A key was pressed.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Tab,
    BackTab,
    Enter,
    Escape,
    Backspace,
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
