//! The parts of a filter: conditions on a message, and the options of its subscription.
//!
//! Only the predicate has a type parameter. It is asked last.

use crate::address::{Recipient, Sender};
use crate::send::Sent;
use crate::tag::TagSet;
use crate::time::Stage;

/// The conditions on a message, apart from the predicate.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conditions {
    pub from: Option<Sender>,
    pub to: Option<Recipient>,
    /// Every message passes the empty set.
    pub tags: TagSet,
}

impl Conditions {
    pub(super) fn is_empty(&self) -> bool {
        self.from.is_none() && self.to.is_none() && self.tags.is_empty()
    }

    /// Returns `true` if a message meets them. This is the one place where that is decided: lists and indices only
    /// leave out those that ask for something else.
    pub(crate) fn hold(&self, sent: &Sent<'_>) -> bool {
        let is_tagged = || {
            self.tags.is_empty()
                || self.tags.intersects(sent.facts.tags())
                || self.tags.intersects(sent.own_tags())
        };
        self.from.is_none_or(|from| sent.sender == from)
            && is_tagged()
            && self.to.is_none_or(|to| sent.was_sent_to(to))
    }

    /// Returns the list in which a subscription with these conditions is found. `tags` are those of the message
    /// type that it listens to.
    pub(super) fn asked(&self, tags: TagSet) -> Asked {
        // `Me` and a mnemonic mean a different recipient from send to send.
        let is_fixed = |to: &Recipient| *to != Recipient::Me && !to.is_by_mnemonic();
        if let Some(to) = self.to.filter(is_fixed) {
            Asked::To(to)
        } else if let Some(from) = self.from {
            Asked::From(from)
        } else if self.tags.is_empty() || self.tags.intersects(tags) {
            Asked::Nothing
        } else {
            Asked::Tags
        }
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

/// The options of a subscription.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "independent of each other")]
pub struct Options {
    pub hidden: bool,
    pub once: bool,
    pub stage: Stage,
    /// Those with a larger one come first.
    pub priority: i16,
    pub retained: bool,
    /// It is not called while inputs are repeated.
    pub not_in_replay: bool,
    /// It asks a predicate, which is stored with its closure.
    pub asks: bool,
    pub part: Part,
}

impl Options {
    /// Returns `true` if it receives all messages that meet its conditions, at once, by its closure.
    pub(super) fn are_plain(self) -> bool {
        !self.once
            && !self.retained
            && !self.asks
            && !self.not_in_replay
            && self.part != Part::Apart
            && self.stage == Stage::Immediate
    }
}
