//! The front of the envelope: where a posted message goes, when, how often, under what labels and
//! on what conditions.
//!
//! A header is a plain value, made and checked once by its builder; posting copies from it.

use crate::address::{MessageeId, Recipient};
use crate::error::SendError;
use crate::post::{HeaderBuilder, PostKey};
use crate::tag::TagSet;
use crate::time::Stage;

/// The front of the envelope of a posted message: built once, used for any number of messages.
///
/// It is `Copy`, can be [readdressed](Self::with_recipient), and serves for many recipients by
/// [`post_to`](crate::MessageManager::post_to).
///
/// ```
/// use std::time::Duration;
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
/// # Ok::<(), HeaderError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts, of which any combination can be"
)]
pub struct Header {
    pub(crate) to: Recipient,
    pub(crate) stage: Stage,
    pub(crate) delay: Delay,
    pub(crate) repeat: Option<Repeat>,
    pub(crate) tags: TagSet,
    pub(crate) require: u32,
    pub(crate) key: Option<PostKey>,
    /// Whether the key is completed by the sender when the message is posted.
    pub(crate) key_of_sender: bool,
    pub(crate) bound: bool,
    pub(crate) retain: bool,
    /// Whether its message waits for its delivery, and there is nothing else to do with it.
    pub(crate) plain: bool,
}

/// How long a message waits, and on which clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delay {
    /// Until the next pass of its stage.
    None,
    /// Nanoseconds of scaled time.
    Time(u64),
    /// Nanoseconds of unscaled time.
    Unscaled(u64),
    Frames(u64),
}

/// How often a message is delivered after the first time. The period is on the clock of the delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repeat {
    pub(crate) period: u64,
    /// How many deliveries there are in all, if they end.
    pub(crate) times: Option<u64>,
}

impl Header {
    /// Begins a header for that recipient.
    pub fn to(recipient: impl Into<Recipient>) -> HeaderBuilder {
        Self::builder().to(recipient)
    }

    /// Begins a header without a recipient: a pattern for several, each of which gets its
    /// recipient by [`HeaderBuilder::to`].
    pub fn builder() -> HeaderBuilder {
        HeaderBuilder::default()
    }

    /// The same header for another recipient.
    #[must_use]
    pub fn with_recipient(mut self, recipient: impl Into<Recipient>) -> Self {
        self.to = recipient.into();
        self
    }

    /// Where the message goes.
    #[must_use]
    pub fn recipient(&self) -> Recipient {
        self.to
    }

    /// When in the frame it is delivered.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Its labels, beside those of the message type.
    #[must_use]
    pub fn tags(&self) -> TagSet {
        self.tags
    }

    /// Whether it says what few headers do.
    #[inline]
    pub(crate) fn is_rare(&self) -> bool {
        self.key.is_some() || self.repeat.is_some() || self.bound
    }

    /// That it does not need a messagee for its sender.
    pub(crate) fn check_outside(&self, message: &'static str) -> Result<(), SendError> {
        let to = self.to;
        if matches!(to, Recipient::Me | Recipient::EveryoneElse) {
            return Err(SendError::NoSender { to, message });
        }
        if self.bound || self.key_of_sender {
            return Err(SendError::NobodyToBind { to, message });
        }
        Ok(())
    }

    /// What a message of that sender is known by.
    pub(crate) fn key_for(&self, sender: Option<MessageeId>) -> Option<PostKey> {
        match sender {
            Some(id) if self.key_of_sender => self.key.map(|key| key.of(id)),
            _ => self.key,
        }
    }

    /// What it is known by while it is pending; with
    /// [`key_of_sender`](HeaderBuilder::key_of_sender), the name alone.
    #[must_use]
    pub fn key(&self) -> Option<PostKey> {
        self.key
    }
}
