//! The header of a posted message: its recipient, its time, its repetition, its labels and its
//! conditions.
//!
//! A header is a plain value, made and checked once by its builder; posting copies from it.

mod builder;
mod into_header;
pub(crate) mod key;
mod wait;

use std::fmt;
use std::time::Duration;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::config::ManagerConfig;
use crate::error::{HeaderError, SendError, SendErrorKind};
use crate::tag::TagSet;
use crate::time::{Stage, Timeline};

pub use builder::HeaderBuilder;
pub use into_header::IntoHeader;
pub use key::PostKey;
pub(crate) use wait::Wait;

/// The front of the envelope of a posted message: built once, used for any number of messages.
///
/// It is `Copy`, can be [readdressed](Self::with_recipient), and serves for many recipients by
/// [`post_to`](crate::MessageManager::post_to).
///
/// ```
/// use std::time::Duration;
/// use message_core::post::Interval;
/// use message_core::HeaderError;
/// use message_core::prelude::*;
///
/// tag!(RADIO);
/// mnemonic!(WINGMAN);
///
/// let shout = Header::to(WINGMAN)
///     .stage(Stage::Update)
///     .after(Duration::from_millis(200))
///     .tags(RADIO)
///     .require(1)
///     .build()?;
/// assert_eq!(shout.recipient(), Recipient::Mnemonic(WINGMAN));
/// assert_eq!(shout.delay(), Some(Interval::Time(Duration::from_millis(200))));
/// # Ok::<(), HeaderError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub(crate) to: Recipient,
    pub(crate) stage: Stage,
    pub(crate) delay: Delay,
    pub(crate) repeat: Option<Repeat>,
    pub(crate) tags: TagSet,
    /// The minimum number of receivers; `None` if the manager's default applies.
    pub(crate) require: Option<u32>,
    pub(crate) key: Option<PostKey>,
    pub(crate) renewal: Renewal,
    pub(crate) bound: bool,
    /// The component that it ends with.
    pub(crate) until: Option<HookId>,
    /// It ends without a dead letter if its recipient is gone.
    pub(crate) if_alive: bool,
    pub(crate) retain: bool,
    /// The sender of the message that began the chain of wires which leads to this one.
    pub(crate) activator: Option<Sender>,
    /// The wait of a message without conditions, in one word.
    pub(crate) wait: Option<Wait>,
}

/// The length of a message's wait, and its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Delay {
    /// Until the next pass of its stage.
    #[default]
    None,
    /// Nanoseconds of scaled time.
    Time(u64),
    /// Nanoseconds of unscaled time.
    Unscaled(u64),
    Frames(u64),
}

impl Delay {
    /// Returns the clock, and the time on it.
    pub(crate) fn on(self) -> (Timeline, u64) {
        match self {
            Self::None => (Timeline::Scaled, 0),
            Self::Time(time) => (Timeline::Scaled, time),
            Self::Unscaled(time) => (Timeline::Unscaled, time),
            Self::Frames(frames) => (Timeline::Frames, frames),
        }
    }
}

/// Returns the header of a message that a chain of wires has posted, which a message of this sender began.
pub fn activated_by(header: Header, activator: Sender) -> Header {
    let activator = Some(activator);
    Header {
        activator,
        ..header
    }
}

/// The treatment of a message that is already pending under the key of the one that is posted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Renewal {
    /// It is replaced, and the new one waits for its own delay.
    #[default]
    Restart,
    /// It is replaced, and the new one is due when it would have been.
    KeepPhase,
    /// It stays, and the new one is dropped.
    UnlessPending,
}

/// The repetition of a delivery after the first time. The period is on the clock of the delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Repeat {
    /// Zero: in each pass of the stage.
    pub(crate) period: u64,
    /// The total number of deliveries, if they end.
    pub(crate) times: Option<u64>,
}

