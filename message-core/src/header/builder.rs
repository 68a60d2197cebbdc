//! The builder of a header.
//!
//! `build` finds contradictions, so `post` has only the recipient left to check.

use std::time::Duration;

use crate::address::HookId;
use crate::error::HeaderError;
use crate::header::{Delay, Header, PostKey, Renewal, Repeat};
use crate::tag::TagSet;
use crate::time::{Stage, nanoseconds};

/// Builds a [`Header`]. If a field is set twice, the last value wins.
///
/// ```
/// use message_core::HeaderError;
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// let header = Header::to(Everyone)
///     .after(Duration::from_millis(200))
///     .require(1)
///     .build()?;
/// assert_eq!(header.stage(), Stage::Update); // A header with a delay is for `Update`.
/// # Ok::<(), HeaderError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "a header is made by `build`, or by posting with it"]
pub struct HeaderBuilder {
    /// With no stage and no time yet.
    pub(super) header: Header,
    timing: Timing,
}

/// The settings from which `build` computes stage, delay and repetition.
#[derive(Clone, Copy, Debug, Default)]
struct Timing {
    stage: Option<Stage>,
    after: Span,
    every: Span,
    every_pass: bool,
    times: Option<u64>,
    unscaled: bool,
}

/// A delay or a period, as it was set.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    /// Nanoseconds.
    time: Option<u64>,
    frames: Option<u64>,
}

impl Span {
    /// Returns the span on its clock, or the error if it was set in both units.
    fn on_clock(self, unscaled: bool, both: HeaderError) -> Result<Delay, HeaderError> {
        match (self.time, self.frames) {
            (None, None) => Ok(Delay::None),
            (Some(time), None) if unscaled => Ok(Delay::Unscaled(time)),
            (Some(time), None) => Ok(Delay::Time(time)),
            (None, Some(frames)) => Ok(Delay::Frames(frames)),
            (Some(_), Some(_)) => Err(both),
        }
    }
}

impl HeaderBuilder {
    pub(super) fn new(header: Header) -> Self {
        let timing = Timing::default();
        Self { header, timing }
    }

