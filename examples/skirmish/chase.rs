//! A fighter that has found an enemy: follows it and strikes.

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::{Body, name_of, say, walk};
use crate::ledger::tell_mut;
use crate::messages::{Cause, Damage, Order, Update};
use crate::patrol::{Mind, Patrol};

/// Follows one enemy and strikes at it.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Chase {
    mind: Mind,
    prey: MessageeId,
}

impl Chase {
    /// Creates a chase of that enemy.
    pub fn new(mind: Mind, prey: MessageeId) -> Self {
        Self { mind, prey }
    }

    /// Switches back to the patrol.
    fn give_up(&self, why: &str, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        say(cx, why);
        cx.unhook(cx.my_hook())?;
        cx.hook(cx.me(), Patrol::new(self.mind, 1))?;
        Ok(())
    }

    /// Strikes. The message is in–out, so the damage that a shield leaves is visible here.
    fn strike(&self, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let name = name_of(cx, self.prey);
        say(cx, &format!("strikes at the {name}"));
        let mut blow = Damage {
            amount: self.mind.strength,
            cause: Cause::Blow,
        };
        let receipt = tell_mut(cx, self.prey, &mut blow)?;
        if receipt.received == 0 {
            self.give_up("strikes a corpse, and lets go", cx)?;
        } else if blow.amount == 0 {
            say(cx, "does not get through");
        }
        Ok(())
    }
}

#[handlers]
impl Chase {
    #[on_receive]
    fn update(&mut self, _: &Update, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let Ok(there) = cx.get::<Body>(self.prey).map(|body| body.at) else {
            return Ok(self.give_up("has nobody left to chase", cx)?);
        };
        let here = Body::mine(cx)?.at;
        match here.abs_diff(there) {
            0 | 1 => self.strike(cx),
            _ => walk(cx, here + (there - here).signum()),
        }
    }

    #[on_receive]
    fn order(&mut self, order: &Order, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        match order {
            Order::Charge => Ok(()),
            Order::Regroup => self.give_up("falls back", cx),
        }
    }
}
