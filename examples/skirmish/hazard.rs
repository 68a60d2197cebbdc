//! The hazards on the field: traps that wait for steps, barrels that wait for a spark.
//!
//! Their effects are defined by wires in the world file. The wire of a trap posts to the fighter that
//! stepped on it, that of a barrel to everyone on the field.

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::say;
use crate::ledger::tell;
use crate::messages::{Explosion, Sparked, SteppedOn};

/// Closes on the first fighter that steps on it.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Trap {
    /// The position.
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

/// Catches fire when it is in reach of an explosion. Its wire makes it blow up.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Barrel {
    /// The position.
    pub at: i32,
}

#[handlers]
impl Barrel {
    /// Runs only once: the component is gone then, and the wire fires.
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
