//! The due time of a message without conditions, in one word.

use std::num::NonZeroU64;

use crate::header::Delay;
use crate::time::Stage;

/// Set in a queue, above the stage: the clock, if it is not the scaled one, and whether what is there
/// is for the next pass.
const CLOCK: u32 = 4;
const UNSCALED: u8 = 1 << CLOCK;
const BY_FRAMES: u8 = 2 << CLOCK;
const READY: u8 = 1 << 6;
/// Stage, clock and delay of a header in one word: all that tells when a message without conditions is
/// due. It is made with the header, so that a post has little to ask.
///
/// From the low end: 8 bits that say in which queue the message waits, 56 bits of the delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait(NonZeroU64);

const DELAY_BITS: u32 = 56;

impl Wait {
    /// `None` if it is not told by one word: the message is a single one then.
    pub(crate) fn of(stage: Stage, delay: Delay) -> Option<Self> {
        let (clock, delay) = match delay {
            Delay::None | Delay::Time(0) => (READY, 0),
            Delay::Time(delay) => (0, delay),
            Delay::Unscaled(0) => (UNSCALED | READY, 0),
            Delay::Unscaled(delay) => (UNSCALED, delay),
            // What is ready then has two readings of clocks, its frame and the time of that.
            Delay::Frames(0) => return None,
            Delay::Frames(frames) => (BY_FRAMES, frames),
        };
        if stage == Stage::Immediate || delay >= 1 << DELAY_BITS {
            return None;
        }
        let queue = clock | stage as u8;
        NonZeroU64::new(delay << (u64::BITS - DELAY_BITS) | u64::from(queue)).map(Self)
    }

    /// Stage, clock, and whether it is for the next pass.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "it has the low 8 bits")]
    pub(crate) fn queue(self) -> u8 {
        self.0.get() as u8
    }

    /// The place of the stage among those that messages wait for.
    #[inline]
    pub(crate) fn lane(self) -> usize {
        usize::from(self.queue().wrapping_sub(1) & 3)
    }

    /// The place of the clock among those of [`Time::clocks`](crate::time::Time::clocks).
    #[inline]
    pub(crate) fn clock(self) -> usize {
        usize::from(self.queue() >> CLOCK & 3)
    }

    /// The delay, on the clock of its queue.
    #[inline]
    pub(crate) fn delay(self) -> u64 {
        self.0.get() >> (u64::BITS - DELAY_BITS)
    }
}
