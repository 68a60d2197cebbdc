//! A clock that ticks, and statistics of the ticks that answers took.

use std::thread;
use std::time::{Duration, Instant};

pub(crate) const TICK: Duration = Duration::from_millis(5);
/// The number of initial ticks that do not count.
pub(crate) const WARM_UP: u32 = 40;

/// A clock that waits for one tick after another.
pub(crate) struct Clock {
    next: Instant,
}

impl Clock {
    pub(crate) fn new() -> Self {
        Self {
            next: Instant::now(),
        }
    }

    pub(crate) fn wait(&mut self) {
        self.next += TICK;
        let now = Instant::now();
        if let Some(left) = self.next.checked_duration_since(now) {
            thread::sleep(left);
        } else {
            self.next = now;
        }
    }
}

/// Returns the median and the 99th percentile of the ticks that answers took, and the number of missing answers.
pub(crate) fn of(mut ticks: Vec<u32>, sent: usize) -> Vec<f64> {
    ticks.sort_unstable();
    let missing = sent.saturating_sub(ticks.len());
    let at = |part: usize| {
        let place = (ticks.len() * part / 100).min(ticks.len().saturating_sub(1));
        ticks.get(place).map_or(f64::NAN, |&ticks| f64::from(ticks))
    };
    #[expect(clippy::cast_precision_loss, reason = "small counts")]
    let missing = missing as f64;
    vec![at(50), at(99), missing]
}