impl Header {
    /// Checks that the fields do not contradict each other.
    pub(crate) fn checked(self) -> Result<Self, HeaderError> {
        let waits = self.delay != Delay::None || self.repeat.is_some();
        let repeats = |how: fn(Repeat) -> bool| self.repeat.is_some_and(how);
        let is_by_frames = matches!(self.delay, Delay::Frames(_)) && repeats(|it| it.period > 0);
        match self.stage {
            _ if repeats(|it| it.times == Some(0)) => Err(HeaderError::ZeroTimes),
            Stage::Immediate if waits => Err(HeaderError::DelayedImmediate),
            Stage::Immediate if self.key.is_some() => Err(HeaderError::ImmediateKey),
            Stage::Immediate if self.bound || self.until.is_some() => {
                Err(HeaderError::ImmediateTied)
            }
            Stage::Immediate if self.if_alive => Err(HeaderError::ImmediateIfAlive),
            Stage::FixedUpdate if is_by_frames => Err(HeaderError::FixedByFrames),
            _ if self.renewal != Renewal::Restart && self.key.is_none() => {
                Err(HeaderError::RenewalWithoutKey)
            }
            _ if self.retain && self.repeat.is_some() => Err(HeaderError::RetainedRepeat),
            _ => Ok(self.finished()),
        }
    }

    /// Computes the fields that follow from the others.
    pub(crate) fn finished(mut self) -> Self {
        let is_rare = self.is_rare() || self.if_alive || self.require.is_some() || self.retain;
        self.wait = Wait::of(self.stage, self.delay).filter(|_| !is_rare);
        self
    }

    /// Begins a header for that recipient. What else it says is set on the builder; a builder that
    /// sets nothing more makes a header of a send.
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    ///
    /// let header = Header::to(Everyone).build()?;
    /// assert_eq!(header.recipient(), Recipient::Everyone);
    /// assert_eq!(header.stage(), Stage::Immediate);
    /// # Ok::<(), HeaderError>(())
    /// ```
    pub fn to(recipient: impl Into<Recipient>) -> HeaderBuilder {
        let header = Self {
            to: recipient.into(),
            stage: Stage::Immediate,
            delay: Delay::None,
            repeat: None,
            tags: TagSet::EMPTY,
            require: None,
            key: None,
            renewal: Renewal::Restart,
            bound: false,
            until: None,
            if_alive: false,
            retain: false,
            activator: None,
            wait: None,
        };
        HeaderBuilder::new(header)
    }

    /// Returns the same header for another recipient.
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let (left, right) = (manager.spawn(()), manager.spawn(()));
    /// let to_left = Header::to(left).after_frames(2).require(1).build()?;
    /// let to_right = to_left.with_recipient(right);
    /// assert_eq!(to_right.recipient(), Recipient::Id(right));
    /// assert_eq!(to_right.required(), to_left.required());
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn with_recipient(mut self, recipient: impl Into<Recipient>) -> Self {
        self.to = recipient.into();
        self
    }

