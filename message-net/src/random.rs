//! Reproducible random numbers: `SplitMix64`, determined by its seed alone.

/// A sequence of numbers that its seed determines.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// Creates the sequence for a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns the next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`, or 0 if that is 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        let wide = u128::from(self.next()) * u128::from(end);
        u64::try_from(wide >> 64).expect("it is below `end`")
    }

    /// Returns a number from `first` to `last` inclusive, or `first` if `last` is less.
    pub(crate) fn between(&mut self, first: u32, last: u32) -> u32 {
        let span = u64::from(last.saturating_sub(first)) + 1;
        first + u32::try_from(self.below(span)).expect("it is at most `last - first`")
    }

    /// Returns `true` with the given probability. Draws no number if the probability is 0.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        if probability <= 0.0 {
            return false;
        }
        let bits = u32::try_from(self.next() >> 32).expect("32 bits are left");
        f64::from(bits) / (f64::from(u32::MAX) + 1.0) < probability
    }
}
