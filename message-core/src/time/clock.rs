//! Time as the frames of a manager count it.
//!
//! Three readings advance in `begin_frame`: the frame number, the unscaled time, and the time that
//! scale and pause act on. The fixed time follows the scaled one in whole steps, each taken by a
//! pass of `FixedUpdate`; it never runs ahead. While such a pass runs, its time is the time.

use std::cell::Cell;
use std::time::Duration;

/// The last moment there is, in nanoseconds: 292 years after the manager was made.
pub const LAST: u64 = u64::MAX >> 1;

/// Returns a duration in nanoseconds, at most [`LAST`].
#[inline]
pub fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).map_or(LAST, |all| all.min(LAST))
}

/// A point in the life of a manager.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::time::Moment;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// let later = Header::to(Everyone).after(Duration::from_secs(1)).build()?;
/// let ticket = manager.post(&later, Ping)?;
///
/// let posted = manager.pending_posts(ticket)[0].posted;
/// assert_eq!(posted, Moment { time: Duration::ZERO, frame: 0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Moment {
    /// The scaled time since the manager was made; for a message that waits on the unscaled
    /// clock, the unscaled time.
    pub time: Duration,
    /// The number of the frame; 0 before the first.
    pub frame: u64,
}

impl Moment {
    /// Returns the moment at a time in nanoseconds, in a frame.
    pub(crate) fn at(time: u64, frame: u64) -> Self {
        let time = Duration::from_nanos(time);
        Self { time, frame }
    }
}

/// The reason why the clock was not changed.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::time::ClockError;
///
/// let mut manager = MessageManager::new();
/// let error = manager.set_time_scale(-1.0).expect_err("time does not run backwards");
/// assert_eq!(error, ClockError::NoScale { scale: -1.0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClockError {
    /// Time cannot run backwards, infinitely fast, or at no known speed.
    #[error("invalid time scale {scale}: expected a finite number ≥ 0")]
    NoScale {
        /// The scale that was refused.
        scale: f64,
    },
}

/// A reading of a manager's clock, from [`MessageManager::clock`](crate::MessageManager::clock) or
/// [`Context::clock`](crate::Context::clock).
///
/// ```
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// let mut manager = MessageManager::new();
/// manager.set_time_scale(0.5)?;
/// manager.tick(Duration::from_millis(20));
/// let clock = manager.clock();
/// assert_eq!(clock.frame(), 1);
/// assert_eq!(clock.now(), Duration::from_millis(10));
/// assert_eq!(clock.unscaled_now(), Duration::from_millis(20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename = "SavedTime"))]
pub struct Clock {
    pub(crate) frame: u64,
    pub(crate) now: u64,
    pub(crate) delta: u64,
    pub(crate) unscaled_now: u64,
    pub(crate) unscaled_delta: u64,
    pub(crate) fixed_now: u64,
    /// The step of the configuration, for which a save does not matter; or one that was set later.
    pub(crate) fixed_step: u64,
    /// `true` if the step is not that of the configuration.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "std::ops::Not::not")
    )]
    pub(crate) is_own_step: bool,
    /// The fixed steps that the frame still owes.
    pub(crate) owed: u32,
    pub(crate) scale: f64,
    pub(crate) paused: bool,
    /// `true` in a pass of `FixedUpdate`.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) in_fixed: bool,
}

/// Checks a reading that was read.
///
/// # Errors
///
/// Returns an error if no clock has such a reading.
pub fn check_clock(clock: &Clock) -> Result<(), String> {
    let readings = [
        ("frame", clock.frame),
        ("now", clock.now),
        ("delta", clock.delta),
        ("unscaled_now", clock.unscaled_now),
        ("unscaled_delta", clock.unscaled_delta),
        ("fixed_step", clock.fixed_step),
    ];
    let too_late = readings.into_iter().find(|(_, reading)| *reading > LAST);
    if let Some((name, reading)) = too_late {
        return Err(format!("`{name}` is {reading}: expected at most {LAST}"));
    }
    let (fixed, now) = (clock.fixed_now, clock.now);
    if fixed > now {
        return Err(format!("the fixed time {fixed} is ahead of the time {now}"));
    }
    check_scale(clock.scale).map_err(|error| error.to_string())
}

fn check_scale(scale: f64) -> Result<(), ClockError> {
    let is_valid = scale.is_finite() && scale >= 0.0;
    is_valid.then_some(()).ok_or(ClockError::NoScale { scale })
}

