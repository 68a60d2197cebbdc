//! The macros with `message-core` as another crate re-exports it.

use message_tests_engine as engine;
use message_tests_engine::message_core::prelude::*;

engine::message_core::tag!(
    /// Messages that can be heard.
    pub SOUND
);

/// Rings.
#[derive(Clone, Copy, Debug, Message)]
#[message(crate = engine::message_core, name = "polite.ring")]
pub struct Ring;

/// Asks how often it has rung.
#[derive(Clone, Copy, Debug, Message)]
#[message(crate = engine::message_core, reply = T, types(Rung<u64>), tags(SOUND))]
pub struct Rung<T>(pub T);

/// Counts how often it rings.
#[derive(Debug, Default)]
pub struct Bell {
    /// How often.
    pub rings: u64,
}

#[handlers(crate = engine::message_core)]
impl Bell {
    /// Counts a ring.
    #[on_receive(priority = -1)]
    pub fn ring(&mut self, _: &Ring, _: &mut Context<'_>) {
        self.rings += 1;
    }
}

#[handlers(crate = message_tests_engine::message_core)]
impl Bell {
    /// Returns how often it has rung, plus the number in the message.
    #[must_use]
    #[on_receive]
    pub fn rung(&self, rung: &Rung<u64>) -> u64 {
        self.rings + rung.0
    }
}

mnemonic! {
    /// Where the bell hangs.
    pub TOWER
}