    /// Returns the same header that ends with another component, or with none.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((7_u8,));
    /// let hook = manager.hook_of::<u8>(orc)?;
    /// let later = Header::to(orc).after(Duration::from_secs(1)).until_unhooked(hook).build()?;
    /// assert_eq!(later.with_end(None).ends_with(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_end(mut self, component: Option<HookId>) -> Self {
        self.until = component;
        self.finished()
    }

    /// Returns where the message goes.
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    ///
    /// mnemonic!(CAPTAIN);
    ///
    /// let header = Header::to(CAPTAIN).build()?;
    /// assert_eq!(header.recipient(), Recipient::Mnemonic(CAPTAIN));
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn recipient(&self) -> Recipient {
        self.to
    }

    /// Returns when in the frame the message is delivered. If the builder was given no stage, this is
    /// `Immediate`, or `Update` if there is a delay or a period.
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    ///
    /// assert_eq!(Header::to(Everyone).build()?.stage(), Stage::Immediate);
    /// assert_eq!(Header::to(Everyone).after_frames(1).build()?.stage(), Stage::Update);
    /// let drawn = Header::to(Everyone).after_frames(1).stage(Stage::LateUpdate).build()?;
    /// assert_eq!(drawn.stage(), Stage::LateUpdate);
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Returns the labels that the header adds to those of the message type; empty without
    /// [`HeaderBuilder::tags`].
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    ///
    /// tag!(RADIO, SECRET);
    ///
    /// let header = Header::to(Everyone).tags(RADIO | SECRET).build()?;
    /// assert_eq!(header.tags(), RADIO | SECRET);
    /// assert!(Header::to(Everyone).build()?.tags().is_empty());
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn tags(&self) -> TagSet {
        self.tags
    }

    /// Returns `true` if it has a setting that few headers have.
    pub(crate) fn is_rare(&self) -> bool {
        self.key.is_some()
            || self.repeat.is_some()
            || self.bound
            || self.until.is_some()
            || self.activator.is_some()
    }

    /// Checks that the header does not need a messagee as the sender.
    pub(crate) fn check_outside(&self, message: &'static str) -> Result<(), SendError> {
        if self.bound || matches!(self.to, Recipient::Me | Recipient::EveryoneElse) {
            return Err(SendError::new(message, self.to, SendErrorKind::NoSender));
        }
        Ok(())
    }

    /// Returns the key of a message of that sender.
    pub(crate) fn key_for(&self, sender: Option<MessageeId>) -> Option<PostKey> {
        self.key.map(|key| key.seen_from(sender))
    }

    /// Returns the key of the message while it is pending, or `None` if the header has no
    /// [key](HeaderBuilder::key).
    ///
    /// ```
    /// use message_core::{HeaderError, PostKey};
    /// use message_core::prelude::*;
    ///
    /// let header = Header::to(Everyone).after_frames(60).key("autosave").build()?;
    /// assert_eq!(header.key(), Some(PostKey::from("autosave")));
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn key(&self) -> Option<PostKey> {
        self.key
    }

    /// Returns the sender of the message that began the chain of wires which has posted this one, or `None` if no wire
    /// has.
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    ///
    /// let header = Header::to(Everyone).after_frames(60).build()?;
    /// assert_eq!(header.activator(), None);
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn activator(&self) -> Option<Sender> {
        self.activator
    }

    /// Returns `true` if the message is due when the one that it replaces would have been. See
    /// [`keep_phase`](HeaderBuilder::keep_phase).
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    ///
    /// let header = Header::to(Everyone).after_frames(60).key("autosave").keep_phase().build()?;
    /// assert!(header.keeps_phase());
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn keeps_phase(&self) -> bool {
        self.renewal == Renewal::KeepPhase
    }

    /// Returns `true` if the message is dropped when one is pending under its key. See
    /// [`unless_pending`](HeaderBuilder::unless_pending).
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    ///
    /// let header = Header::to(Everyone).after_frames(60).key("autosave").unless_pending().build()?;
    /// assert!(header.is_unless_pending());
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn is_unless_pending(&self) -> bool {
        self.renewal == Renewal::UnlessPending
    }

    /// Returns the time to the first delivery, on the clock that measures it. `None` is the next pass
    /// of the stage. For a message that repeats and was given no delay, this is its period.
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::post::Interval;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let second = Duration::from_secs(1);
    /// let header = Header::to(Everyone).after(second).unscaled().build()?;
    /// assert_eq!(header.delay(), Some(Interval::Unscaled(second)));
    /// let header = Header::to(Everyone).every(second).build()?;
    /// assert_eq!(header.delay(), Some(Interval::Time(second)));
    /// assert_eq!(Header::to(Everyone).build()?.delay(), None);
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn delay(&self) -> Option<Interval> {
        let (timeline, delay) = self.delay.on();
        (self.delay != Delay::None).then(|| Interval::on(timeline, delay))
    }

    /// Returns the time from one delivery to the next, on the clock that measures it. `None` if the
    /// message is delivered once.
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::post::Interval;
    /// use message_core::prelude::*;
    ///
    /// let header = Header::to(Everyone).after_frames(1).every_frames(5).build()?;
    /// assert_eq!(header.period(), Some(Interval::Frames(5)));
    /// assert_eq!(Header::to(Everyone).after_frames(1).build()?.period(), None);
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn period(&self) -> Option<Interval> {
        let (timeline, _) = self.delay.on();
        Some(Interval::every(timeline, self.repeat?.period))
    }

    /// Returns how often the message is delivered in all: 1 without a period, `None` if it repeats
    /// without end.
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    ///
    /// let each = Header::to(Everyone).every_frames(1);
    /// assert_eq!(each.times(3).build()?.times(), Some(3));
    /// assert_eq!(each.build()?.times(), None);
    /// assert_eq!(Header::to(Everyone).build()?.times(), Some(1));
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn times(&self) -> Option<u64> {
        self.repeat.map_or(Some(1), |repeat| repeat.times)
    }

    /// Returns how many receivers the header requires. `None` if
    /// [`ManagerConfig::require`](crate::ManagerConfig::require) decides.
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    ///
    /// assert_eq!(Header::to(Everyone).require(2).build()?.required(), Some(2));
    /// assert_eq!(Header::to(Everyone).build()?.required(), None);
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn required(&self) -> Option<u32> {
        self.require
    }

    /// Returns the number of receivers that a message with this header requires.
    pub(crate) fn required_in(&self, config: &ManagerConfig) -> u32 {
        let by_default = || config.required_by_default(self.to);
        self.require.unwrap_or_else(by_default)
    }

    /// Returns `true` if the message ends with its sender: see [`HeaderBuilder::tied_to_sender`].
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    ///
    /// let header = Header::to(Everyone).after_frames(1).tied_to_sender().build()?;
    /// assert!(header.is_tied_to_sender());
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn is_tied_to_sender(&self) -> bool {
        self.bound
    }

    /// Returns the component that the message ends with, if it has one. See
    /// [`until_unhooked`](HeaderBuilder::until_unhooked).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Strike;
    ///
    /// struct Clock;
    ///
    /// #[handlers]
    /// impl Clock {
    ///     #[on_receive]
    ///     fn strike(&self, _: &Strike) {}
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let id = manager.spawn((Clock,));
    /// let clock = manager.hook_of::<Clock>(id)?;
    /// let header = Header::to(id).every_frames(1).until_unhooked(clock).build()?;
    /// assert_eq!(header.ends_with(), Some(clock));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ends_with(&self) -> Option<HookId> {
        self.until
    }

    /// Returns `true` if the message is kept after its delivery: see [`HeaderBuilder::retain`].
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    ///
    /// let header = Header::to(Everyone).retain().build()?;
    /// assert!(header.is_retained());
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn is_retained(&self) -> bool {
        self.retain
    }

    /// Returns `true` if the message ends without a dead letter when its recipient is gone: see
    /// [`HeaderBuilder::if_alive`].
    ///
    /// ```
    /// use message_core::HeaderError;
    /// use message_core::prelude::*;
    ///
    /// let header = Header::to(Everyone).after_frames(1).if_alive().build()?;
    /// assert!(header.is_if_alive());
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[must_use]
    pub fn is_if_alive(&self) -> bool {
        self.if_alive
    }
}

