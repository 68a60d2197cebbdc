//! The messages on the field, which are readable a frame later.

use message_core::prelude::*;

use crate::spot::Spot;

/// The sender moves to this spot. Published to everyone.
#[derive(Message, Debug)]
pub struct Step {
    /// The new position.
    pub to: Spot,
}

/// The sender, a mine, goes off. Published to everyone.
#[derive(Message, Debug)]
pub struct Blast {
    /// The position of the mine.
    pub at: Spot,
    /// The range, in steps.
    pub power: u32,
}

impl Blast {
    /// Returns `true` if the blast reaches that spot.
    pub fn reaches(&self, spot: Spot) -> bool {
        self.at.distance(spot) <= self.power
    }
}

/// The sender was hit and lies on the ground. Published to the medic.
#[derive(Message, Debug)]
pub struct Wounded;

/// An order to a robot. Published to that robot.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Stop.
    Halt,
    /// Continue, or get up and continue.
    Advance,
}

/// The sender leaves the field. Published to everyone.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    /// It has crossed the field.
    Across,
    /// It is destroyed.
    Lost,
}
