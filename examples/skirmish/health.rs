//! Hit points: they take damage, and can be asked for.

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::say;
use crate::ledger::tell;
use crate::messages::{Cause, Damage, Died, GetHp, WORLD, Wounded};

/// Hit points.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Health {
    /// The number of hit points left.
    pub hp: u32,
}

#[handlers]
impl Health {
    /// Takes the damage that the shield, if there is one, has let through.
    #[on_receive]
    fn take_damage(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.hp = self.hp.saturating_sub(damage.amount);
        let Damage { amount, cause } = damage;
        say(cx, &format!("{cause:?} takes {amount}, {} left", self.hp));
        if self.hp == 0 {
            let who = cx.me();
            tell(cx, WORLD, Died { who })?;
            tell(cx, Up(who), Died { who })?;
        } else if *cause == Cause::Blow
            && let Some(by) = cx.sender().id()
        {
            tell(cx, Me, Wounded { by })?;
        }
        Ok(())
    }

    #[on_receive]
    fn hp(&self, _: &GetHp) -> u32 {
        self.hp
    }
}
