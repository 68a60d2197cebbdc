//! How soon a busy manager may be sampled again.
//!
//! The cost of a sample is the time by which the sampled frame exceeds the frames before it. No frame
//! is sampled until the frames that have passed would take [`SHARE`] times as long. A frame counts with the
//! shortest time of the last few, because time taken by other programs is not its own.
//! Wall time is used. None of this is visible to the simulation.

use std::time::{Duration, Instant};

/// The share of the time that samples may take is one part in this many.
pub(super) const SHARE: u32 = 50;
/// The maximum wait, so that the page shows something.
const LONGEST: Duration = Duration::from_secs(5);
/// The minimum cost of an event, measured or not: if a frame waits for its time, events seem to cost nothing.
const EVENT: Duration = Duration::from_nanos(300);
/// How many frames are remembered.
const FRAMES: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Pace {
    /// When this frame began, and how long the last one took.
    began: Option<Instant>,
    took: Duration,
    /// How long frames that were not sampled took.
    others: [Option<Duration>; FRAMES],
    next: usize,
    /// The cost of the last sample, the unpaid part of it, and when the next sample may be taken regardless.
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

    /// Returns how long a frame usually takes if it is not sampled.
    fn usual(&self) -> Duration {
        self.others
            .iter()
            .flatten()
            .min()
            .copied()
            .unwrap_or_default()
    }

    /// Begins the next frame. Work done between the frames is not part of it.
    pub(super) fn frame_begins(&mut self) {
        self.began = Some(Instant::now());
    }

    fn owes(&mut self) {
        self.owed = self.cost * SHARE;
        self.latest = Some(Instant::now() + LONGEST);
    }

    /// Records that the last frame was sampled, but not completely.
    pub(super) fn has_to_be_paid(&mut self, events: usize) {
        let least = EVENT * u32::try_from(events).unwrap_or(u32::MAX);
        let more = self.took.saturating_sub(self.usual());
        // Work that other programs did meanwhile is not the sample's cost.
        let cost = if self.cost.is_zero() {
            more
        } else {
            more.min(self.cost * 4)
        };
        self.cost = cost.max(least);
        self.owes();
    }

    /// Records that the last frame was traced completely, as the next one will be.
    pub(super) fn is_free(&mut self) {
        (self.cost, self.owed, self.latest) = (Duration::ZERO, Duration::ZERO, None);
    }

    /// Records that the last sample was discarded: it costs as much as the one before.
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
        // A frame that was held up by something else counts like the others.
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
