//! A soldier: takes cover from explosions, and pulls back from traps.

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::{reached, say};
use crate::ledger::tell;
use crate::messages::{Cause, Damage, Explosion, Sprung};

/// The component of a soldier.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Soldier {
    /// The damage that is avoided, of a trap or, for each step of distance, of a blast.
    pub agility: u32,
}

#[handlers]
impl Soldier {
    #[on_receive]
    fn explosion(&self, blast: &Explosion, cx: &mut Context<'_>) -> Result<bool, HandlerError> {
        let Some(distance) = reached(blast, cx)? else {
            return Ok(false);
        };
        say(cx, "takes cover from the blast");
        let amount = blast.damage.saturating_sub(self.agility * distance);
        let cause = Cause::Blast;
        tell(cx, Me, Damage { amount, cause })?;
        Ok(true)
    }

    #[on_receive]
    fn sprung(&self, trap: &Sprung, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        say(cx, "jumps back");
        let (amount, cause) = (trap.damage.saturating_sub(self.agility), Cause::Trap);
        tell(cx, Me, Damage { amount, cause })?;
        Ok(())
    }
}
