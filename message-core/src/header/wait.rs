//! The due time of a message without conditions.

use crate::header::Delay;
use crate::time::{Stage, Track};

/// The stage, clock and delay of a header: everything that determines when a message without conditions is due. It is
/// made with the header, so that a post has little to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    pub(crate) track: Track,
    /// On the clock of the track. Zero is until the next pass of the stage.
    pub(crate) delay: u64,
}

impl Wait {
    /// Returns the wait, or `None` if there is none or it is a special one.
    pub(crate) fn of(stage: Stage, delay: Delay) -> Option<Self> {
        let (clock, time) = delay.on();
        // A message that is ready then needs two clock readings: its frame and the time of that frame.
        if delay == Delay::Frames(0) {
            return None;
        }
        Some(Self {
            track: Track::new(stage.lane()?, clock),
            delay: time,
        })
    }
}
