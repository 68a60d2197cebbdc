//! A pilot takes hits until there is one too many.
//!
//! Guns and radio are components of their own, hooked to the same messagee: a pilot tells them
//! what happens by a message to `Me`.

use message_core::prelude::*;

use crate::logbook::{name_of, note};
use crate::messages::{Hit, Struck};

/// How many hits it takes to shoot a pilot down.
pub const HITS: u32 = 3;

/// A pilot in the air.
pub struct Pilot {
    /// How many hits are left to bear.
    left: u32,
}

impl Pilot {
    /// A pilot who has not been hit yet.
    pub fn new() -> Self {
        Self { left: HITS }
    }
}

#[handlers]
impl Pilot {
    /// Who has fired is the sender, which nobody can forge. A hit by nobody is none.
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
