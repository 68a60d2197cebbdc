//! The due time of a message without conditions.

use crate::header::Delay;
use crate::time::{Stage, Track};

/// The stage, clock and delay of a header: everything that determines when a message without conditions is due. It is
/// made with the header, so that a post has little to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    pub(crate) track: Track,
    /// The delay on the clock of the track. Zero waits until the next pass of the stage.
    pub(crate) delay: u64,
}

impl Wait {
    /// Returns the wait, or `None` if there is none or it is a special one.
    pub(crate) fn of(stage: Stage, delay: Delay) -> Option<Self> {
        // A message that is ready then needs two clock readings: its frame and the time of that frame.
        let is_special = delay == Delay::Frames(0);
        let (clock, delay) = delay.on();
        let track = Track::new(stage.lane()?, clock);
        (!is_special).then_some(Self { track, delay })
    }
}
