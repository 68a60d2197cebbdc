//! One message and one component that handles it, for a program that never says their names.

use message_core::prelude::*;

/// A message with the name `unnamed.knock`.
#[derive(Clone, Debug, Message)]
#[message(name = "unnamed.knock")]
pub struct Knock;

/// Counts how often it was knocked at.
#[derive(Debug, Default)]
pub struct Door {
    /// How often.
    pub knocks: usize,
}

#[handlers]
impl Door {
    /// Counts a knock.
    #[on_receive]
    pub fn knock(&mut self, _: &Knock) {
        self.knocks += 1;
    }
}
