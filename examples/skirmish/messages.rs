//! What is said on the field, and the one address that everybody knows.
//!
//! What fighters and squads decide by is tagged `AI`.

use message_core::data::Data;
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::ai_log::AI;
use crate::body::Side;

mnemonic! {
    /// The messagee that keeps the rules: it removes the dead and keeps the ledger.
    pub WORLD,
}

group! {
    /// All who are hit by what blows up: fighters and barrels.
    pub FIELD,
    /// The squad and its members.
    pub GOBLINS,
}

/// The battle begins. Sent to the world, once: its wires say what happens when.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Begin;

/// A turn has begun. Sent to everyone.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
pub struct Update;

/// Something has blown up. Posted to the field; who is out of its reach does not receive it.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Explosion {
    /// Where.
    pub at: i32,
    /// How far it reaches.
    pub radius: u32,
    /// What it does to those in reach.
    pub damage: u32,
}

/// Somebody has stepped on the receiver: who sends it.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct SteppedOn;

/// A barrel has caught fire. Sent to itself.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Sparked;

/// A trap has closed on the receiver.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Sprung {
    /// What it does.
    pub damage: u32,
}

/// The receiver is set on fire, if it can burn.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Ignite {
    /// How long it burns.
    pub turns: u32,
    /// What each turn does.
    pub damage: u32,
}

/// Something hurts the receiver. In–out: a shield lessens it before the health sees it.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug, Default)]
#[serde(default)]
pub struct Damage {
    /// How much of it is left.
    pub amount: u32,
    /// What it comes from. A text can leave it out: `Damage(amount: 3)` is a blow.
    pub cause: Cause,
}

/// What damage comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// An explosion.
    Blast,
    /// A trap.
    Trap,
    /// Fire, which no shield keeps off.
    Fire,
    /// A fighter.
    #[default]
    Blow,
}

/// Asks for hit points.
#[derive(Message, Debug)]
#[message(reply = u32, tags(AI))]
pub struct GetHp;

/// The receiver was hurt by a fighter, and knows by whom. Sent to oneself.
#[derive(Message, Debug)]
#[message(tags(AI))]
pub struct Wounded {
    /// Who did it.
    pub by: MessageeId,
}

/// A fighter has died. Sent to the world, and up to its squad.
#[derive(Message, Debug)]
pub struct Died {
    /// Who.
    pub who: MessageeId,
}

/// The sender has found an enemy. Sent to everyone else; only its own side cares.
#[derive(Message, Debug)]
#[message(tags(AI))]
pub struct Alarm {
    /// Whose enemy.
    pub side: Side,
    /// The enemy.
    pub enemy: MessageeId,
}

/// An order to a squad and down to its members.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(tags(AI))]
pub enum Order {
    /// After them, wherever they are.
    Charge,
    /// Leave them alone.
    Regroup,
}

/// Asks the world who has won.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(reply = Verdict)]
pub struct GetVerdict;

/// Who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nobody yet.
    Open,
    /// The only side that still stands.
    Won(Side),
    /// Nobody is left.
    Nobody,
}
