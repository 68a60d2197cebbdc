//! A squad: the parent of its members. Orders are sent down to them, their deaths up to it.

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::say;
use crate::ledger::tell;
use crate::messages::{Died, Order};

/// A squad that retreats after some losses.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Squad {
    /// The number of losses it endures.
    pub nerve: u32,
}

#[handlers]
impl Squad {
    /// Prints the order. The members have their own handlers: one send to `Down(squad)` reaches all.
    #[on_receive]
    fn order(&mut self, order: &Order, cx: &mut Context<'_>) {
        let nerve = self.nerve;
        say(cx, &format!("the horn calls: {order:?} (nerve {nerve})"));
    }

    /// Receives the death of a member, and calls the others back if it is one too many. The squad is running,
    /// so its own copy of that order is kept, and delivered when this handler has returned.
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
