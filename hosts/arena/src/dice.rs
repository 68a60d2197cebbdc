//! Random numbers that are the same in every run, and that are saved.

use serde::{Deserialize, Serialize};

/// A small random number generator (splitmix64) that is good enough for a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// Creates dice from a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns a number from 0 to 1, excluding 1.
    pub fn part(&mut self) -> f32 {
        f32::from((self.roll() >> 48) as u16) / 65_536.0
    }

    /// Returns a number from `low` to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.part()
    }

    /// Returns a number below `sides`.
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
