//! A tank: its plates absorb most of an explosion, and it flattens traps.

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::{reached, say};
use crate::ledger::tell;
use crate::messages::{Cause, Damage, Explosion, Sprung};

/// The component of a tank.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Tank {
    /// The damage of a trap that the plates absorb. They absorb twice as much of a blast.
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
