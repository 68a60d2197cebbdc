//! A pilot takes hits until it is shot down.
//!
//! Guns and radio are separate components of the same messagee: a pilot notifies them
//! by a message to `Me`.

use message_core::Recipient::Me;
use message_core::prelude::*;

use crate::logbook::{name_of, note};
use crate::messages::{Hit, Struck};

/// How many hits it takes to shoot a pilot down.
pub const HITS: u32 = 3;

/// A pilot in the air.
pub struct Pilot {
    /// How many more hits it can take.
    left: u32,
}

impl Pilot {
    /// Creates a pilot who has not been hit yet.
    pub fn new() -> Self {
        Self { left: HITS }
    }
}

#[handlers]
impl Pilot {
    /// Takes a hit. The attacker is the sender, which cannot be forged. A hit without a sender does not count.
    #[on_receive]
    fn hit(&mut self, _: &Hit, cx: &mut Context<'_>) -> Result<bool, HandlerError> {
        let (me, Some(by)) = (cx.me(), cx.sender().id()) else {
            return Ok(false);
        };
        let (name, attacker) = (name_of(cx, me), name_of(cx, by));
        self.left -= 1;
        let left = self.left;
        if left > 0 {
            note(cx, "hit", &format!("{name} by {attacker}, {left} left"));
            cx.send(Me, Struck { by, left })?;
        } else {
            note(cx, "down", &format!("{name}, shot by {attacker}"));
            cx.despawn(me)?;
        }
        Ok(true)
    }
}
