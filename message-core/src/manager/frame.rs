//! The manager's frame: its clock and its stages.

use std::time::Duration;

use crate::manager::MessageManager;
use crate::time::{Clock, ClockError, Stage};

/// The result of one frame.
///
/// ```
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// manager.post(&Header::to(Everyone).stage(Stage::Update).build()?, Ping)?;
/// let report = manager.tick(Duration::from_millis(16));
/// assert_eq!((report.frame, report.delivered, report.dead_letters), (1, 1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameReport {
    /// The number of the frame.
    pub frame: u64,
    /// The number of passes of `FixedUpdate` in the frame.
    pub fixed_steps: u32,
    /// The number of fixed steps that were left out beyond
    /// [`ManagerConfig::max_fixed_steps`](crate::ManagerConfig::max_fixed_steps).
    pub skipped_steps: u64,
    /// The number of messages of other threads that were taken from the
    /// [inlet](crate::MessageManager::inlet).
    pub drained: usize,
    /// The number of deliveries of posted messages. A message that repeats counts each time; one that
    /// became a dead letter counts too.
    pub delivered: usize,
    /// The number of dead letters: of delivered messages, and of messages bound to a sender that
    /// was despawned.
    pub dead_letters: u64,
}

impl MessageManager {
    /// Runs one frame, `dt` after the last: the frame number and the clock advance, what was
    /// [published](Self::publish) since the last frame began can be found, the
    /// [inlet](Self::inlet) is drained, then the stages run: `FixedUpdate` as often as the fixed
    /// step says, `Update`, `LateUpdate`, `EndOfFrame`. In each, the messages that are due are
    /// delivered, in order of their due time, equal ones in the order posted.
    ///
    /// # Panics
    ///
    /// When a handler or a subscriber panics. Nothing that was queued is lost: what the pass had
    /// still to deliver is delivered in the next pass of that stage, and what was still in the inlet
    /// when the next frame begins. Also as [`begin_frame`](Self::begin_frame), before any stage has
    /// run.
    pub fn tick(&mut self, dt: Duration) -> FrameReport {
        let mut report = self.begin_frame(dt);
        let before = self.world.dead_letters.get();
        for _ in 0..report.fixed_steps {
            report.delivered += self.run_stage(Stage::FixedUpdate);
        }
        for stage in [Stage::Update, Stage::LateUpdate, Stage::EndOfFrame] {
            report.delivered += self.run_stage(stage);
        }
        report.dead_letters += self.world.dead_letters.get() - before;
        report
    }

    /// Begins a frame, for a host with a loop of its own that runs the stages by
    /// [`run_stage`](Self::run_stage): the frame number and the clock advance, what was
    /// [published](Self::publish) can be found, and the [inlet](Self::inlet) is drained. The report
    /// tells how many passes of `FixedUpdate` the frame is to have; nothing that waits for a stage is
    /// delivered yet.
    ///
    /// # Panics
    ///
    /// When a handler or a subscriber panics that receives a message of the inlet, or the `Drop` of a
    /// message that can be found no longer. The frame has begun then, and the rest of the inlet is
    /// drained when the next one begins.
    pub fn begin_frame(&mut self, dt: Duration) -> FrameReport {
        self.settle();
        let skipped_steps = self.world.begin_frame(dt);
        let before = self.world.dead_letters.get();
        let drained = self.world.drain_inlet();
        FrameReport {
            frame: self.world.time.frame,
            fixed_steps: self.world.time.owed_steps(),
            skipped_steps,
            drained,
            dead_letters: self.world.dead_letters.get() - before,
            ..FrameReport::default()
        }
    }

    /// Runs one pass of a stage, and returns how many posted messages it has delivered. A pass of
    /// `FixedUpdate` takes one fixed step, if the frame still owes one. `Immediate` has no passes:
    /// nothing waits for it.
    ///
    /// What is posted for the stage during its own pass waits for the next.
    ///
    /// # Panics
    ///
    /// As [`tick`](Self::tick).
    pub fn run_stage(&mut self, stage: Stage) -> usize {
        self.settle();
        self.world.run_pass(stage)
    }

    /// Returns a reading of the clock.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.world.time.reading()
    }

    /// Sets the speed of the scaled time relative to the time that `tick` is given, from the next
    /// frame on: 1 is the same speed, 0 stops it.
    ///
    /// # Errors
    ///
    /// [`ClockError::NoScale`] when it is negative, infinite or not a number.
    pub fn set_time_scale(&mut self, scale: f64) -> Result<(), ClockError> {
        self.world.time.set_scale(scale)
    }

    /// Stops the scaled time, or lets it run again, from the next frame on. Frames go on, and so
    /// does the unscaled time; `FixedUpdate` has no passes meanwhile.
    pub fn set_paused(&mut self, paused: bool) {
        self.world.time.set_paused(paused);
    }
}
