//! A squad: the parent of its members. Orders go down to them, their deaths come up to it.

use message_core::data::Data;
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::body::say;
use crate::ledger::tell;
use crate::messages::{Died, Order};

/// A squad that has had enough after some losses.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Squad {
    /// How many losses it bears.
    pub nerve: u32,
}

#[handlers]
impl Squad {
    /// The members have their own handlers for orders: one send to `Down(squad)` reaches all.
    #[on_receive]
    fn order(&mut self, order: &Order, cx: &mut Context<'_>) {
        let nerve = self.nerve;
        say(cx, &format!("the horn calls: {order:?} (nerve {nerve})"));
    }

    /// Receives the death of a member, and calls the others back when it is one too many. Its
    /// own copy of that order is pending, since it is running: it comes when this has returned.
    #[on_receive]
    fn died(&mut self, _: &Died, cx: &mut Context<'_>) -> Result<(), SendError> {
        if self.nerve > 0 {
            self.nerve -= 1;
            return Ok(());
        }
        say(cx, "that was one too many");
        tell(cx, Down(cx.me()), Order::Regroup)?;
        Ok(())
    }
}
