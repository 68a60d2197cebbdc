//! The limits of a manager, and the step of its fixed clock.

use std::time::Duration;

use crate::address::Recipient;
use crate::report::ReportTo;
use crate::time::WallSource;

/// The limits of a manager, and the step of its fixed clock. Made with [`new`](Self::new) and changed
/// by its methods:
///
/// ```
/// use message_core::prelude::*;
///
/// let manager = MessageManager::with_config(ManagerConfig::new().max_depth(16));
/// assert!(manager.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
// A config equals its clone.
#[allow(unpredictable_function_pointer_comparisons)]
#[must_use]
pub struct ManagerConfig {
    pub(crate) max_depth: usize,
    pub(crate) max_kept: usize,
    pub(crate) max_pending: usize,
    pub(crate) inlet_capacity: u32,
    pub(crate) max_published: u32,
    pub(crate) fixed_step: Duration,
    pub(crate) max_fixed_steps: u32,
    pub(crate) max_repeats_per_frame: u32,
    pub(crate) panic_policy: PanicPolicy,
    pub(crate) require: u32,
    pub(crate) report_to: ReportTo,
    pub(crate) report_unhandled: bool,
    pub(crate) wall_clock: Option<WallSource>,
}

/// The consequence of a panic in a handler or a subscriber.
///
/// ```
/// use message_core::PanicPolicy;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Shake;
///
/// struct Bomb;
///
/// #[handlers]
/// impl Bomb {
///     #[on_receive]
///     fn shake(&mut self, _: &Shake) { panic!("boom") }
/// }
///
/// let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
/// let mut manager = MessageManager::with_config(config);
/// let bomb = manager.spawn((Bomb,));
/// assert_eq!(manager.send(bomb, Shake)?.failed, 1);
/// assert!(manager.is_alive(bomb) && manager.get::<Bomb>(bomb).is_err());
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PanicPolicy {
    /// It goes to the caller of the outermost send. The manager can be used on.
    #[default]
    Propagate,
    /// It ends with the component, which is unhooked, or with the subscription; a
    /// [`HandlerPanicked`](crate::lifecycle::HandlerPanicked) reports it, and delivery goes on.
    ///
    /// A component that panics counts as one that has failed, a subscriber as one that has received the
    /// message, an interceptor as one that has let it pass. A receiver that has panicked receives nothing
    /// from then on, not even its [`Unhooking`](crate::lifecycle::Unhooking); the messagee's others do. A
    /// program that is built with `panic = "abort"` ends all the same. Under this policy each send costs
    /// more, since it has to be ready to catch a panic.
    Unhook,
}

impl ManagerConfig {
    /// Returns the defaults: 80 nested sends, 1 048 576 kept deliveries, 16 777 216 pending messages,
    /// as many published in a frame, 65 536 messages in the inlet, fixed steps of 1/64 of a second, at
    /// most eight of them in a frame, and at most 1 024 deliveries of one repeating message in a frame.
    /// Panics propagate to the caller, no receivers are required, and reports are printed to stderr.
    ///
    /// It is a `const fn`, and so are the methods that change it: a program can hold its limits in a
    /// constant.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// const SMALL: ManagerConfig = ManagerConfig::new().max_pending(1_000).max_published(1_000);
    ///
    /// assert_eq!(ManagerConfig::new(), ManagerConfig::default());
    /// let manager = MessageManager::with_config(SMALL);
    /// assert!(manager.is_empty());
    /// ```
    pub const fn new() -> Self {
        Self {
            max_depth: 80,
            max_kept: 1 << 20,
            max_pending: 1 << 24,
            inlet_capacity: 1 << 16,
            max_published: 1 << 24,
            fixed_step: Duration::from_micros(15_625),
            max_fixed_steps: 8,
            max_repeats_per_frame: 1024,
            panic_policy: PanicPolicy::Propagate,
            require: 0,
            report_to: ReportTo::Stderr,
            report_unhandled: false,
            wall_clock: None,
        }
    }

