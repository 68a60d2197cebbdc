//! The messages about what happens to a pilot.

use message_core::prelude::*;

/// Pilots may fire from now on. Sent to everyone.
#[derive(Message, Debug)]
pub struct OpenFire;

/// It is time to aim and fire. Posted by each pilot to itself repeatedly.
#[derive(Message, Debug)]
pub struct Aim;

/// The sender has hit the receiver.
#[derive(Message, Debug)]
pub struct Hit;

/// The receiver was hit but still flies. Sent to oneself.
#[derive(Message, Debug)]
pub struct Struck {
    /// The attacker.
    pub by: MessageeId,
    /// How many more hits it can take.
    pub left: u32,
}

/// The sender is under attack. Sent over the radio.
#[derive(Message, Clone, Debug)]
pub struct UnderAttack {
    /// The attacker.
    pub by: MessageeId,
}

/// Orders the receiver to attack that enemy. Sent to oneself.
#[derive(Message, Debug)]
pub struct Engage {
    /// The enemy.
    pub enemy: MessageeId,
}

/// The receiver was bombed.
#[derive(Message, Debug)]
pub struct Bombed;
