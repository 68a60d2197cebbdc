//! The manager's frame: its clock and its stages.

use std::time::Duration;

use crate::input::Input;
use crate::manager::MessageManager;
use crate::post::Pass;
use crate::time::Stage;

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
    /// The number of deliveries of repeating messages that were skipped beyond
    /// [`ManagerConfig::max_repeats_per_frame`](crate::ManagerConfig::max_repeats_per_frame). It is zero in
    /// the report of [`begin_frame`](crate::MessageManager::begin_frame), which delivers none of them; see
    /// [`skipped_repeats`](crate::Inspect::skipped_repeats).
    pub skipped_repeats: u64,
    /// The number of messages from other threads that were taken from the
    /// [inlet](crate::MessageManager::inlet).
    pub drained: usize,
    /// The number of deliveries of posted messages. A message that repeats counts each time; one that
    /// became a dead letter counts too.
    pub delivered: usize,
    /// The number of dead letters: of delivered messages, and of messages bound to a sender that
    /// was despawned.
    pub dead_letters: u64,
    /// The number of handlers that failed or panicked and of subscribers that panicked. The report of
    /// [`begin_frame`](crate::MessageManager::begin_frame) counts those of the inlet; see
    /// [`failure_count`](crate::Inspect::failure_count).
    pub failures: u64,
    /// Counts the sends to one messagee that [nobody handled](crate::Inspect::unhandled). In the
    /// report of [`begin_frame`](crate::MessageManager::begin_frame) those of the inlet.
    pub unhandled: u64,
    /// The number of times since the report before that an input [could not be logged](crate::report::Report::NotLogged),
    /// or a log broke off.
    pub not_logged: u64,
}

