//! A shield: it reduces damage before it reaches the health.

use std::ops::ControlFlow;

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::say;
use crate::messages::{Cause, Damage};

/// A shield that stops a part of each hit, until it breaks.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Shield {
    /// How much of one hit it stops.
    pub block: u32,
    /// How much it stops in total.
    pub strength: u32,
}

#[handlers]
impl Shield {
    /// Runs before the health because of its priority, and subtracts its part from the message itself.
    /// If nothing is left of it, the message is consumed and the health does not receive it.
    #[on_receive(priority = 10)]
    fn block(
        &mut self,
        damage: &mut Damage,
        cx: &mut Context<'_>,
    ) -> Result<ControlFlow<()>, MessageeError> {
        if damage.cause == Cause::Fire {
            return Ok(ControlFlow::Continue(()));
        }
        let stopped = damage.amount.min(self.block).min(self.strength);
        damage.amount -= stopped;
        self.strength -= stopped;
        say(cx, &format!("the shield stops {stopped}"));
        if self.strength == 0 {
            say(cx, "the shield breaks");
            cx.unhook(cx.my_hook())?;
        }
        Ok(match damage.amount {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    }
}
