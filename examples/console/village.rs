//! The inhabitants of the village: a few components and messages that are serialized by name.

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

group! {
    /// All goblins.
    pub GOBLINS = "village.Goblins",
}

/// Hurts the receiver.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Damage {
    /// The damage.
    pub amount: u32,
    /// The attacker.
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
    /// How often it is rung.
    pub times: u32,
}

/// Wakes somebody up.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Wake;

/// Hit points.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[serde(default)]
pub struct Health {
    /// The number of hit points left.
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

/// The perception and the courage of a creature.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[serde(default)]
pub struct Mind {
    /// How far it sees.
    pub sight: u32,
    /// How much it dares.
    pub courage: u32,
    /// The enemy that it pursues.
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
    /// Whether the door is open.
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
