//! The clock of the naive model: the start of each frame, in plain sums.

use std::time::Duration;

pub(crate) struct Clock {
    /// The scaled and the unscaled time at which each frame began; the first is before all frames.
    begun: Vec<(u64, u64)>,
    pub(crate) delta: u64,
    fixed: u64,
    step: u64,
    most: u32,
    pub(crate) owed: u32,
    /// Whether a pass of `FixedUpdate` is running.
    pub(crate) in_fixed: bool,
    /// The scale in halves.
    pub(crate) halves: u64,
    pub(crate) paused: bool,
}

impl Clock {
    pub(crate) fn new(step: Duration, most: u32) -> Self {
        Self {
            begun: vec![(0, 0)],
            delta: 0,
            fixed: 0,
            step: nanoseconds(step),
            most,
            owed: 0,
            in_fixed: false,
            halves: 2,
            paused: false,
        }
    }

    /// Begins a frame, and returns how many fixed steps were left out.
    pub(crate) fn begin_frame(&mut self, dt: Duration) -> u64 {
        let dt = nanoseconds(dt);
        assert_eq!(dt % 2, 0, "half of it is whole");
        let (now, unscaled) = self.begun[self.begun.len() - 1];
        self.delta = if self.paused { 0 } else { dt / 2 * self.halves };
        let now = now + self.delta;
        self.begun.push((now, unscaled + dt));
        self.in_fixed = false;
        if self.step == 0 {
            self.fixed = now;
            return 0;
        }
        let mut steps = (now - self.fixed) / self.step;
        let mut skipped = 0;
        while steps > u64::from(self.most) {
            self.fixed += self.step;
            steps -= 1;
            skipped += 1;
        }
        self.owed = u32::try_from(steps).expect("no more than the most");
        skipped
    }

    /// Returns the scaled time at which a frame began.
    pub(crate) fn beginning_of(&self, frame: u64) -> u64 {
        let frame = usize::try_from(frame).expect("a small number");
        self.begun[frame].0
    }

    pub(crate) fn begin_fixed_pass(&mut self) {
        if self.owed > 0 {
            self.owed -= 1;
            self.fixed += self.step;
        }
        self.in_fixed = true;
    }

    pub(crate) fn frame(&self) -> u64 {
        self.begun.len() as u64 - 1
    }

    pub(crate) fn now(&self) -> u64 {
        if self.in_fixed {
            self.fixed
        } else {
            self.begun[self.begun.len() - 1].0
        }
    }

    pub(crate) fn unscaled(&self) -> u64 {
        self.begun[self.begun.len() - 1].1
    }

    pub(crate) fn overstep(&self) -> u64 {
        self.begun[self.begun.len() - 1].0 - self.fixed
    }
}

pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).expect("a short time")
}
