//! The hands of a player without a keyboard.

use std::collections::BTreeSet;

use message_core::SendError;

use crate::game::Game;
use crate::keys::Button;
use crate::space::Vector;

/// The keys that are held down.
#[derive(Debug, Default)]
pub struct Hands(BTreeSet<Button>);

impl Hands {
    /// Holds down these keys alone: presses those that were not held, and releases those that are not wanted any more.
    pub fn hold(&mut self, wanted: BTreeSet<Button>, game: &mut Game) -> Result<(), SendError> {
        for &button in self.0.difference(&wanted) {
            game.release(button)?;
        }
        for &button in wanted.difference(&self.0) {
            game.press(button)?;
        }
        self.0 = wanted;
        Ok(())
    }

    /// Returns `true` if this key is held down.
    pub fn holds(&self, button: Button) -> bool {
        self.0.contains(&button)
    }
}

/// Adds the buttons that steer in the direction of `way`.
pub(crate) fn steer(way: Vector, into: &mut BTreeSet<Button>) {
    use Button::{Down, Left, Right, Up};
    let part = way.with_length(1.0);
    for (is_asked, button) in [
        (part.x > 0.38, Right),
        (part.x < -0.38, Left),
        (part.y > 0.38, Down),
        (part.y < -0.38, Up),
    ] {
        if is_asked {
            into.insert(button);
        }
    }
}
