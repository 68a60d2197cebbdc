//! The clock.

use serde::{Deserialize, Serialize};

use crate::time::{LAST, Time};

/// Everything that the clock counts.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SavedTime {
    frame: u64,
    now: u64,
    delta: u64,
    unscaled_now: u64,
    unscaled_delta: u64,
    fixed_now: u64,
    pub(super) fixed_step: u64,
    /// `true` if that is not the one of the configuration.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_own_step: bool,
    owed: u32,
    scale: f64,
    paused: bool,
}

impl SavedTime {
    pub(super) fn of(time: &Time) -> Self {
        Self {
            frame: time.frame,
            now: time.now,
            delta: time.delta,
            unscaled_now: time.unscaled_now,
            unscaled_delta: time.unscaled_delta,
            fixed_now: time.fixed_now,
            fixed_step: time.fixed_step,
            is_own_step: time.is_own_step,
            owed: time.owed,
            scale: time.scale.get(),
            paused: time.paused.get(),
        }
    }

    /// # Errors
    ///
    /// A reading that no clock has.
    pub(super) fn check(&self) -> Result<(), String> {
        let readings = [
            ("frame", self.frame),
            ("now", self.now),
            ("delta", self.delta),
            ("unscaled_now", self.unscaled_now),
            ("unscaled_delta", self.unscaled_delta),
            ("fixed_step", self.fixed_step),
        ];
        for (name, reading) in readings {
            if reading > LAST {
                return Err(format!("`{name}` is {reading}: expected at most {LAST}"));
            }
        }
        if self.fixed_now > self.now {
            let Self { fixed_now, now, .. } = self;
            return Err(format!(
                "the fixed time {fixed_now} is ahead of the time {now}"
            ));
        }
        let scale = self.scale;
        if !scale.is_finite() || scale < 0.0 {
            return Err(format!("invalid time scale {scale}"));
        }
        Ok(())
    }

    /// Lets a clock go on from these readings, which were checked. With a fixed step that is not the one of the
    /// save, the frame owes no more steps than fit into it.
    pub(super) fn restore(self, time: &mut Time) {
        time.frame = self.frame;
        (time.now, time.delta) = (self.now, self.delta);
        (time.unscaled_now, time.unscaled_delta) = (self.unscaled_now, self.unscaled_delta);
        time.fixed_now = self.fixed_now;
        if self.is_own_step {
            time.fixed_step = self.fixed_step;
        }
        time.is_own_step = self.is_own_step;
        time.scale.set(self.scale);
        time.paused.set(self.paused);
        (time.owed, _) = time.owes(self.owed);
        time.have_moved();
    }
}
