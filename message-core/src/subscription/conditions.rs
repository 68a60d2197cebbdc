//! What a filter is made of: conditions on a message, and the terms of its subscription.
//!
//! Without type parameters but for the predicate, which is asked last.

use crate::address::{Recipient, Sender};
use crate::send::Sent;
use crate::tag::TagSet;
use crate::time::Stage;

/// Which messages have to be heard of.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "data", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Conditions {
    pub(super) from: Option<Sender>,
    pub(super) to: Option<Recipient>,
    /// Every message passes the empty set.
    pub(super) tags: TagSet,
}

impl Conditions {
    pub(super) fn is_empty(&self) -> bool {
        self.from.is_none() && self.to.is_none() && self.tags.is_empty()
    }

    /// Takes out the recipient by which a message that passes is found, if there is one: not where it
    /// stands for another from send to send.
    pub(super) fn take_recipient(&mut self) -> Option<Recipient> {
        match self.to {
            None
            | Some(
                Recipient::Me
                | Recipient::Mnemonic(_)
                | Recipient::UpFrom(_)
                | Recipient::DownFrom(_),
            ) => None,
            Some(_) => self.to.take(),
        }
    }

    pub(super) fn hold(&self, sent: &Sent<'_>) -> bool {
        !self.exclude(sent) && self.to.is_none_or(|to| sent.was_sent_to(to))
    }

    /// Returns `true` if a subscription with these options asks for the recipient of a message as of the time
    /// when it was sent.
    pub(super) fn look_back(&self, options: Options) -> bool {
        options.overhears || self.to.is_some_and(Recipient::is_by_mnemonic)
    }

    /// Returns `true` if they do not hold, whatever mnemonics come to be bound to.
    pub(super) fn exclude(&self, sent: &Sent<'_>) -> bool {
        let is_tagged = || {
            self.tags.is_empty()
                || self.tags.intersects(sent.facts.tags())
                || self.tags.intersects(sent.own_tags())
        };
        self.from.is_some_and(|from| sent.sender != from) || !is_tagged()
    }
}

/// On what terms a subscription listens.
#[derive(Clone, Copy, Debug, Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent wishes, of which any combination can be uttered"
)]
pub(crate) struct Options {
    pub(super) hidden: bool,
    pub(super) once: bool,
    pub(super) stage: Stage,
    pub(super) retained: bool,
    /// It asks a predicate, which stands with its closure.
    pub(super) asks: bool,
    /// Its owner's components receive what passes, and no closure.
    pub(super) overhears: bool,
}

impl Options {
    pub(super) fn is_plain(self) -> bool {
        !self.hidden
            && !self.once
            && !self.asks
            && !self.overhears
            && self.stage == Stage::Immediate
    }
}

/// A condition on the message itself, which [`Filter::when`](crate::Filter::when) puts together.
pub trait Predicate<S: ?Sized>: Send + 'static {
    /// There is a condition.
    const ASKS: bool;

    fn passes(&self, message: &S) -> bool;
}

impl<S: ?Sized> Predicate<S> for () {
    const ASKS: bool = false;

    #[inline]
    fn passes(&self, _: &S) -> bool {
        true
    }
}

impl<S: ?Sized, P: Predicate<S>, F: Fn(&S) -> bool + Send + 'static> Predicate<S> for (P, F) {
    const ASKS: bool = true;

    #[inline]
    fn passes(&self, message: &S) -> bool {
        self.0.passes(message) && (self.1)(message)
    }
}
