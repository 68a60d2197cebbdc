//! What lives in the village: a few components and messages that can be written and read by name.

use message_core::data::Data;
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

group! {
    /// All goblins.
    pub GOBLINS = "village.Goblins",
}

/// Hurts the receiver.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Damage {
    /// How much.
    pub amount: u32,
    /// Who does it.
    pub by: MessageeId,
}

/// Asks a door to open.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Open;

/// A door was opened. Sent to the door itself.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Opened;

/// Rings a bell.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Ring {
    /// How often.
    pub times: u32,
}

/// Wakes somebody up.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Wake;

/// Hit points.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[serde(default)]
pub struct Health {
    /// How many are left.
    pub hp: u32,
}

#[handlers]
impl Health {
    #[on_receive]
    fn hurt(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        self.hp = self.hp.saturating_sub(damage.amount);
        if self.hp == 0 {
            cx.despawn(cx.me())?;
        }
        Ok(())
    }
}

/// What a creature knows and dares.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[serde(default)]
pub struct Mind {
    /// How far it sees.
    pub sight: u32,
    /// How much it dares.
    pub courage: u32,
    /// Whom it is after.
    pub foe: Option<MessageeId>,
    /// How often it was woken up.
    pub woken: u32,
}

#[handlers]
impl Mind {
    #[on_receive]
    fn wake(&mut self, _: &Wake) {
        self.woken += 1;
    }

    #[on_receive]
    fn hurt(&mut self, damage: &Damage) {
        self.foe = Some(damage.by);
    }
}

/// A door.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[serde(default)]
pub struct Door {
    /// It stands open.
    pub open: bool,
}

#[handlers]
impl Door {
    #[on_receive]
    fn open(&mut self, _: &Open, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.open = true;
        cx.send(Me, Opened)?;
        Ok(())
    }
}

/// A bell.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[serde(default)]
pub struct Bell {
    /// How often it was rung.
    pub rung: u32,
}

#[handlers]
impl Bell {
    #[on_receive]
    fn ring(&mut self, ring: &Ring) {
        self.rung += ring.times;
    }
}
