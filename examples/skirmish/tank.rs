//! A tank: its plates keep off the better part of an explosion, and it flattens traps.

use message_core::data::Data;
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::body::{reached, say};
use crate::ledger::tell;
use crate::messages::{Cause, Damage, Explosion, Sprung};

/// What makes a fighter a tank.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Tank {
    /// How much of a trap the plates keep off, and twice that of a blast.
    pub plating: u32,
}

#[handlers]
impl Tank {
    #[on_receive]
    fn explosion(&self, blast: &Explosion, cx: &mut Context<'_>) -> Result<bool, HandlerError> {
        if reached(blast, cx)?.is_none() {
            return Ok(false);
        }
        say(cx, "rocks in the blast");
        let amount = blast.damage.saturating_sub(2 * self.plating);
        let cause = Cause::Blast;
        tell(cx, Me, Damage { amount, cause })?;
        Ok(true)
    }

    #[on_receive]
    fn sprung(&self, trap: &Sprung, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let (amount, cause) = (trap.damage.saturating_sub(self.plating), Cause::Trap);
        if amount == 0 {
            say(cx, "rolls over it and has not even noticed");
        } else {
            say(cx, "rolls over it");
            tell(cx, Me, Damage { amount, cause })?;
        }
        Ok(())
    }
}
