//! What the benches share: a row of a comparison.

mod ratio;

pub use ratio::Row;

/// Numbers in an order that is the same in every run: a linear congruential generator with the
/// constants of Knuth's MMIX.
#[derive(Clone, Debug)]
pub struct Lottery(u64);

impl Lottery {
    /// One that begins with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below the bound.
    ///
    /// # Panics
    ///
    /// When the bound is zero.
    pub fn draw(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).map_or(0, |number| number % bound)
    }
}
