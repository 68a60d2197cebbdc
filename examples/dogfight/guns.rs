//! Guns: the engine of the fight is a repeating message.
//!
//! Each pilot posts one `Aim` to itself when fire is opened. From then on it is due every half
//! second until it is cancelled. Guns fire at `FixedUpdate`, so that the fight takes the same
//! course regardless of the frame rate.

use std::time::Duration;

use message_core::Group;
use message_core::Recipient::Me;
use message_core::lifecycle::Despawning;
use message_core::prelude::*;

use crate::dice::Dice;
use crate::messages::{Aim, Engage, Hit, OpenFire};
use crate::squadron::Squadron;

/// The time from one burst to the next.
const RELOAD: Duration = Duration::from_millis(500);

/// One burst in this many is a hit.
const ODDS: u32 = 3;

/// A pilot's guns, and the enemy they are pointed at.
pub struct Guns {
    enemies: Group,
    dice: Dice,
    quarry: Option<MessageeId>,
    trigger: Option<Ticket>,
}

impl Guns {
    /// Creates the guns of a pilot of that squadron.
    pub fn new(squadron: Squadron, dice: Dice) -> Self {
        Self {
            enemies: squadron.enemy().group(),
            dice,
            quarry: None,
            trigger: None,
        }
    }

    /// Returns the enemy they are pointed at.
    #[cfg(test)]
    pub fn quarry(&self) -> Option<MessageeId> {
        self.quarry
    }
}

#[handlers]
impl Guns {
    /// Starts firing. The first burst comes within the first period, because not all pilots are equally
    /// quick. Its ticket is kept to stop it later.
    #[on_receive]
    fn open_fire(&mut self, _: &OpenFire, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let reaction = RELOAD * self.dice.below(1000) / 1000;
        let trigger = Header::to(Me)
            .stage(Stage::FixedUpdate)
            .after(reaction)
            .every(RELOAD)
            .build()?;
        self.trigger = Some(cx.post(&trigger, Aim)?);
        Ok(())
    }

    /// Fires at the current enemy, or picks one if that one is gone.
    #[on_receive]
    fn aim(&mut self, _: &Aim, cx: &mut Context<'_>) -> Result<(), SendError> {
        let enemies: Vec<_> = cx.members(self.enemies).collect();
        let same = self.quarry.filter(|quarry| enemies.contains(quarry));
        self.quarry = same.or_else(|| self.dice.pick(&enemies));
        if let Some(enemy) = self.quarry
            && self.dice.below(ODDS) == 0
        {
            cx.send(enemy, Hit)?;
        }
        Ok(())
    }

    /// Targets the enemy of a comrade who needs help.
    #[on_receive]
    fn engage(&mut self, engage: &Engage) {
        self.quarry = Some(engage.enemy);
    }

    /// Stops firing when the pilot is shot down. A cancelled post disappears silently, unlike one that is
    /// bound to its sender: nobody wants a dead letter for each burst that is not fired.
    #[on_receive]
    fn fall_silent(&mut self, _: &Despawning, cx: &mut Context<'_>) {
        if let Some(trigger) = self.trigger.take() {
            cx.cancel(trigger);
        }
    }
}
