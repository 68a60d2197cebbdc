//! When a wire's message is due, and how often the wire fires, as a world file says it.

use std::time::Duration;

use message_core::post::{HeaderBuilder, Interval};
use message_core::{Header, HeaderError, PostKey, Recipient, Stage};
use message_format::DataError;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::scope::name_from_outside;
use crate::wire;

/// The fields of a wire that need no names of the file.
#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "as in a header, of which each is a setting"
)]
pub(super) struct Timing {
    #[serde(skip_serializing_if = "Given::is_none")]
    after: Given<Seconds>,
    #[serde(skip_serializing_if = "Given::is_none")]
    after_frames: Given<u64>,
    #[serde(skip_serializing_if = "Given::is_none")]
    every: Given<Seconds>,
    #[serde(skip_serializing_if = "Given::is_none")]
    every_frames: Given<u64>,
    #[serde(skip_serializing_if = "Given::is_none")]
    deliveries: Given<u64>,
    #[serde(skip_serializing_if = "Given::is_none")]
    key: Given<String>,
    #[serde(skip_serializing_if = "is_false")]
    keep_phase: bool,
    #[serde(skip_serializing_if = "is_false")]
    unless_pending: bool,
    #[serde(skip_serializing_if = "is_false")]
    unscaled: bool,
    #[serde(skip_serializing_if = "is_false")]
    if_alive: bool,
    #[serde(skip_serializing_if = "is_false")]
    retain: bool,
    #[serde(skip_serializing_if = "is_false")]
    tied_to_sender: bool,
    #[serde(skip_serializing_if = "Given::is_none")]
    pub(super) times: Given<u64>,
    #[serde(skip_serializing_if = "Given::is_none")]
    stage: Given<Stage>,
    #[serde(skip_serializing_if = "is_true")]
    pub(super) enabled: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(flag: &bool) -> bool {
    !flag
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_true(flag: &bool) -> bool {
    *flag
}

/// A field that may be left out, and has no `Some` around it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given<T>(pub(super) Option<T>);

impl<T> Default for Given<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Given<T> {
    fn is_none(&self) -> bool {
        self.0.is_none()
    }
}

impl<T: Serialize> Serialize for Given<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(value) => value.serialize(serializer),
            None => serializer.serialize_none(),
        }
    }
}

impl<'d, T: Deserialize<'d>> Deserialize<'d> for Given<T> {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(|value| Self(Some(value)))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Seconds(Duration);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.as_secs_f64())
    }
}

impl<'d> Deserialize<'d> for Seconds {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let seconds = f64::deserialize(deserializer)?;
        let delay = Duration::try_from_secs_f64(seconds).ok();
        // The clock counts nanoseconds in 64 bits.
        let delay = delay.filter(|delay| u64::try_from(delay.as_nanos()).is_ok());
        let what = "expected a number of seconds from 0 to 18446744073";
        delay.map(Self).ok_or_else(|| D::Error::custom(what))
    }
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            after: Given(None),
            after_frames: Given(None),
            every: Given(None),
            every_frames: Given(None),
            deliveries: Given(None),
            key: Given(None),
            keep_phase: false,
            unless_pending: false,
            unscaled: false,
            if_alive: false,
            retain: false,
            tied_to_sender: false,
            times: Given(None),
            stage: Given(None),
            enabled: true,
        }
    }
}

/// Sets a flag of a header.
type Set = fn(HeaderBuilder) -> HeaderBuilder;

/// Returns the key with a name in a file.
pub(super) fn key(name: &str) -> Result<PostKey, DataError> {
    let name = name_from_outside(name).map_err(DataError::new)?;
    Ok(PostKey::from(name.text()))
}

impl Timing {
    pub(super) fn is_immediate(&self) -> bool {
        self.stage.0 == Some(Stage::Immediate)
    }

    /// Returns the header, for no recipient.
    ///
    /// # Errors
    ///
    /// Returns an error if the fields contradict each other.
    pub(super) fn header(&self) -> Result<Header, DataError> {
        let key = self.key.0.as_deref().map(key).transpose()?;
        self.with_key(key).map_err(DataError::new)
    }

    fn with_key(&self, key: Option<PostKey>) -> Result<Header, HeaderError> {
        let mut header = wire::header();
        let seconds = |given: &Given<Seconds>| given.0.map(|seconds| seconds.0);
        if let Some(delay) = seconds(&self.after) {
            header = header.after(delay);
        }
        if let Some(frames) = self.after_frames.0 {
            header = header.after_frames(frames);
        }
        if let Some(period) = seconds(&self.every) {
            header = header.every(period);
        }
        if let Some(frames) = self.every_frames.0 {
            header = header.every_frames(frames);
        }
        if let Some(deliveries) = self.deliveries.0 {
            header = header.times(deliveries);
        }
        if let Some(key) = key {
            header = header.key(key);
        }
        if let Some(stage) = self.stage.0 {
            header = header.stage(stage);
        }
        let flags: [(bool, Set); 6] = [
            (self.keep_phase, |header| header.keep_phase()),
            (self.unless_pending, |header| header.unless_pending()),
            (self.unscaled, |header| header.unscaled()),
            (self.if_alive, |header| header.if_alive()),
            (self.retain, |header| header.retain()),
            (self.tied_to_sender, |header| header.tied_to_sender()),
        ];
        for (flag, set) in flags {
            if flag {
                header = set(header);
            }
        }
        header.build()
    }

    /// Returns the fields for a wire.
    ///
    /// # Errors
    ///
    /// Returns an error if its header has something that no field of a world file says, such as tags.
    pub(super) fn of(
        header: &Header,
        times: Option<u64>,
        enabled: bool,
    ) -> Result<Self, DataError> {
        let mut timing = Self {
            deliveries: Given(header.period().and(header.times())),
            key: Given(header.key().map(|key| key.to_string())),
            keep_phase: header.keeps_phase(),
            unless_pending: header.is_unless_pending(),
            if_alive: header.is_if_alive(),
            retain: header.is_retained(),
            tied_to_sender: header.is_tied_to_sender(),
            times: Given(times),
            stage: Given((header.stage() != Stage::Update).then(|| header.stage())),
            enabled,
            ..Self::default()
        };
        for (interval, seconds, frames) in [
            (header.delay(), &mut timing.after, &mut timing.after_frames),
            (header.period(), &mut timing.every, &mut timing.every_frames),
        ] {
            match interval {
                Some(Interval::Time(time) | Interval::Unscaled(time)) => {
                    *seconds = Given(Some(Seconds(time)));
                }
                Some(Interval::Frames(count)) => *frames = Given(Some(count)),
                _ => {}
            }
            timing.unscaled |= matches!(interval, Some(Interval::Unscaled(_)));
        }
        if header.delay() == header.period() {
            // The first delivery comes after the period anyway.
            (timing.after, timing.after_frames) = (Given(None), Given(None));
        }
        let said = timing.with_key(header.key());
        let is_whole = said.is_ok_and(|said| said == header.with_recipient(Recipient::Me));
        let is_own_key = timing
            .key
            .0
            .as_deref()
            .is_none_or(|name| key(name).is_ok_and(|key| header.key() == Some(key)));
        if is_whole && is_own_key {
            return Ok(timing);
        }
        let what = "its header has a setting that a wire in a world file cannot have: expected no tags, no required \
                    receivers, no period of passes, no component that it ends with, and a key with a name alone";
        Err(DataError::new(what))
    }
}
