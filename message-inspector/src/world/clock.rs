//! Changes of the clock by a page.

use message_core::MessageManager;
use serde_json::{Value, json};

use crate::shared::{Reading, Refusal};

/// The maximum number of frames that can be stepped at once.
const MOST: u64 = 1_000;

/// The frames that pass before the clock is paused again.
#[derive(Debug, Default)]
pub(super) struct Steps {
    left: u64,
    /// The frame at which the steps began or last continued.
    at: u64,
}

impl Steps {
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    pub(super) fn are_left(&self) -> bool {
        self.left > 0
    }

    /// Counts the frames that have passed. After the last step, the clock is paused.
    pub(super) fn pass(&mut self, manager: &mut MessageManager, frame: u64) {
        if self.left == 0 {
            return;
        }
        let passed = frame.saturating_sub(self.at);
        (self.left, self.at) = (self.left.saturating_sub(passed), frame);
        if self.left == 0 {
            manager.set_paused(true);
        }
    }
}

pub(super) fn set(
    manager: &mut MessageManager,
    steps: &mut Steps,
    paused: Option<bool>,
    scale: Option<f64>,
    step: Option<u64>,
) -> Result<(), Refusal> {
    if step.is_some_and(|step| step > MOST) {
        let text = format!("`step`: expected at most {MOST} frames");
        return Err(Refusal::bad(text));
    }
    if let Some(scale) = scale {
        let set = manager.set_time_scale(scale);
        set.map_err(|error| Refusal::bad(format!("`scale`: {error}")))?;
    }
    if let Some(paused) = paused {
        *steps = Steps::default();
        manager.set_paused(paused);
    }
    if let Some(step @ 1..) = step {
        let at = manager.clock().frame();
        *steps = Steps { left: step, at };
        manager.set_paused(false);
    }
    Ok(())
}

pub(super) fn told(reading: &Reading) -> Value {
    json!({
        "frame": reading.frame,
        "time": reading.time,
        "scale": reading.scale,
        "paused": reading.paused,
        "stepping": reading.stepping,
    })
}
