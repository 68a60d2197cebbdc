//! What lies about on the field: traps that wait for steps, barrels that wait for a spark.

use message_core::prelude::*;
use serde::Deserialize;

use crate::body::say;
use crate::ledger::tell;
use crate::messages::{Explosion, Moved, Sprung};

/// Closes on the first who steps on it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trap {
    /// Where it lies.
    pub at: i32,
    /// What it does.
    pub damage: u32,
}

#[handlers]
impl Trap {
    /// Hears every step of everyone, and does not receive those that are elsewhere.
    #[on_receive]
    fn step(&self, moved: &Moved, cx: &mut Context<'_>) -> Result<bool, HandlerError> {
        if moved.to != self.at {
            return Ok(false);
        }
        say(cx, "snaps shut");
        let damage = self.damage;
        if let Some(who) = cx.sender().id() {
            tell(cx, who, Sprung { damage })?;
        }
        cx.despawn(cx.me())?;
        Ok(true)
    }
}

/// Blows up when it is in reach of another explosion.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Barrel {
    /// Where it stands.
    pub at: i32,
    /// How far its explosion reaches.
    pub radius: u32,
    /// What its explosion does.
    pub damage: u32,
}

#[handlers]
impl Barrel {
    /// Two barrels in reach of each other do not blow up for ever: this one is despawned first,
    /// and receives nothing from then on.
    #[on_receive]
    fn explosion(&mut self, blast: &Explosion, cx: &mut Context<'_>) -> Result<bool, HandlerError> {
        if self.at.abs_diff(blast.at) > blast.radius {
            return Ok(false);
        }
        say(cx, "blows up");
        let &mut Self { at, radius, damage } = self;
        cx.despawn(cx.me())?;
        tell(cx, EveryoneElse, Explosion { at, radius, damage })?;
        Ok(true)
    }
}
