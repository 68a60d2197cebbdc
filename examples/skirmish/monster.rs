//! A monster: an explosion hurls it away, a trap makes it angry.

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::{Body, reached, say, walk};
use crate::ledger::tell;
use crate::messages::{Cause, Damage, Explosion, Sprung};

/// The component of a monster.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Monster {
    /// The damage of a blast or a bite that its hide absorbs. It grows thicker with each bite.
    pub hide: u32,
}

#[handlers]
impl Monster {
    #[on_receive]
    fn explosion(&self, blast: &Explosion, cx: &mut Context<'_>) -> Result<bool, HandlerError> {
        if reached(blast, cx)?.is_none() {
            return Ok(false);
        }
        say(cx, "is hurled away by the blast");
        let (amount, cause) = (blast.damage.saturating_sub(self.hide), Cause::Blast);
        tell(cx, Me, Damage { amount, cause })?;
        let at = Body::mine(cx)?.at;
        walk(cx, if at < blast.at { at - 1 } else { at + 1 })?;
        Ok(true)
    }

    #[on_receive]
    fn sprung(&mut self, trap: &Sprung, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        say(cx, "breaks free, and howls");
        let (amount, cause) = (trap.damage.saturating_sub(self.hide), Cause::Trap);
        self.hide += 1;
        tell(cx, Me, Damage { amount, cause })?;
        Ok(())
    }
}
