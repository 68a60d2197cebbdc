//! What happens to a pilot, and what is said about it.

use message_core::prelude::*;

/// The guns may be used from now on. Sent to everyone.
#[derive(Message, Debug)]
pub struct OpenFire;

/// It is time to aim and fire. Each pilot's own, again and again.
#[derive(Message, Debug)]
pub struct Aim;

/// The sender has hit the receiver.
#[derive(Message, Debug)]
pub struct Hit;

/// The receiver was hit and still flies. Sent to oneself.
#[derive(Message, Debug)]
pub struct Struck {
    /// Who did it.
    pub by: MessageeId,
    /// How many hits it still bears.
    pub left: u32,
}

/// The sender is under attack. Said over the radio.
#[derive(Message, Clone, Debug)]
pub struct UnderAttack {
    /// Who attacks.
    pub by: MessageeId,
}

/// The receiver is to go after that enemy. Sent to oneself.
#[derive(Message, Debug)]
pub struct Engage {
    /// The enemy.
    pub enemy: MessageeId,
}

/// Bombs have fallen on the receiver.
#[derive(Message, Debug)]
pub struct Bombed;
