//! When a wire's message is due, and how often the wire fires, as a world file says it.

use std::ops::Not;
use std::time::Duration;

use message_core::post::{HeaderBuilder, Interval};
use message_core::{Header, HeaderError, PostKey, Recipient, Stage};
use message_format::DataError;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::scope::name_from_outside;
use crate::wire;

/// The fields of a wire that need no names of the file.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "as in a header, of which each is a setting"
)]
pub(super) struct Timing {
    #[serde(with = "given", skip_serializing_if = "Option::is_none")]
    after: Option<Seconds>,
    #[serde(with = "given", skip_serializing_if = "Option::is_none")]
    after_frames: Option<u64>,
    #[serde(with = "given", skip_serializing_if = "Option::is_none")]
    every: Option<Seconds>,
    #[serde(with = "given", skip_serializing_if = "Option::is_none")]
    every_frames: Option<u64>,
    #[serde(with = "given", skip_serializing_if = "Option::is_none")]
    deliveries: Option<u64>,
    #[serde(with = "given", skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "Not::not")]
    keep_phase: bool,
    #[serde(skip_serializing_if = "Not::not")]
    unless_pending: bool,
    #[serde(skip_serializing_if = "Not::not")]
    unscaled: bool,
    #[serde(skip_serializing_if = "Not::not")]
    if_alive: bool,
    #[serde(skip_serializing_if = "Not::not")]
    retain: bool,
    #[serde(skip_serializing_if = "Not::not")]
    tied_to_sender: bool,
    #[serde(with = "given", skip_serializing_if = "Option::is_none")]
    pub(super) times: Option<u64>,
    #[serde(with = "given", skip_serializing_if = "Option::is_none")]
    stage: Option<Stage>,
    #[serde(with = "given", skip_serializing_if = "Option::is_none")]
    pub(super) enabled: Option<bool>,
}

/// The form of a field that may be left out, and has no `Some` around it.
mod given {
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::{Serialize, Serializer};

    #[allow(clippy::ref_option, reason = "as serde calls it")]
    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => value.serialize(serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'d, T: Deserialize<'d>, D: Deserializer<'d>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        T::deserialize(deserializer).map(Some)
    }
}

#[derive(Clone, Copy, Debug)]
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

/// Sets a flag of a header.
type Set = fn(HeaderBuilder) -> HeaderBuilder;

/// Returns the key with a name in a file.
pub(super) fn key(name: &str) -> Result<PostKey, DataError> {
    let name = name_from_outside(name).map_err(DataError::new)?;
    Ok(PostKey::from(name.text()))
}

impl Timing {
    pub(super) fn is_immediate(&self) -> bool {
        self.stage == Some(Stage::Immediate)
    }

    /// Returns the header, for no recipient.
    ///
    /// # Errors
    ///
    /// Returns an error if the fields contradict each other.
    pub(super) fn header(&self) -> Result<Header, DataError> {
        let key = self.key.as_deref().map(key).transpose()?;
        self.with_key(key).map_err(DataError::new)
    }

    fn with_key(&self, key: Option<PostKey>) -> Result<Header, HeaderError> {
        let header = wire::header();
        let header = self.after.map_or(header, |it| header.after(it.0));
        let header = (self.after_frames).map_or(header, |frames| header.after_frames(frames));
        let header = self.every.map_or(header, |it| header.every(it.0));
        let header = (self.every_frames).map_or(header, |frames| header.every_frames(frames));
        let header = self.deliveries.map_or(header, |it| header.times(it));
        let header = key.map_or(header, |key| header.key(key));
        let mut header = self.stage.map_or(header, |stage| header.stage(stage));
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
            deliveries: header.period().and(header.times()),
            key: header.key().map(|key| key.to_string()),
            keep_phase: header.keeps_phase(),
            unless_pending: header.is_unless_pending(),
            if_alive: header.is_if_alive(),
            retain: header.is_retained(),
            tied_to_sender: header.is_tied_to_sender(),
            times,
            stage: (header.stage() != Stage::Update).then(|| header.stage()),
            enabled: (!enabled).then_some(false),
            ..Self::default()
        };
        for (interval, seconds, frames) in [
            (header.delay(), &mut timing.after, &mut timing.after_frames),
            (header.period(), &mut timing.every, &mut timing.every_frames),
        ] {
            match interval {
                Some(Interval::Time(time) | Interval::Unscaled(time)) => {
                    *seconds = Some(Seconds(time));
                }
                Some(Interval::Frames(count)) => *frames = Some(count),
                _ => {}
            }
            timing.unscaled |= matches!(interval, Some(Interval::Unscaled(_)));
        }
        if header.delay() == header.period() {
            // The first delivery comes after the period anyway.
            (timing.after, timing.after_frames) = (None, None);
        }
        let said = timing.with_key(header.key());
        let is_whole = said.is_ok_and(|said| said == header.with_recipient(Recipient::Me));
        let name = timing.key.as_deref();
        let is_own_key =
            name.is_none_or(|name| key(name).is_ok_and(|key| header.key() == Some(key)));
        if is_whole && is_own_key {
            return Ok(timing);
        }
        let what = "its header has a setting that a wire in a world file cannot have: expected no tags, no required \
                    receivers, no period of passes, no component that it ends with, and a key with a name alone";
        Err(DataError::new(what))
    }
}
