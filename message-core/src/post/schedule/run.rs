//! Runs of messages that are due, and their order.

use crate::post::schedule::stamp::Stamp;
use crate::post::schedule::wheel::BlockList;
use crate::post::schedule::{Head, Stamps};
use crate::time::{Timeline, Track};

/// Set in the due time of what waits on the unscaled clock: no time has that bit, so it comes behind the
/// rest of a pass.
const UNSCALED: u64 = 1 << 63;

/// The order of what is due: the due time on one line for all clocks, then the number of the posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(super) due: u64,
    pub(super) number: u64,
}

impl Key {
    /// Behind everything.
    pub(in crate::post) const END: Self = Self {
        due: u64::MAX,
        number: u64::MAX,
    };
}

/// The part of the order that all messages of a run have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(super) track: Track,
    /// The time at which all of it fell due, on the line of all clocks. `None` if each message has a due time of its own.
    pub(super) since: Option<u64>,
    /// Set in every due time.
    unscaled: u64,
}

impl Line {
    pub(super) fn new(track: Track, since: Option<u64>) -> Self {
        let is_unscaled = track.clock() == Timeline::Unscaled as usize;
        Self {
            track,
            since,
            unscaled: if is_unscaled { UNSCALED } else { 0 },
        }
    }

    /// Returns the key of a message by the stamp it bears.
    #[inline]
    pub(in crate::post) fn key(self, head: &Head, stamp: &Stamp) -> Key {
        let number = stamp.number + u64::from(head.number);
        self.key_at(stamp.due + u64::from(head.due), number)
    }

    /// Returns the key of a message by its due time and number.
    #[inline]
    pub(super) fn key_at(self, due: u64, number: u64) -> Key {
        let due = self.since.unwrap_or(due) | self.unscaled;
        Key { due, number }
    }
}

/// Messages in the order in which they are due. What waits by frames falls due with its frame, at the
/// scaled time of that.
#[derive(Clone)]
pub(super) struct Run {
    pub(super) line: Line,
    pub(super) list: BlockList,
    /// The pass under way delivers it, or a panic has left it of one. Otherwise it is for the next pass.
    pub(super) is_due: bool,
}

impl Run {
    /// Returns since when a message is ready, on its own clock.
    pub(super) fn since(&self, head: &Head, stamps: &Stamps) -> u64 {
        self.line.key(head, stamps.get(head.stamp)).due & !UNSCALED
    }
}
