//! The clock.

use serde::{Deserialize, Serialize};

use crate::time::{Clock, LAST};

/// The state of the clock.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct SavedTime(#[serde(with = "Form")] pub(super) Clock);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Clock", rename = "SavedTime")]
struct Form {
    frame: u64,
    now: u64,
    delta: u64,
    unscaled_now: u64,
    unscaled_delta: u64,
    fixed_now: u64,
    fixed_step: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_own_step: bool,
    owed: u32,
    scale: f64,
    paused: bool,
    #[serde(skip)]
    in_fixed: bool,
}

/// Checks the readings.
///
/// # Errors
///
/// Returns an error if no clock has such a reading.
pub(super) fn check(clock: &Clock) -> Result<(), String> {
    let readings = [
        ("frame", clock.frame),
        ("now", clock.now),
        ("delta", clock.delta),
        ("unscaled_now", clock.unscaled_now),
        ("unscaled_delta", clock.unscaled_delta),
        ("fixed_step", clock.fixed_step),
    ];
    for (name, reading) in readings {
        if reading > LAST {
            return Err(format!("`{name}` is {reading}: expected at most {LAST}"));
        }
    }
    if clock.fixed_now > clock.now {
        let Clock { fixed_now, now, .. } = clock;
        return Err(format!(
            "the fixed time {fixed_now} is ahead of the time {now}"
        ));
    }
    let scale = clock.scale;
    if !scale.is_finite() || scale < 0.0 {
        return Err(format!("invalid time scale {scale}"));
    }
    Ok(())
}
