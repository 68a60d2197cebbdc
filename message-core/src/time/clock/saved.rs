//! The clock of a manager in a save.

use serde::{Deserialize, Serialize};

use crate::time::{LAST, Time};

/// All that the clock counts, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedTime {
    frame: u64,
    now: u64,
    delta: u64,
    unscaled_now: u64,
    unscaled_delta: u64,
    fixed_now: u64,
    /// The step of the configuration, for which that of the restored manager holds; or one that was set
    /// later, which goes on.
    pub(crate) fixed_step: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_own_step: bool,
    owed: u32,
    scale: f64,
    paused: bool,
}

impl SavedTime {
    /// # Errors
    ///
    /// A reading that no clock has.
    pub(crate) fn check(&self) -> Result<(), String> {
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
        if !self.scale.is_finite() || self.scale < 0.0 {
            return Err(format!("invalid time scale {}", self.scale));
        }
        Ok(())
    }
}

impl Time {
    pub(crate) fn saved(&self) -> SavedTime {
        SavedTime {
            frame: self.frame,
            now: self.now,
            delta: self.delta,
            unscaled_now: self.unscaled_now,
            unscaled_delta: self.unscaled_delta,
            fixed_now: self.fixed_now,
            fixed_step: self.fixed_step,
            is_own_step: self.is_own_step,
            owed: self.owed_steps(),
            scale: self.scale.get(),
            paused: self.paused.get(),
        }
    }

    /// Goes on from these readings, which were checked. With a fixed step that is not the one of the
    /// save, the frame owes no more steps than fit into it.
    pub(crate) fn restore(&mut self, saved: &SavedTime) {
        if saved.is_own_step {
            (self.fixed_step, self.is_own_step) = (saved.fixed_step, true);
        }
        self.frame = saved.frame;
        self.now = saved.now;
        self.delta = saved.delta;
        self.unscaled_now = saved.unscaled_now;
        self.unscaled_delta = saved.unscaled_delta;
        self.fixed_now = saved.fixed_now;
        self.owed = self.steps_behind().min(saved.owed.into());
        self.scale.set(saved.scale);
        self.paused.set(saved.paused);
        self.have_moved();
    }
}