    /// Sets when in the frame the message is delivered. Without this it is `Immediate`, or `Update` if
    /// the message is delayed or repeated.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Draw;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).stage(Stage::LateUpdate), Draw)?;
    /// manager.begin_frame(Duration::from_millis(16));
    /// assert_eq!(manager.run_stage(Stage::Update), 0);
    /// assert_eq!(manager.run_stage(Stage::LateUpdate), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn stage(mut self, stage: Stage) -> Self {
        self.timing.stage = Some(stage);
        self
    }

    /// Delays the message by a time: it is delivered in the first pass of its stage at or after that
    /// moment of the scaled clock. Zero is the next pass. The delay counts from the call that posts
    /// the message. What would be past the end of time, 292 years on, is due then.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Explode;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).after(Duration::from_millis(30)), Explode)?;
    /// assert_eq!(manager.tick(Duration::from_millis(20)).delivered, 0);
    /// assert_eq!(manager.tick(Duration::from_millis(20)).delivered, 1);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn after(mut self, delay: Duration) -> Self {
        self.timing.after.time = Some(nanoseconds(delay));
        self
    }

    /// Delays the message by frames: 1 is the next frame. Zero is the next pass of its stage. What
    /// would be past the last frame, 2^64 - 1, is due then.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Blink;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).after_frames(2), Blink)?;
    /// assert_eq!(manager.tick(Duration::from_millis(16)).delivered, 0);
    /// assert_eq!(manager.tick(Duration::from_millis(16)).delivered, 1);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn after_frames(mut self, frames: u64) -> Self {
        self.timing.after.frames = Some(frames);
        self
    }

    /// Delivers the message again and again, with that time from one due moment to the next, however
    /// late the deliveries themselves were. The first delivery comes after the delay, or without a
    /// delay after the first period.
    ///
    /// After a long frame the deliveries that have fallen due in it come one after the other, up to
    /// [`max_repeats_per_frame`](crate::ManagerConfig::max_repeats_per_frame). A message that repeats
    /// ends with its first delivery to a messagee that is gone.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Regenerate;
    ///
    /// let mut manager = MessageManager::new();
    /// let ticket = manager.post(Header::to(Everyone).every(Duration::from_millis(10)), Regenerate)?;
    /// assert_eq!(manager.tick(Duration::from_millis(35)).delivered, 3); // At 10, 20 and 30 ms.
    /// assert_eq!(manager.tick(Duration::from_millis(5)).delivered, 1); // At 40 ms.
    /// assert!(manager.has_pending(ticket)); // Until it is cancelled.
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn every(mut self, period: Duration) -> Self {
        self.timing.every.time = Some(nanoseconds(period));
        self
    }

    /// Delivers the message again and again, with that number of frames from one delivery to the next.
    /// The first delivery comes after the delay, or without a delay after the first period.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Sweep;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).every_frames(2), Sweep)?;
    /// let delivered = [(); 5].map(|()| manager.tick(Duration::from_millis(16)).delivered);
    /// assert_eq!(delivered, [0, 1, 0, 1, 0]);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn every_frames(mut self, frames: u64) -> Self {
        self.timing.every.frames = Some(frames);
        self
    }

    /// Delivers the message again in each pass of its stage, for messages that `FixedUpdate` needs in
    /// each step. Without a delay the first delivery is made in the next pass.
    ///
    /// The other stages have one pass in each frame. What repeats so comes once in a pass, also after a
    /// long frame.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Step;
    ///
    /// #[derive(Default)]
    /// struct Body { steps: u32 }
    ///
    /// #[handlers]
    /// impl Body {
    ///     #[on_receive]
    ///     fn step(&mut self, _: &Step) { self.steps += 1; }
    /// }
    ///
    /// let config = ManagerConfig::new().fixed_step(Duration::from_millis(10));
    /// let mut manager = MessageManager::with_config(config);
    /// let body = manager.spawn((Body::default(),));
    /// manager.post(Header::to(body).stage(Stage::FixedUpdate).every_pass(), Step)?;
    /// manager.tick(Duration::from_millis(30));
    /// assert_eq!(manager.get::<Body>(body)?.steps, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn every_pass(mut self) -> Self {
        self.timing.every_pass = true;
        self
    }

    /// Sets how often a message that repeats is delivered in all. Without this it repeats until it is
    /// cancelled.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Ring;
    ///
    /// let mut manager = MessageManager::new();
    /// let thrice = Header::to(Everyone).every(Duration::from_secs(1)).times(3);
    /// let ticket = manager.post(thrice, Ring)?;
    /// assert_eq!(manager.tick(Duration::from_secs(2)).delivered, 2);
    /// assert_eq!(manager.tick(Duration::from_secs(2)).delivered, 1);
    /// assert!(!manager.has_pending(ticket));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn times(mut self, deliveries: u64) -> Self {
        self.timing.times = Some(deliveries);
        self
    }

    /// Sets the labels of the message, in addition to those of its type: a tag, or several that are
    /// combined by `|`. Filters, pending posts and traces can be chosen by them.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// tag!(COMBAT, RADIO);
    ///
    /// #[derive(Message)]
    /// struct Report;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::of::<Report>().tagged(RADIO), |_, _| {});
    /// let by_radio = Header::to(Everyone).tags(COMBAT | RADIO).build()?;
    /// let receipt = manager.post(&by_radio, Report)?.receipt().unwrap_or_default();
    /// assert_eq!(receipt.received, 1);
    /// assert_eq!(manager.send(Everyone, Report)?.received, 0); // Without a tag.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tags(mut self, tags: impl Into<TagSet>) -> Self {
        self.header.tags = tags.into();
        self
    }

    /// Sets how many receivers that are not hidden there have to be. With fewer, a message that is
    /// delivered at once is [`SendErrorKind::NotReceived`](crate::SendErrorKind::NotReceived), and one that
    /// is posted becomes a [`DeadLetter`](crate::lifecycle::DeadLetter). Without this, as many are
    /// required as [`ManagerConfig::require`](crate::ManagerConfig::require) says; zero is none.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Alarm;
    ///
    /// let mut manager = MessageManager::new();
    /// let to_two = Header::to(Everyone).require(2).build()?;
    /// manager.subscribe(Filter::of::<Alarm>(), |_, _| {});
    /// let alone = manager.post(&to_two, Alarm);
    /// assert!(matches!(alone.unwrap_err().kind(), SendErrorKind::NotReceived { wanted: 2, got: 1, .. }));
    /// manager.subscribe(Filter::of::<Alarm>(), |_, _| {});
    /// assert!(manager.post(&to_two, Alarm).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn require(mut self, receivers: u32) -> Self {
        self.header.require = Some(receivers);
        self
    }

    /// Sets the key of the message while it is pending. Posting under a key replaces the message that
    /// is pending under it, whatever its type and its recipient. The replaced message is dropped and
    /// does not become a dead letter.
    ///
    /// The key is the sender's own: each messagee that posts with this header has a separate key, and
    /// so has the outside. [`shared_key`](Self::shared_key) is the same for all.
    ///
    /// ```
    /// use message_core::PostKey;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Close;
    ///
    /// let mut manager = MessageManager::new();
    /// let (lift, door) = (manager.spawn(()), manager.spawn(()));
    /// let later = Header::to(door).after_frames(3).key("doors").build()?;
    /// manager.post(&later, Close)?;
    /// manager.speak_for(lift)?.post(&later, Close)?;
    /// assert_eq!(manager.pending_posts(Posts::all()).len(), 2);
    /// assert_eq!(manager.cancel("doors"), 1);
    /// assert!(manager.has_pending(PostKey::from("doors").of(lift)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn key(mut self, key: impl Into<PostKey>) -> Self {
        self.header.key = Some(key.into());
        self
    }

    /// Like [`key`](Self::key), but with a key that all senders share: only the last message posted
    /// under it, by anyone, is pending.
    ///
    /// ```
    /// use message_core::{HeaderError, PostKey};
    /// use message_core::prelude::*;
    ///
    /// let header = Header::to(Everyone).after_frames(3).shared_key("autosave").build()?;
    /// assert_eq!(header.key(), Some(PostKey::from("autosave").shared()));
    /// # Ok::<(), HeaderError>(())
    /// ```
    pub fn shared_key(self, key: impl Into<PostKey>) -> Self {
        self.key(key.into().shared())
    }

    /// Lets a message that replaces a pending one under its [key](Self::key) be due when that one would have
    /// been. Without a pending one, or if that is measured on another clock, the delay counts from now.
    ///
    /// This lets an effect keep its beat when it is renewed: a message that repeats each second, and is posted
    /// again after half a second, is next delivered half a second later.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Burn;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// let burning = Header::to(orc).every(Duration::from_secs(1)).times(5).key("burning").keep_phase();
    /// manager.post(burning, Burn)?;
    /// manager.tick(Duration::from_millis(500));
    /// manager.post(burning, Burn)?;
    /// assert_eq!(manager.tick(Duration::from_millis(500)).delivered, 1);
    /// assert_eq!(manager.pending_posts("burning")[0].deliveries, Some(4));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn keep_phase(mut self) -> Self {
        self.header.renewal = Renewal::KeepPhase;
        self
    }

    /// Posts the message only if none is pending under its [key](Self::key). Otherwise the message is dropped,
    /// and the post returns the ticket of the pending one.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Alarm;
    ///
    /// let mut manager = MessageManager::new();
    /// let alarm = Header::to(Everyone).after_frames(2).key("alarm").unless_pending();
    /// let first = manager.post(alarm, Alarm)?;
    /// assert_eq!(manager.post(alarm, Alarm)?, first);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn unless_pending(mut self) -> Self {
        self.header.renewal = Renewal::UnlessPending;
        self
    }

    /// Lets the message end without a dead letter when its recipient is gone by then, or nobody is
    /// bound to its mnemonic any more. Applies only to pending messages: posting to a messagee that is
    /// already gone is still an error.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Burn;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// manager.post(Header::to(orc).after_frames(1).if_alive(), Burn)?;
    /// manager.despawn(orc)?;
    /// assert_eq!(manager.tick(std::time::Duration::ZERO).dead_letters, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn if_alive(mut self) -> Self {
        self.header.if_alive = true;
        self
    }

    /// Measures the delay and the period on the unscaled clock, which runs on while the manager's time
    /// is paused or scaled. Useful for a user interface over a paused game.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct FadeOut;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.set_paused(true);
    /// let second = Header::to(Everyone).after(Duration::from_secs(1));
    /// manager.post(second, FadeOut)?;
    /// manager.post(second.unscaled(), FadeOut)?;
    /// assert_eq!(manager.tick(Duration::from_secs(2)).delivered, 1);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn unscaled(mut self) -> Self {
        self.timing.unscaled = true;
        self
    }

    /// Lets the message end with its sender: when that is despawned, it is not delivered any more but
    /// becomes a dead letter. What is [cancelled](crate::MessageManager::cancel) ends without one.
    /// Posting it from outside every messagee is
    /// [`SendErrorKind::NoSender`](crate::SendErrorKind::NoSender).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Whisper;
    ///
    /// let mut manager = MessageManager::new();
    /// let ghost = manager.spawn(());
    /// let later = Header::to(Everyone).after_frames(1).tied_to_sender();
    /// let ticket = manager.speak_for(ghost)?.post(later, Whisper)?;
    /// manager.despawn(ghost)?;
    /// assert!(!manager.has_pending(ticket));
    /// assert_eq!(manager.tick(Duration::from_millis(16)).delivered, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tied_to_sender(mut self) -> Self {
        self.header.bound = true;
        self
    }

    /// Lets the message end with a component: when that is unhooked, or its messagee is despawned, the message is
    /// cancelled. Meant for a component's own timers, which its successor should not hear.
    ///
    /// Posting it when the component is gone already is
    /// [`SendErrorKind::Absent`](crate::SendErrorKind::Absent).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::lifecycle::Hooked;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Think;
    ///
    /// #[derive(Default)]
    /// struct Mind { thoughts: u32 }
    ///
    /// #[handlers]
    /// impl Mind {
    ///     #[on_receive]
    ///     fn hooked(&mut self, _: &Hooked, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         let each_second = Header::to(cx.me()).every(Duration::from_secs(1));
    ///         cx.post(each_second.until_unhooked(cx.my_hook()), Think)?;
    ///         Ok(())
    ///     }
    ///
    ///     #[on_receive]
    ///     fn think(&mut self, _: &Think) { self.thoughts += 1; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Mind::default(),));
    /// manager.unhook::<Mind>(manager.hook_of::<Mind>(orc)?)?;
    /// manager.hook(orc, Mind::default())?;
    /// manager.tick(Duration::from_secs(1));
    /// assert_eq!(manager.get::<Mind>(orc)?.thoughts, 1);
    /// # Ok::<(), MessageeError>(())
    /// ```
    pub fn until_unhooked(mut self, component: HookId) -> Self {
        self.header.until = Some(component);
        self
    }

    /// Keeps the message after its delivery, as the last one of its type to its recipient, for
    /// subscriptions that are made later and ask for it by
    /// [`with_retained`](crate::Filter::with_retained).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Weather(&'static str);
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).retain(), Weather("rain"))?;
    /// manager.post(Header::to(Everyone).retain(), Weather("snow"))?;
    ///
    /// let (log, heard) = mpsc::channel();
    /// manager.subscribe(Filter::of::<Weather>().with_retained(), move |weather, _| {
    ///     let _ = log.send(weather.0);
    /// });
    /// assert!(heard.try_iter().eq(["snow"]));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn retain(mut self) -> Self {
        self.header.retain = true;
        self
    }

    /// Returns the header.
    ///
    /// A builder can be posted with, too: then the post builds the header, and a contradiction is
    /// [`SendErrorKind::Header`](crate::SendErrorKind::Header).
    ///
    /// # Errors
    ///
    /// The first contradiction that is found: see [`HeaderError`].
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let header = Header::to(Everyone).every(Duration::from_millis(500)).times(3).build()?;
    /// assert_eq!((header.stage(), header.times()), (Stage::Update, Some(3)));
    ///
    /// let error = Header::to(Everyone).times(3).build();
    /// assert_eq!(error, Err(HeaderError::TimesWithoutPeriod));
    /// # Ok::<(), HeaderError>(())
    /// ```
    pub fn build(self) -> Result<Header, HeaderError> {
        let timing = self.timing;
        let unscaled = timing.unscaled;
        let delay = timing.after.on_clock(unscaled, HeaderError::TwoDelays)?;
        let period = timing.every.on_clock(unscaled, HeaderError::TwoPeriods)?;
        let repeat = timing.repeat(delay, period)?;
        if unscaled && timing.after.time.or(timing.every.time).is_none() {
            return Err(HeaderError::NothingUnscaled);
        }
        let stage = match timing.stage {
            Some(stage) => stage,
            None if delay == Delay::None && repeat.is_none() => Stage::Immediate,
            None => Stage::Update,
        };
        let header = Header {
            stage,
            // Without a delay the first of the repeated deliveries comes after one period.
            delay: if delay == Delay::None { period } else { delay },
            repeat,
            ..self.header
        };
        header.checked()
    }
}

impl Timing {
    fn repeat(&self, delay: Delay, period: Delay) -> Result<Option<Repeat>, HeaderError> {
        let (clock, units) = period.on();
        match period {
            Delay::None if self.every_pass => {}
            Delay::None if self.times.is_some() => return Err(HeaderError::TimesWithoutPeriod),
            Delay::None => return Ok(None),
            _ if self.every_pass => return Err(HeaderError::TwoPeriods),
            _ if units == 0 => return Err(HeaderError::ZeroPeriod),
            _ if delay == Delay::None || delay.on().0 == clock => {}
            _ => return Err(HeaderError::MixedUnits),
        }
        Ok(Some(Repeat {
            period: units,
            times: self.times,
        }))
    }
}