impl Clock {
    /// Returns the number of the frame: 0 before the first, then 1, 2, 3, …
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// assert_eq!(manager.clock().frame(), 0);
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.clock().frame(), 1);
    /// ```
    #[must_use]
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Returns the scaled time since the manager was made; in a pass of `FixedUpdate`, the time of
    /// that step.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.set_time_scale(2.0)?; // Twice as fast.
    /// manager.tick(Duration::from_millis(16));
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.clock().now(), Duration::from_millis(64));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.time())
    }

    /// Returns how much this frame advanced the scaled time; in a pass of `FixedUpdate`, the fixed
    /// step.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.set_time_scale(0.5)?;
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.clock().delta(), Duration::from_millis(8));
    /// manager.set_paused(true);
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.clock().delta(), Duration::ZERO);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn delta(&self) -> Duration {
        Duration::from_nanos(if self.in_fixed {
            self.fixed_step
        } else {
            self.delta
        })
    }

    /// Returns the time since the manager was made that neither scale nor pause act on.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.set_paused(true);
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.clock().now(), Duration::ZERO);
    /// assert_eq!(manager.clock().unscaled_now(), Duration::from_millis(16));
    /// ```
    #[must_use]
    pub fn unscaled_now(&self) -> Duration {
        Duration::from_nanos(self.unscaled_now)
    }

    /// Returns how much this frame advanced the unscaled time: what
    /// [`tick`](crate::MessageManager::tick) or
    /// [`begin_frame_with`](crate::MessageManager::begin_frame_with) was given.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.set_time_scale(0.5)?;
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.clock().unscaled_delta(), Duration::from_millis(16));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unscaled_delta(&self) -> Duration {
        Duration::from_nanos(self.unscaled_delta)
    }

    /// Returns the step of `FixedUpdate`: what
    /// [`ManagerConfig::fixed_step`](crate::ManagerConfig::fixed_step) says, or
    /// [`set_fixed_step`](crate::MessageManager::set_fixed_step) has set. Zero when it has none.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let step = Duration::from_millis(10);
    /// let manager = MessageManager::with_config(ManagerConfig::new().fixed_step(step));
    /// assert_eq!(manager.clock().fixed_step(), step);
    /// ```
    #[must_use]
    pub fn fixed_step(&self) -> Duration {
        Duration::from_nanos(self.fixed_step)
    }

    /// Returns how far the scaled time is ahead of the fixed time: less than a step, once the frame's
    /// steps are taken. For drawing between two steps.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let step = Duration::from_millis(10);
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().fixed_step(step));
    /// manager.tick(Duration::from_millis(25)); // Two steps.
    /// let clock = manager.clock();
    /// assert_eq!(clock.fixed_overstep(), Duration::from_millis(5));
    ///
    /// // How far to draw between the last step and the next.
    /// let blend = clock.fixed_overstep().div_duration_f32(clock.fixed_step());
    /// assert_eq!(blend, 0.5);
    /// ```
    #[must_use]
    pub fn fixed_overstep(&self) -> Duration {
        Duration::from_nanos(self.now - self.fixed_now)
    }

    /// Returns the speed of the scaled time: 1 unless
    /// [`set_time_scale`](crate::MessageManager::set_time_scale) has changed it. A change is read at
    /// once, and acts from the next frame on.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// assert_eq!(manager.clock().time_scale(), 1.0);
    /// manager.set_time_scale(0.25)?;
    /// assert_eq!(manager.clock().time_scale(), 0.25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn time_scale(&self) -> f64 {
        self.scale
    }

    /// Returns `true` if the scaled time is [paused](crate::MessageManager::set_paused). A change is
    /// read at once, and acts from the next frame on.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// assert!(!manager.clock().is_paused());
    /// manager.set_paused(true);
    /// assert!(manager.clock().is_paused());
    /// ```
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Returns the scaled time, or that of the fixed step under way.
    fn time(&self) -> u64 {
        if self.in_fixed {
            self.fixed_now
        } else {
            self.now
        }
    }

    /// Returns how many steps the fixed time is behind, up to the limit, and how many beyond that.
    fn owes(&self, max_steps: u32) -> (u32, u64) {
        let behind = self.now - self.fixed_now;
        let steps = behind.checked_div(self.fixed_step).unwrap_or(0);
        let owed = u32::try_from(steps).map_or(max_steps, |steps| steps.min(max_steps));
        (owed, steps - u64::from(owed))
    }
}

/// The clock itself. Only its scale and its pause can be changed during a dispatch, and both act
/// from the next frame on.
#[derive(Clone, Debug)]
pub struct Time {
    reading: Cell<Clock>,
    /// The clocks that a delay is measured on: scaled, unscaled, frames. Nothing is measured on the last.
    pub(crate) clocks: [u64; 4],
    /// The number of times that the clocks have moved.
    pub(crate) moves: u64,
}

