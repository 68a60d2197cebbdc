//! What is known on the field, a frame later.

use message_core::prelude::*;

use crate::spot::Spot;

/// The sender goes there. Published to everyone.
#[derive(Message, Debug)]
pub struct Step {
    /// Where it goes.
    pub to: Spot,
}

/// The sender, a mine, goes off. Published to everyone.
#[derive(Message, Debug)]
pub struct Blast {
    /// Where it lies.
    pub at: Spot,
    /// How many steps away it is still felt.
    pub power: u32,
}

impl Blast {
    /// Whether it is felt there.
    pub fn reaches(&self, spot: Spot) -> bool {
        self.at.distance(spot) <= self.power
    }
}

/// The sender was hit and lies on the ground. Published to the medic.
#[derive(Message, Debug)]
pub struct Wounded;

/// What a robot is to do. Published to that robot.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Stay where you are.
    Halt,
    /// Go on, or get up and go on.
    Advance,
}

/// The sender leaves the field. Published to everyone.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    /// It has crossed it.
    Across,
    /// Nothing of it is left.
    Lost,
}
