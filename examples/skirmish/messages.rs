//! The messages on the field, and the addresses that everybody knows.
//!
//! The messages for the decisions of fighters and squads are tagged `AI`.

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::ai_log::AI;
use crate::body::Side;

mnemonic! {
    /// The messagee with the rules: it removes the dead and keeps the ledger.
    pub WORLD,
}

group! {
    /// Everything that explosions can hit: fighters and barrels.
    pub FIELD,
    /// The squad and its members.
    pub GOBLINS,
}

/// The battle begins. Sent to the world, once: its wires define what happens when.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Begin;

/// A turn has begun. Sent to everyone.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
pub struct Update;

/// Something has blown up. Posted to the field; messagees out of its reach do not receive it.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Explosion {
    /// The position.
    pub at: i32,
    /// The radius.
    pub radius: u32,
    /// The damage to everyone in reach.
    pub damage: u32,
}

/// The sender has stepped on the receiver.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct SteppedOn;

/// A barrel has caught fire. Sent to itself.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Sparked;

/// A trap has closed on the receiver.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Sprung {
    /// The damage.
    pub damage: u32,
}

/// The receiver is set on fire, if it can burn.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Ignite {
    /// How many turns it burns.
    pub turns: u32,
    /// The damage in each turn.
    pub damage: u32,
}

/// Hurts the receiver. In–out: a shield reduces it before the health sees it.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug, Default)]
#[serde(default)]
pub struct Damage {
    /// The remaining damage.
    pub amount: u32,
    /// The cause. A text can omit it: `Damage(amount: 3)` is a blow.
    pub cause: Cause,
}

/// The cause of damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// An explosion.
    Blast,
    /// A trap.
    Trap,
    /// Fire, which no shield stops.
    Fire,
    /// A fighter.
    #[default]
    Blow,
}

/// Asks for hit points.
#[derive(Message, Debug)]
#[message(reply = u32, tags(AI))]
pub struct GetHp;

/// The receiver was hurt by a known fighter. Sent to oneself.
#[derive(Message, Debug)]
#[message(tags(AI))]
pub struct Wounded {
    /// The attacker.
    pub by: MessageeId,
}

/// A fighter has died. Sent to the world, and up to its squad.
#[derive(Message, Debug)]
pub struct Died {
    /// The fighter.
    pub who: MessageeId,
}

/// The sender has found an enemy. Sent to everyone else; only its own side reacts.
#[derive(Message, Debug)]
#[message(tags(AI))]
pub struct Alarm {
    /// The side of the sender.
    pub side: Side,
    /// The enemy.
    pub enemy: MessageeId,
}

/// An order to a squad and down to its members.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(tags(AI))]
pub enum Order {
    /// Attack them, wherever they are.
    Charge,
    /// Leave them alone.
    Regroup,
}

/// Asks the world who has won.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(reply = Verdict)]
pub struct GetVerdict;

/// The result of the battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both sides are still fighting.
    Open,
    /// This side is the only one left.
    Won(Side),
    /// Nobody is left.
    Nobody,
}
