//! The clocks that tell when a message is due, each for a stage.

use crate::time::{Stage, Time};

/// The clock that tells when a message is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Timeline {
    Scaled,
    Unscaled,
    Frames,
}

impl Timeline {
    /// Returns a reading of the clock that is `delay` later, or the last one.
    pub(crate) fn after(self, reading: u64, delay: u64) -> u64 {
        match self {
            Self::Scaled | Self::Unscaled => Time::after(reading, delay),
            Self::Frames => reading.saturating_add(delay),
        }
    }

    /// Returns since when a message is ready that is due now by this clock: what waits by frames falls due at a scaled
    /// time.
    pub(crate) fn since(self, clocks: &[u64; 4]) -> u64 {
        match self {
            Self::Frames => clocks[Self::Scaled as usize],
            _ => clocks[self as usize],
        }
    }
}

/// The number of stages that messages wait for.
pub(crate) const LANES: usize = Stage::WAITING.len();
/// Tracks have room for four clocks, so that no index of one is checked.
const CLOCKS: usize = 4;
pub(crate) const TRACKS: usize = LANES * CLOCKS;

/// A stage and a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Track(u8);

impl Track {
    #[allow(clippy::cast_possible_truncation, reason = "there are 16 tracks")]
    pub(crate) fn new(lane: usize, clock: Timeline) -> Self {
        Self((lane * CLOCKS + clock as usize) as u8)
    }

    #[inline]
    pub(crate) fn number(self) -> usize {
        usize::from(self.0) % TRACKS
    }

    /// The place of the stage among those that messages wait for.
    #[inline]
    pub(crate) fn lane(self) -> usize {
        self.number() / CLOCKS
    }

    /// The place of the clock among those of [`Time::clocks`].
    #[inline]
    pub(crate) fn clock(self) -> usize {
        self.number() % CLOCKS
    }
}
