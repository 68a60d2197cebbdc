//! The clock of a manager in a save.

use crate::time::{LAST, Time};

impl Time {
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
        let scale = self.scale.get();
        if !scale.is_finite() || scale < 0.0 {
            return Err(format!("invalid time scale {scale}"));
        }
        Ok(())
    }

    /// Goes on from these readings, which were checked. With a fixed step that is not the one of the
    /// save, the frame owes no more steps than fit into it.
    pub(crate) fn restore(&mut self, saved: Self) {
        let fixed_step = if saved.is_own_step {
            saved.fixed_step
        } else {
            self.fixed_step
        };
        *self = Self {
            fixed_step,
            moves: self.moves,
            ..saved
        };
        (self.owed, _) = self.owes(self.owed);
        self.have_moved();
    }
}