    /// Sets how deep sends may be nested: a send from outside is the first, a send by its receiver
    /// the second. One more fails with [`Limit::Depth`](crate::error::Limit::Depth). Zero
    /// leaves nothing that can be sent, the manager's own messages included.
    ///
    /// Each level takes room on the thread's stack, so a limit of many thousands only moves the
    /// end of a runaway from an error to an overflow. Without this it is 80: that many levels take at
    /// most half of a stack of 2 MiB, as the threads of the standard library have, in a debug build.
    /// There, on x86-64, a level takes
    ///
    /// | way of the send | bytes |
    /// |---|---|
    /// | to a messagee whose only such component handles it, and nobody listens | 3 300 |
    /// | a subscriber's send | 5 200 |
    /// | to `Everyone` | 6 000 |
    /// | `Up` or `Down`, or somebody listens | 8 300 |
    /// | any of the above while a recorder is on | 11 900 |
    /// | and with [`PanicPolicy::Unhook`] | 12 400 |
    ///
    /// with a handler that takes a context and returns a `Result`, and has no large variables of its
    /// own. In a release build it is a fraction of that. A chain that is meant to be longer is better
    /// posted to a later stage.
    ///
    /// ```
    /// use message_core::Recipient::Me;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Pass { left: u32 }
    ///
    /// struct Runner;
    ///
    /// #[handlers]
    /// impl Runner {
    ///     #[on_receive]
    ///     fn pass(&self, pass: &Pass, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         match pass.left {
    ///             0 => Ok(()),
    ///             left => cx.send(Me, Pass { left: left - 1 }).map(drop),
    ///         }
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(3));
    /// let runner = manager.spawn((Runner,));
    /// assert_eq!(manager.send(runner, Pass { left: 2 })?.failed, 0);
    /// assert_eq!(manager.send(runner, Pass { left: 3 })?.failed, 1); // `Limit::Depth`
    /// # Ok::<(), SendError>(())
    /// ```
    pub const fn max_depth(mut self, depth: usize) -> Self {
        self.max_depth = depth;
        self
    }

    /// Sets how many deliveries may be kept for busy components and subscribers, for messagees that
    /// are not yet alive, and whole messages for busy interceptors, from the start of an outermost
    /// send to its end. One more fails with
    /// [`Limit::Kept`](crate::error::Limit::Kept). Counted in all and not at once, so
    /// that a component that answers each of its own messages with another comes to an end.
    ///
    /// ```
    /// use message_core::Recipient::Me;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Work;
    ///
    /// #[derive(Message)]
    /// struct Start { jobs: usize }
    ///
    /// struct Worker;
    ///
    /// #[handlers]
    /// impl Worker {
    ///     #[on_receive]
    ///     fn start(&mut self, start: &Start, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         // It is running, so what it sends to itself is kept.
    ///         (0..start.jobs).try_for_each(|_| cx.send(Me, Work).map(drop))
    ///     }
    ///
    ///     #[on_receive]
    ///     fn work(&mut self, _: &Work) {}
    /// }
    ///
    /// let config = ManagerConfig::new().max_kept(2);
    /// let mut manager = MessageManager::with_config(config);
    /// let worker = manager.spawn((Worker,));
    /// assert_eq!(manager.send(worker, Start { jobs: 2 })?.failed, 0);
    /// assert_eq!(manager.send(worker, Start { jobs: 3 })?.failed, 1); // `Limit::Kept`
    /// # Ok::<(), SendError>(())
    /// ```
    pub const fn max_kept(mut self, deliveries: usize) -> Self {
        self.max_kept = deliveries;
        self
    }

    /// Sets the maximum number of pending messages. A post beyond it fails with
    /// [`Limit::Pending`](crate::error::Limit::Pending), and no accepted message is lost. A
    /// post that replaces another under its key does not add to the number.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Later;
    ///
    /// let config = ManagerConfig::new().max_pending(1);
    /// let mut manager = MessageManager::with_config(config);
    /// let header = Header::to(Everyone).after_frames(1).build()?;
    /// assert!(manager.post(&header, Later).is_ok());
    /// assert!(matches!(manager.post(&header, Later).unwrap_err().kind(), SendErrorKind::AtLimit { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn max_pending(mut self, messages: usize) -> Self {
        self.max_pending = messages;
        self
    }

    /// Sets how many messages from other threads may wait for a frame in the
    /// [inlet](crate::MessageManager::inlet). One more fails with
    /// [`InletError::Full`](crate::InletError::Full), or waits for room. There is room for one at
    /// least: zero counts as one.
    ///
    /// The capacity is a limit and takes no memory: the inlet has as much as the most messages that
    /// have waited in it at once need, two words each, besides the messages themselves.
    ///
    /// ```
    /// use message_core::InletError;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Pressed;
    ///
    /// let manager = MessageManager::with_config(ManagerConfig::new().inlet_capacity(1));
    /// let inlet = manager.inlet();
    /// assert!(inlet.try_post(Header::to(Everyone), Pressed).is_ok());
    /// let full = inlet.try_post(Header::to(Everyone), Pressed);
    /// assert!(matches!(full, Err(InletError::Full { capacity: 1, .. })));
    /// ```
    pub const fn inlet_capacity(mut self, messages: u32) -> Self {
        self.inlet_capacity = messages;
        self
    }

    /// Sets the maximum number of messages that can be [published](crate::MessageManager::publish) in one
    /// frame, of all types together. A publication beyond it fails with
    /// [`Limit::Published`](crate::error::Limit::Published), and no accepted message is lost.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Noise;
    ///
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().max_published(1));
    /// assert!(manager.publish(Everyone, Noise).is_ok());
    /// let full = manager.publish(Everyone, Noise);
    /// assert!(matches!(full.unwrap_err().kind(), SendErrorKind::AtLimit { .. }));
    /// manager.tick(Duration::from_millis(16));
    /// assert!(manager.publish(Everyone, Noise).is_ok()); // A new frame.
    /// ```
    pub const fn max_published(mut self, messages: u32) -> Self {
        self.max_published = messages;
        self
    }

    /// Sets the time from one pass of `FixedUpdate` to the next, to the nanosecond. Without this it is
    /// 1/64 of a second. With zero a [`tick`](crate::MessageManager::tick) has no such pass.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let config = ManagerConfig::new().fixed_step(Duration::from_millis(10));
    /// let mut manager = MessageManager::with_config(config);
    /// assert_eq!(manager.tick(Duration::from_millis(25)).fixed_steps, 2);
    /// assert_eq!(manager.tick(Duration::from_millis(5)).fixed_steps, 1);
    /// ```
    pub const fn fixed_step(mut self, step: Duration) -> Self {
        self.fixed_step = step;
        self
    }

    /// Sets the maximum number of fixed steps in a frame; 8 by default. If a long frame owes more, the
    /// excess is left out: the fixed time leaps over it, and the steps that are taken are the last
    /// ones. [`FrameReport::skipped_steps`](crate::FrameReport::skipped_steps) counts the steps that
    /// were left out.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let config = ManagerConfig::new().fixed_step(Duration::from_millis(10)).max_fixed_steps(3);
    /// let mut manager = MessageManager::with_config(config);
    /// let frame = manager.tick(Duration::from_millis(100)); // A long frame: ten steps.
    /// assert_eq!((frame.fixed_steps, frame.skipped_steps), (3, 7));
    /// ```
    pub const fn max_fixed_steps(mut self, steps: u32) -> Self {
        self.max_fixed_steps = steps;
        self
    }

    /// Sets the number of times that one repeating message may be delivered in one frame, over all
    /// passes of its stage. The oldest deliveries come first. What a long frame owes beyond this is
    /// skipped: the message is next due at the first time of its series that the frame has not
    /// reached. Skipped deliveries count among its [`times`](crate::post::HeaderBuilder::times), and
    /// are reported in [`FrameReport::skipped_repeats`](crate::FrameReport::skipped_repeats).
    ///
    /// Each message has a limit of its own, and it is at least one: zero counts as one.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Drip;
    ///
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().max_repeats_per_frame(4));
    /// manager.post(Header::to(Everyone).every(Duration::from_millis(1)), Drip)?;
    /// let frame = manager.tick(Duration::from_millis(10));
    /// assert_eq!((frame.delivered, frame.skipped_repeats), (4, 6));
    /// # Ok::<(), SendError>(())
    /// ```
    pub const fn max_repeats_per_frame(mut self, deliveries: u32) -> Self {
        self.max_repeats_per_frame = deliveries;
        self
    }

    /// Sets the minimum number of receivers of a message whose header does not [set
    /// one](crate::post::HeaderBuilder::require). With fewer, a send returns
    /// [`SendErrorKind::NotReceived`](crate::SendErrorKind::NotReceived), and a post that is delivered later
    /// becomes a [`DeadLetter`](crate::lifecycle::DeadLetter). Set it to 1 during development to learn of
    /// every message that nobody has received.
    ///
    /// It applies to messages sent or posted to one messagee: by its id, by `Me` or by a mnemonic. It does
    /// not apply to messages to many (`Everyone`, `EveryoneElse`, a group, `Up`, `Down`), to requests,
    /// whose errors already say that nobody has answered, and to the manager's own messages. With a value
    /// other than 0 each send costs more, since its receipt has to be checked.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().require(1));
    /// let deaf = manager.spawn(());
    /// assert!(matches!(manager.send(deaf, Ping).unwrap_err().kind(), SendErrorKind::NotReceived { .. }));
    /// assert!(manager.send(Everyone, Ping).is_ok());
    /// assert!(manager.post(Header::to(deaf).require(0), Ping).is_ok());
    /// ```
    pub const fn require(mut self, receivers: u32) -> Self {
        self.require = receivers;
        self
    }

    /// Returns the minimum number of receivers of a message to that recipient, if its header does not set
    /// one.
    pub(crate) const fn required_by_default(&self, to: Recipient) -> u32 {
        match to {
            Recipient::Id(_) | Recipient::Me | Recipient::Mnemonic(_) => self.require,
            _ => 0,
        }
    }

    /// Returns `true` if a report goes anywhere.
    pub(crate) fn reports(&self) -> bool {
        self.report_to != ReportTo::Nobody
    }

    /// Sets the consequence of a panic in a handler or a subscriber. By default it goes to the caller
    /// of the outermost send.
    ///
    /// ```
    /// use message_core::PanicPolicy;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
    /// let mut manager = MessageManager::with_config(config);
    /// manager.subscribe(Filter::of::<Ping>(), |_, _| panic!("a bug"));
    /// manager.send(Everyone, Ping)?; // The panic ends with the subscription.
    /// assert_eq!(manager.inspect().failure_count(), 1);
    /// assert_eq!(manager.send(Everyone, Ping)?.received, 0);
    /// # Ok::<(), SendError>(())
    /// ```
    pub const fn panic_policy(mut self, policy: PanicPolicy) -> Self {
        self.panic_policy = policy;
        self
    }

    /// Sets where to report failures that no component or subscriber was notified of. By default, lines
    /// are printed to stderr. These failures are reported:
    ///
    /// - the error of a handler, and a panic under [`PanicPolicy::Unhook`];
    /// - a posted message that too few have received of those that its header
    ///   [requires](crate::post::HeaderBuilder::require), or that could not be delivered because of a limit;
    /// - a message that could not be kept because of [`max_kept`](Self::max_kept), if the handler that
    ///   sent it has ignored that, and no other failure was reported in the same outermost send.
    ///
    /// A failure does not need a report if somebody has received the
    /// [`HandlerFailed`](crate::lifecycle::HandlerFailed),
    /// [`HandlerPanicked`](crate::lifecycle::HandlerPanicked) or
    /// [`DeadLetter`](crate::lifecycle::DeadLetter), hidden subscriptions included. The report is made
    /// when the outermost send returns; no handler is running then. To make
    /// it an event of the crate `tracing`, give `ReportTo::Function` the function `warn` of the crate `message-trace`.
    ///
    /// ```
    /// use message_core::report::{Report, ReportTo};
    /// use message_core::prelude::*;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// static REPORTS: AtomicUsize = AtomicUsize::new(0);
    ///
    /// fn count(_: &Report) {
    ///     REPORTS.fetch_add(1, Ordering::Relaxed);
    /// }
    ///
    /// #[derive(Message)]
    /// struct Alarm;
    ///
    /// let config = ManagerConfig::new().report_to(ReportTo::Function(count));
    /// let mut manager = MessageManager::with_config(config);
    /// manager.post(Header::to(Everyone).after_frames(1).require(1), Alarm)?;
    /// manager.tick(std::time::Duration::from_millis(16)); // Nobody was there.
    /// assert_eq!(REPORTS.load(Ordering::Relaxed), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    pub const fn report_to(mut self, to: ReportTo) -> Self {
        // A destructor cannot run in a `const fn`. Only a closure that is replaced has one.
        std::mem::forget(std::mem::replace(&mut self.report_to, to));
        self
    }

    /// Reports the first send of each message type to messagees with the same component types that nobody
    /// [handles](crate::Inspect::unhandled), when the outermost send ends. After a
    /// [reset](crate::MessageManager::reset_unhandled) it is reported again. Without this it is only counted.
    ///
    /// ```
    /// use message_core::report::{Report, ReportTo};
    /// use message_core::prelude::*;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// static REPORTS: AtomicUsize = AtomicUsize::new(0);
    ///
    /// fn count(report: &Report) {
    ///     if matches!(report, Report::Unhandled(_)) {
    ///         REPORTS.fetch_add(1, Ordering::Relaxed);
    ///     }
    /// }
    ///
    /// #[derive(Message)]
    /// struct Open;
    ///
    /// let config = ManagerConfig::new().report_to(ReportTo::Function(count)).report_unhandled(true);
    /// let mut manager = MessageManager::with_config(config);
    /// let (door, gate) = (manager.spawn(()), manager.spawn(()));
    /// for id in [door, door, gate] {
    ///     manager.send(id, Open)?;
    /// }
    /// assert_eq!(REPORTS.load(Ordering::Relaxed), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    pub const fn report_unhandled(mut self, report: bool) -> Self {
        self.report_unhandled = report;
        self
    }

    /// Sets the clock for the times of recorded events (`trace::TraceEvent::wall`): a function that
    /// returns the time since any fixed moment. Nothing else in the manager asks for the time. The
    /// returned times need not grow: each event gets a later time than the one before.
    ///
    /// Without this it is the monotonic clock of the standard library. On `wasm32-unknown-unknown` that
    /// library has no clock. There a recorder works without one, and the times are only in order, a
    /// nanosecond apart; a page can give its `performance.now()`.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// static MICROSECONDS: AtomicU64 = AtomicU64::new(0);
    ///
    /// fn now() -> Duration { Duration::from_micros(MICROSECONDS.load(Ordering::Relaxed)) }
    ///
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().wall_clock(now));
    /// Recorder::new(100).start(&mut manager);
    /// MICROSECONDS.store(250, Ordering::Relaxed);
    /// manager.send(Everyone, Ping)?;
    ///
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let sent = recorder.events().next().expect("it was sent");
    /// assert_eq!(sent.wall, Duration::from_micros(250));
    /// # Ok::<(), SendError>(())
    /// ```
    pub const fn wall_clock(mut self, clock: fn() -> Duration) -> Self {
        self.wall_clock = Some(clock);
        self
    }
}

impl Default for ManagerConfig {
    fn default() -> Self {
        Self::new()
    }
}