/// A time between two moments, by the clock that measures it.
///
/// ```
/// use message_core::post::Interval;
/// use message_core::HeaderError;
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// let header = Header::to(Everyone).after_frames(3).build()?;
/// assert_eq!(header.delay(), Some(Interval::Frames(3)));
///
/// let header = Header::to(Everyone).every(Duration::from_millis(500)).build()?;
/// assert_eq!(header.period().map(|period| period.to_string()).as_deref(), Some("500ms"));
/// # Ok::<(), HeaderError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Interval {
    /// A time on the scaled clock.
    Time(Duration),
    /// A time on the unscaled clock.
    Unscaled(Duration),
    /// A number of frames.
    Frames(u64),
    /// One pass of the stage.
    Pass,
}

impl Interval {
    fn on(timeline: Timeline, units: u64) -> Self {
        match timeline {
            Timeline::Scaled => Self::Time(Duration::from_nanos(units)),
            Timeline::Unscaled => Self::Unscaled(Duration::from_nanos(units)),
            Timeline::Frames => Self::Frames(units),
        }
    }

    /// Returns the interval of deliveries with this period. A period of zero is one pass.
    pub(crate) fn every(timeline: Timeline, period: u64) -> Self {
        match period {
            0 => Self::Pass,
            _ => Self::on(timeline, period),
        }
    }
}

/// Prints number and unit: `200ms`, `200ms unscaled`, `3 frames`, `pass`.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => write!(f, "{time:?}"),
            Self::Unscaled(time) => write!(f, "{time:?} unscaled"),
            Self::Frames(1) => f.write_str("1 frame"),
            Self::Frames(frames) => write!(f, "{frames} frames"),
            Self::Pass => f.write_str("pass"),
        }
    }
}
