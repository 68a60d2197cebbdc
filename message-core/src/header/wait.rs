//! The due time of a message without conditions, in one word.

use std::num::NonZeroU64;

use crate::header::Delay;
use crate::time::Stage;

/// Set in a queue, above the stage: the clock, if it is not the scaled one, and whether the queue is
/// for the next pass.
const CLOCK: u32 = 4;
const UNSCALED: u8 = 1 << CLOCK;
const BY_FRAMES: u8 = 2 << CLOCK;
const READY: u8 = 1 << 6;
/// The stage, clock and delay of a header in one word: everything that determines when a message
/// without conditions is due. It is made with the header, so that a post has little to check.
///
/// From the low end: 8 bits that say in which queue the message waits, 56 bits of the delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait(NonZeroU64);

const DELAY_BITS: u32 = 56;

impl Wait {
    /// Returns the wait, or `None` if it does not fit into one word; the message is then a single one.
    pub(crate) fn of(stage: Stage, delay: Delay) -> Option<Self> {
        let (clock, delay) = match delay {
            Delay::None | Delay::Time(0) => (READY, 0),
            Delay::Time(delay) => (0, delay),
            Delay::Unscaled(0) => (UNSCALED | READY, 0),
            Delay::Unscaled(delay) => (UNSCALED, delay),
            // A message that is ready then needs two clock readings: its frame and the time of that frame.
            Delay::Frames(0) => return None,
            Delay::Frames(frames) => (BY_FRAMES, frames),
        };
        if stage == Stage::Immediate || delay >= 1 << DELAY_BITS {
            return None;
        }
        let queue = clock | stage as u8;
        NonZeroU64::new(delay << (u64::BITS - DELAY_BITS) | u64::from(queue)).map(Self)
    }

    /// Returns the stage, the clock, and whether it is for the next pass.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "it has the low 8 bits")]
    pub(crate) fn queue(self) -> u8 {
        self.0.get() as u8
    }

    /// Returns the place of the stage among those that messages wait for.
    #[inline]
    pub(crate) fn lane(self) -> usize {
        usize::from(self.queue().wrapping_sub(1) & 3)
    }

    /// Returns the place of the clock among those of [`Time::clocks`](crate::time::Time::clocks).
    #[inline]
    pub(crate) fn clock(self) -> usize {
        usize::from(self.queue() >> CLOCK & 3)
    }

    /// Returns the delay, on the clock of its queue.
    #[inline]
    pub(crate) fn delay(self) -> u64 {
        self.0.get() >> (u64::BITS - DELAY_BITS)
    }
}