impl MessageManager {
    /// Runs one frame, `dt` after the last. The frame number and the clock advance, messages that were
    /// [published](Self::publish) since the last frame began can be found, and the [inlet](Self::inlet) is
    /// drained. Then the stages run: `FixedUpdate` as often as the fixed step requires, `Update`,
    /// `LateUpdate`, `EndOfFrame`. Each stage delivers the messages that are due in the order of their due
    /// time, and those with equal due times in the order posted.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Regenerate;
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn regenerate(&mut self, _: &Regenerate) { self.hp += 1; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Health { hp: 7 },));
    /// manager.post(Header::to(orc).every(Duration::from_millis(10)), Regenerate)?;
    ///
    /// let report = manager.tick(Duration::from_millis(25));
    /// assert_eq!((report.frame, report.delivered), (1, 2)); // At 10 and 20 ms.
    /// assert_eq!(manager.get::<Health>(orc)?.hp, 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler or a subscriber panics. Nothing that was queued is lost: what the pass had not
    /// delivered yet is delivered in the next pass of that stage, in order with what is due then, and what
    /// was still in the inlet is delivered when the next frame begins. Also panics under the same conditions
    /// as [`begin_frame`](Self::begin_frame), before any stage has run.
    pub fn tick(&mut self, dt: Duration) -> FrameReport {
        self.frame(Input::Tick(dt), None, dt)
    }

    /// Begins a frame, for a host with its own loop that runs the stages with [`run_stage`](Self::run_stage).
    /// The frame number and the clock advance, messages that were [published](Self::publish) can be found,
    /// and the [inlet](Self::inlet) is drained. The report says how many passes of `FixedUpdate` the frame is
    /// to have. Messages that wait for a stage are not delivered yet.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Move;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).stage(Stage::Update), Move)?;
    /// manager.post(Header::to(Everyone).stage(Stage::LateUpdate), Move)?;
    ///
    /// let report = manager.begin_frame(Duration::from_millis(16));
    /// assert_eq!((report.frame, report.delivered), (1, 0));
    /// for _ in 0..report.fixed_steps {
    ///     manager.run_stage(Stage::FixedUpdate);
    /// }
    /// assert_eq!(manager.run_stage(Stage::Update), 1);
    /// // Here the program does what comes between the two.
    /// assert_eq!(manager.run_stage(Stage::LateUpdate), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler or a subscriber panics while it receives a message of the inlet, or if the `Drop`
    /// of a message panics that can no longer be found; all such messages are dropped before that. The frame
    /// has begun then, and the rest of the inlet is drained when the next one begins.
    pub fn begin_frame(&mut self, dt: Duration) -> FrameReport {
        self.frame(Input::BeginFrame(dt), None, dt)
    }

    /// Begins a frame like [`begin_frame`](Self::begin_frame), for a host that keeps both clocks: the scaled
    /// time advances by `scaled`, the unscaled time by `unscaled`, to the nanosecond. The
    /// [scale](Self::set_time_scale) and [pause](Self::set_paused) of the manager do not apply to such a
    /// frame: those of the host are already in the times that it passes.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// // A host in slow motion that knows how far both of its clocks went.
    /// let (scaled, unscaled) = (Duration::from_nanos(4_166_667), Duration::from_nanos(16_666_668));
    /// let report = manager.begin_frame_with(scaled, unscaled);
    /// assert_eq!((report.frame, report.fixed_steps), (1, 0));
    /// assert_eq!(manager.clock().now(), scaled);
    /// assert_eq!(manager.clock().unscaled_now(), unscaled);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`begin_frame`](Self::begin_frame).
    pub fn begin_frame_with(&mut self, scaled: Duration, unscaled: Duration) -> FrameReport {
        let input = Input::BeginFrameWith(scaled, unscaled);
        self.frame(input, Some(scaled), unscaled)
    }

    /// Begins a frame, and runs its stages if it is a tick. The clock's own scale applies if no scaled time is given.
    fn frame(
        &mut self,
        input: Input<'_>,
        scaled: Option<Duration>,
        unscaled: Duration,
    ) -> FrameReport {
        self.settle();
        let world = self.input(|| input).0;
        world.changes().take_up();
        let common = &mut world.common;
        let scaled = scaled.unwrap_or_else(|| common.time.scaled(unscaled));
        let max_steps = common.config.max_fixed_steps;
        let before = common.time.reading();
        if before.owed > 0 {
            // The host does not run `FixedUpdate`: no mail waits for it.
            world.mail.passed = before.frame;
        }
        let skipped_steps = common.time.begin_frame(scaled, unscaled, max_steps);
        let clock = common.time.reading();
        // Posts that wait for this frame are due now, and published messages can be found.
        world.schedule.get_mut().begin_frame(clock.frame, clock.now);
        let nears_step = clock.delta > 0 && clock.fixed_step > 0;
        let is_first_to_come = nears_step && before.fixed_now == 0 && before.owed == 0;
        world.mail.turn(clock.frame, is_first_to_come);
        let skipped_repeats = self.inspect().skipped_repeats();
        let dead_letters = self.inspect().dead_letter_count();
        let failures = self.inspect().failure_count();
        let unhandled = self.world().waiting.failures.unhandled.total.get();
        let drained = self.drain_inlet();
        let mut delivered = 0;
        if let Input::Tick(_) = input {
            let world = self.no_input();
            for _ in 0..clock.owed {
                delivered += Pass::run(world, Stage::FixedUpdate);
            }
            for stage in [Stage::Update, Stage::LateUpdate, Stage::EndOfFrame] {
                delivered += Pass::run(world, stage);
            }
        }
        FrameReport {
            frame: clock.frame,
            fixed_steps: clock.owed,
            skipped_steps,
            skipped_repeats: self.inspect().skipped_repeats() - skipped_repeats,
            drained,
            delivered,
            dead_letters: self.inspect().dead_letter_count() - dead_letters,
            failures: self.inspect().failure_count() - failures,
            unhandled: self.world().waiting.failures.unhandled.total.get() - unhandled,
            not_logged: self.world().waiting.failures.not_logged.take(),
        }
    }

    /// Runs one pass of a stage and returns the number of posted messages that it delivered. A pass of
    /// `FixedUpdate` takes one fixed step, if the frame still owes one. `Immediate` has no passes, because
    /// nothing waits for it.
    ///
    /// A message that is posted for the stage during its own pass waits for the next one.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Draw;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).stage(Stage::EndOfFrame), Draw)?;
    /// manager.begin_frame(Duration::from_millis(16));
    /// assert_eq!(manager.run_stage(Stage::Update), 0);
    /// assert_eq!(manager.run_stage(Stage::EndOfFrame), 1);
    /// assert_eq!(manager.run_stage(Stage::EndOfFrame), 0); // It was delivered.
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`tick`](Self::tick).
    pub fn run_stage(&mut self, stage: Stage) -> usize {
        Pass::run(self.input(|| Input::RunStage(stage)).0, stage)
    }

    /// Forgets the messages that nobody has [handled](crate::Inspect::unhandled) so far.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Open;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// manager.send(door, Open)?;
    /// manager.reset_unhandled();
    /// assert!(manager.inspect().unhandled().is_empty());
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn reset_unhandled(&mut self) {
        let unhandled = &mut self.no_input().waiting.failures.unhandled;
        unhandled.pairs.get_mut().clear();
    }

    /// Sets the step of `FixedUpdate`, replacing
    /// [`ManagerConfig::fixed_step`](crate::ManagerConfig::fixed_step). Zero means that there are no steps. It
    /// takes effect at once: the fixed time stays where it is, and the steps that the frame still owes are
    /// counted again, as many as fit between the fixed time and the scaled time and no more than
    /// [`max_fixed_steps`](crate::ManagerConfig::max_fixed_steps). The step is part of a save, so a restored
    /// manager continues with it.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let config = ManagerConfig::new().fixed_step(ms(10));
    /// let mut manager = MessageManager::with_config(config);
    /// assert_eq!(manager.tick(ms(25)).fixed_steps, 2); // Up to 20.
    /// manager.set_fixed_step(ms(4));
    /// assert_eq!(manager.clock().fixed_step(), ms(4));
    /// assert_eq!(manager.tick(ms(5)).fixed_steps, 2); // 24 and 28.
    /// assert_eq!(manager.clock().fixed_overstep(), ms(2));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`settle`](Self::settle), which is called first.
    pub fn set_fixed_step(&mut self, step: Duration) {
        let common = &mut self.input(|| Input::SetFixedStep(step)).0.common;
        let max_steps = common.config.max_fixed_steps;
        common.time.set_fixed_step(step, max_steps);
    }
}
