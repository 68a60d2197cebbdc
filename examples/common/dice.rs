//! Random numbers that are the same in every run.
#![allow(dead_code, reason = "an example need not use every kind of luck")]

/// A small random number generator (splitmix64) that is good enough for a game.
pub struct Dice {
    state: u64,
}

impl Dice {
    /// Creates dice from a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns independent dice for someone else.
    pub fn split(&mut self) -> Self {
        Self::new(self.roll())
    }

    /// Returns a number below `sides`, which must not be zero.
    pub fn below(&mut self, sides: u32) -> u32 {
        let number = self.roll() % u64::from(sides);
        u32::try_from(number).expect("it is below a number of 32 bits")
    }

    /// Returns a random item, if there are any.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        let at = self.roll().checked_rem(of.len() as u64)?;
        of.get(usize::try_from(at).ok()?).copied()
    }

    fn roll(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
