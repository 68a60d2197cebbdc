//! What lies about on the field: traps that wait for steps, barrels that wait for a spark.
//!
//! What they do then is not here: it stands in the world file, as wires. A trap's wire posts to who has
//! stepped on it, a barrel's to everyone on the field.

use message_core::data::Data;
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::body::say;
use crate::ledger::tell;
use crate::messages::{Explosion, Sparked, SteppedOn};

/// Closes on the first who steps on it.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Trap {
    /// Where it lies.
    pub at: i32,
}

#[handlers]
impl Trap {
    #[on_receive]
    fn stepped_on(&self, _: &SteppedOn, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        say(cx, "snaps shut");
        cx.unhook(cx.my_hook())
    }
}

/// Catches fire when it is in reach of an explosion. It blows up by its wire.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Barrel {
    /// Where it stands.
    pub at: i32,
}

#[handlers]
impl Barrel {
    /// Once: the component is gone then, and the wire fires.
    #[on_receive]
    fn explosion(&mut self, blast: &Explosion, cx: &mut Context<'_>) -> Result<bool, HandlerError> {
        if self.at.abs_diff(blast.at) > blast.radius {
            return Ok(false);
        }
        say(cx, "hisses");
        cx.unhook(cx.my_hook())?;
        tell(cx, Me, Sparked)?;
        Ok(true)
    }
}
