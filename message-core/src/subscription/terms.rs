//! The terms of a subscription: the parts of its filter that do not depend on the type of the messages.
//!
//! Only the predicate does. It is asked last.

use crate::address::{Recipient, Sender};
use crate::send::Sent;
use crate::tag::TagSet;
use crate::time::Stage;

/// The conditions on a message, apart from the predicate, and the options of a subscription.
///
/// With the feature `serde`, they are the form of a filter without a predicate. Those with the default are left out.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[allow(clippy::struct_excessive_bools, reason = "independent of each other")]
pub struct Terms {
    #[cfg_attr(
        feature = "serde",
        serde(with = "bare", skip_serializing_if = "Option::is_none")
    )]
    pub from: Option<Sender>,
    #[cfg_attr(
        feature = "serde",
        serde(with = "bare", skip_serializing_if = "Option::is_none")
    )]
    pub to: Option<Recipient>,
    /// Every message passes the empty set.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub tagged: TagSet,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub hidden: bool,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub once: bool,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub stage: Stage,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub with_retained: bool,
    /// Those with a larger one come first.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_default"))]
    pub priority: i16,
    /// It is not called while inputs are repeated.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub not_in_replay: bool,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub part: Part,
}

impl Terms {
    /// Returns `true` if a message meets the conditions. This is the one place where that is decided: lists and indices only
    /// leave out those that ask for something else.
    pub(crate) fn hold(&self, sent: &Sent<'_>) -> bool {
        let is_tagged = || {
            self.tagged.is_empty()
                || self.tagged.intersects(sent.facts.tags())
                || self.tagged.intersects(sent.own_tags())
        };
        self.from.is_none_or(|from| sent.sender == from)
            && is_tagged()
            && self.to.is_none_or(|to| sent.was_sent_to(to))
    }

    /// Returns the list in which a subscription on these terms is found. `tags` are those of the message
    /// type that it listens to.
    pub(super) fn asked(&self, tags: TagSet) -> Asked {
        // `Me` and a mnemonic mean a different recipient from send to send.
        let is_fixed = |to: &Recipient| *to != Recipient::Me && !to.is_by_mnemonic();
        if let Some(to) = self.to.filter(is_fixed) {
            Asked::To(to)
        } else if let Some(from) = self.from {
            Asked::From(from)
        } else if self.tagged.is_empty() || self.tagged.intersects(tags) {
            Asked::Nothing
        } else {
            Asked::Tags
        }
    }

    /// Returns `true` if it receives all messages, at once, by its closure.
    pub(super) fn are_plain(&self) -> bool {
        self.from.is_none()
            && self.to.is_none()
            && self.tagged.is_empty()
            && !self.once
            && !self.with_retained
            && !self.not_in_replay
            && self.part != Part::Apart
            && self.stage == Stage::Immediate
    }
}

/// Returns `true` if a value is left out where it is written.
#[cfg(feature = "serde")]
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Conditions as they are written: without `Some`, since those that are `None` are left out.
#[cfg(feature = "serde")]
mod bare {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::ref_option, reason = "serde asks for it")]
    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &Option<T>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => value.serialize(to),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'d, T: Deserialize<'d>, D: Deserializer<'d>>(
        from: D,
    ) -> Result<Option<T>, D::Error> {
        T::deserialize(from).map(Some)
    }
}

/// The property of a message by which a subscription is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    Nothing,
    /// Tags that the message type does not have.
    Tags,
    To(Recipient),
    From(Sender),
}

/// The time at which a subscription hears a message, and by what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The closure hears it before the addressed: an interceptor.
    Before,
    /// The closure hears it when the addressed have received it.
    #[default]
    After,
    /// At the same time, without a closure for the message type: its owner overhears, or it fires wires.
    Apart,
}