impl Time {
    pub(crate) fn new(fixed_step: Duration) -> Self {
        let reading = Clock {
            frame: 0,
            now: 0,
            delta: 0,
            unscaled_now: 0,
            unscaled_delta: 0,
            fixed_now: 0,
            fixed_step: nanoseconds(fixed_step),
            is_own_step: false,
            owed: 0,
            scale: 1.0,
            paused: false,
            in_fixed: false,
        };
        Self {
            reading: reading.into(),
            clocks: [0; 4],
            moves: 0,
        }
    }

    /// Returns the current reading, from which [`restore`](Self::restore) continues.
    #[inline]
    pub fn reading(&self) -> Clock {
        self.reading.get()
    }

    /// Replaces the reading, but keeps the step of the configuration unless the new one has its own. Returns `false` if
    /// that is another than the one of the reading.
    pub fn restore(&mut self, mut reading: Clock) -> bool {
        let saved = reading.fixed_step;
        if !reading.is_own_step {
            reading.fixed_step = self.reading().fixed_step;
        }
        (reading.owed, _) = reading.owes(reading.owed);
        self.reading.set(reading);
        self.have_moved();
        saved == reading.fixed_step
    }

    /// Returns the scaled time, or that of the fixed step under way.
    #[inline]
    pub(crate) fn now(&self) -> u64 {
        self.reading().time()
    }

    /// Returns the current time and frame.
    pub(crate) fn moment(&self) -> Moment {
        Moment::at(self.now(), self.reading().frame)
    }

    /// Returns the moment that is `delay` nanoseconds after `now`, or the last one.
    #[inline]
    pub(crate) fn after(now: u64, delay: u64) -> u64 {
        now.saturating_add(delay).min(LAST)
    }

    pub(crate) fn set_scale(&self, scale: f64) -> Result<(), ClockError> {
        check_scale(scale)?;
        let reading = self.reading();
        self.reading.set(Clock { scale, ..reading });
        Ok(())
    }

    pub(crate) fn set_paused(&self, paused: bool) {
        let reading = self.reading();
        self.reading.set(Clock { paused, ..reading });
    }

    /// Sets the fixed step. The steps that the frame still owes are counted again, up to the limit.
    pub(crate) fn set_fixed_step(&mut self, step: Duration, max_steps: u32) {
        let reading = self.reading.get_mut();
        reading.fixed_step = nanoseconds(step);
        reading.is_own_step = true;
        if reading.fixed_step == 0 {
            reading.fixed_now = reading.now;
        }
        (reading.owed, _) = reading.owes(max_steps);
    }

    /// Begins the next frame, so much later. Returns how many fixed steps it owes beyond the limit: these
    /// are left out, and the fixed time leaps over them.
    pub(crate) fn begin_frame(
        &mut self,
        scaled: Duration,
        unscaled: Duration,
        max_steps: u32,
    ) -> u64 {
        let reading = self.reading.get_mut();
        reading.frame = reading.frame.saturating_add(1);
        reading.unscaled_delta = nanoseconds(unscaled);
        reading.unscaled_now = Self::after(reading.unscaled_now, reading.unscaled_delta);
        reading.delta = nanoseconds(scaled);
        reading.now = Self::after(reading.now, reading.delta);
        if reading.fixed_step == 0 {
            reading.fixed_now = reading.now;
        }
        let (owed, skipped) = reading.owes(max_steps);
        reading.fixed_now += skipped * reading.fixed_step;
        reading.owed = owed;
        self.have_moved();
        skipped
    }

    fn have_moved(&mut self) {
        let reading = self.reading();
        self.clocks = [reading.time(), reading.unscaled_now, reading.frame, 0];
        self.moves += 1;
    }

    /// Begins a pass of `FixedUpdate`, and takes its step if one is owed.
    pub(crate) fn begin_fixed_pass(&mut self) {
        let reading = self.reading.get_mut();
        if reading.owed > 0 {
            reading.owed -= 1;
            reading.fixed_now += reading.fixed_step;
        }
        reading.in_fixed = true;
        self.have_moved();
    }

    /// Ends a pass. If it is one of `FixedUpdate`, its time ends with it.
    pub(crate) fn end_pass(&mut self) {
        if std::mem::take(&mut self.reading.get_mut().in_fixed) {
            self.have_moved();
        }
    }

    /// Returns how much a frame that comes `dt` later advances the scaled time.
    pub(crate) fn scaled(&self, dt: Duration) -> Duration {
        let Clock { scale, paused, .. } = self.reading();
        if paused {
            Duration::ZERO
        } else if scale.to_bits() == 1.0_f64.to_bits() {
            dt
        } else {
            Duration::try_from_secs_f64(dt.as_secs_f64() * scale).unwrap_or(Duration::MAX)
        }
    }
}
