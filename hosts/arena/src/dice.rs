//! Luck that is the same in every run, and that is saved.

use serde::{Deserialize, Serialize};

/// A small generator of numbers (splitmix64), good enough for a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// The dice of that seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A number from 0 to 1, without 1.
    pub fn part(&mut self) -> f32 {
        f32::from((self.roll() >> 48) as u16) / 65_536.0
    }

    /// A number from the first to the second.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.part()
    }

    /// A number below that one.
    pub fn below(&mut self, sides: u16) -> u16 {
        (self.roll() >> 48) as u16 % sides.max(1)
    }

    fn roll(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
