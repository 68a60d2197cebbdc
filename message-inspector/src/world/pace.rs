//! How soon a busy manager may be sampled again.
//!
//! What a sampled frame has taken longer than the frames before it is what the sample has cost; no frame
//! is sampled until the frames that have passed would take [`SHARE`] times as long. A frame counts with the
//! shortest time of the last few: what other programs have taken from it is not the program's own.
//! The time is that of the wall. Nothing of it can be seen by the simulation.

use std::time::{Duration, Instant};

/// The share of the time that samples may take: a part in so many.
pub(super) const SHARE: u32 = 50;
/// The longest wait, so that the page shows something.
const LONGEST: Duration = Duration::from_secs(5);
/// An event takes at least as long, measured or not: where a frame waits for its time, it looks free.
const EVENT: Duration = Duration::from_nanos(300);
/// How many frames are remembered.
const FRAMES: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Pace {
    /// When this frame began, and how long the last one was.
    began: Option<Instant>,
    took: Duration,
    /// How long those took that were not sampled.
    others: [Option<Duration>; FRAMES],
    next: usize,
    /// What the last sample has cost, what of it is not paid, and when the next one may be all the same.
    cost: Duration,
    owed: Duration,
    latest: Option<Instant>,
}

impl Pace {
    pub(super) fn frame_ends(&mut self, is_sampled: bool) {
        let Some(began) = self.began.take() else {
            return;
        };
        self.took = began.elapsed();
        if !is_sampled {
            self.others[self.next % FRAMES] = Some(self.took);
            self.next += 1;
            self.owed = self.owed.saturating_sub(self.usual());
        }
    }

    /// How long a frame takes that is not sampled.
    fn usual(&self) -> Duration {
        self.others
            .iter()
            .flatten()
            .min()
            .copied()
            .unwrap_or_default()
    }

    /// The next frame begins. What was done between the frames is no part of it.
    pub(super) fn frame_begins(&mut self) {
        self.began = Some(Instant::now());
    }

    fn owes(&mut self) {
        self.owed = self.cost * SHARE;
        self.latest = Some(Instant::now() + LONGEST);
    }

    /// The last frame was sampled, and not seen as a whole.
    pub(super) fn has_to_be_paid(&mut self, events: usize) {
        let least = EVENT * u32::try_from(events).unwrap_or(u32::MAX);
        let more = self.took.saturating_sub(self.usual());
        // What other programs did meanwhile is not the sample's doing.
        let cost = if self.cost.is_zero() {
            more
        } else {
            more.min(self.cost * 4)
        };
        self.cost = cost.max(least);
        self.owes();
    }

    /// All of the last frame was seen, as of the next one.
    pub(super) fn is_free(&mut self) {
        (self.cost, self.owed, self.latest) = (Duration::ZERO, Duration::ZERO, None);
    }

    /// The last sample was thrown away: it costs what the one before did.
    pub(super) fn skip(&mut self) {
        self.began = None;
        self.owes();
    }

    pub(super) fn is_paid(&self) -> bool {
        self.owed.is_zero() || self.latest.is_none_or(|latest| Instant::now() >= latest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_followed_by_frames_that_take_fifty_times_as_long() {
        let mut pace = Pace {
            took: Duration::from_millis(9),
            others: [Some(Duration::from_millis(4)); FRAMES],
            ..Pace::default()
        };
        pace.has_to_be_paid(10);
        assert_eq!(pace.cost, Duration::from_millis(5));
        assert_eq!(pace.owed, Duration::from_millis(250));
        assert!(!pace.is_paid());
        // A frame that something else has held up counts as the others do.
        let long = Duration::from_secs(1);
        for passed in 1..=62 {
            pace.began = Instant::now().checked_sub(long);
            pace.frame_ends(false);
            pace.others = [Some(Duration::from_millis(4)); FRAMES];
            assert!(!pace.is_paid(), "{passed}");
        }
        pace.began = Instant::now().checked_sub(long);
        pace.frame_ends(false);
        assert!(pace.is_paid());
        pace.is_free();
        assert!(pace.is_paid());
    }

    #[test]
    fn a_frame_that_waits_for_its_time_pays_for_its_events() {
        let mut pace = Pace {
            took: Duration::from_millis(16),
            others: [Some(Duration::from_millis(16)); FRAMES],
            ..Pace::default()
        };
        pace.has_to_be_paid(2_000);
        assert_eq!(pace.cost, EVENT * 2_000);
    }
}
