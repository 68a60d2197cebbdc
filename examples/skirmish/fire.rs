//! Fire: things that can burn, and things that are burning.

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::say;
use crate::ledger::tell;
use crate::messages::{Cause, Damage, Ignite, Update};

/// Lets its messagee catch fire. Messagees without it do not receive fire at all.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Flammable {
    /// The additional damage in each turn of any fire.
    pub tinder: u32,
}

#[handlers]
impl Flammable {
    /// Hooks the fire to its messagee. The fire does the rest.
    #[on_receive]
    fn ignite(&mut self, fire: &Ignite, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        let turns = fire.turns;
        let damage = fire.damage + self.tinder;
        say(cx, "catches fire");
        cx.hook(cx.me(), Fire { turns, damage })?;
        Ok(())
    }
}

/// Burns its messagee for some turns, and then unhooks itself.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
struct Fire {
    turns: u32,
    damage: u32,
}

#[handlers]
impl Fire {
    #[on_receive]
    fn burn(&mut self, _: &Update, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let (amount, cause) = (self.damage, Cause::Fire);
        tell(cx, Me, Damage { amount, cause })?;
        self.turns = self.turns.saturating_sub(1);
        if self.turns == 0 {
            say(cx, "the fire goes out");
            cx.unhook(cx.my_hook())?;
        }
        Ok(())
    }
}
