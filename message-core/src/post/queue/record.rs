//! What is known of a pending message.

use std::num::NonZeroU64;

use crate::address::{MessageeId, Recipient, Sender};
use crate::header::{Header, Repeat};

/// What is known of a pending message besides the message and its post's metadata.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// Which posting it is; `None` when the slot is free.
    pub(crate) number: Option<NonZeroU64>,
    pub(crate) to: Recipient,
    /// The messagee that posted it, if one did.
    pub(crate) sender: Option<MessageeId>,
    /// On the clock of its timeline.
    pub(crate) due: u64,
    pub(crate) post_meta: u32,
    /// `true` if something is entered for it in the table of rare things.
    pub(super) rare: bool,
    /// `true` if it is delivered again after the next time.
    pub(crate) repeats: bool,
    /// `true` if there is nothing to do with it but to deliver it.
    pub(crate) plain: bool,
    pub(super) state: State,
}

/// What becomes of a message that is in a slot of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Waiting,
    /// It repeats, and is away from its slot.
    Delivering,
    /// The slot is only kept for the entry that points at it.
    Cancelled,
}

impl Record {
    #[inline]
    pub(super) fn new(
        number: NonZeroU64,
        header: &Header,
        sender: Option<MessageeId>,
        due: u64,
        post_meta: u32,
    ) -> Self {
        let rare = header.is_rare();
        let repeats = |repeat: &Repeat| repeat.times != Some(1);
        Self {
            number: Some(number),
            to: header.to,
            sender,
            due,
            post_meta,
            rare,
            repeats: rare && header.repeat.as_ref().is_some_and(repeats),
            plain: header.plain,
            state: State::Waiting,
        }
    }

    /// Of a message in a batch: those are all plain, and for one messagee each.
    #[inline]
    pub(super) fn batched(
        number: Option<NonZeroU64>,
        to: MessageeId,
        sender: Option<MessageeId>,
        due: u64,
        post_meta: u32,
    ) -> Self {
        Self {
            number,
            to: Recipient::Id(to),
            sender,
            due,
            post_meta,
            rare: false,
            repeats: false,
            plain: true,
            state: State::Waiting,
        }
    }

    /// Who posted it.
    pub(crate) fn sender(&self) -> Sender {
        self.sender.map_or(Sender::Outside, Sender::Messagee)
    }

    /// Returns `true` if it is that posting, and pending.
    pub(super) fn is(&self, number: NonZeroU64) -> bool {
        self.number == Some(number) && self.state != State::Cancelled
    }
}

/// What has to be known of a message that is not pending any more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    pub(super) number: Option<NonZeroU64>,
    /// The number of its post's metadata, if the message has a record: a batch has it for all.
    pub(super) post_meta: Option<u32>,
    pub(super) rare: bool,
}

impl Left {
    #[inline]
    pub(super) fn of(record: &Record) -> Self {
        Self {
            number: record.number,
            post_meta: Some(record.post_meta),
            rare: record.rare,
        }
    }

    /// Of a message in a batch: those have nothing rare.
    #[inline]
    pub(super) fn batched(number: NonZeroU64) -> Self {
        Self {
            number: Some(number),
            post_meta: None,
            rare: false,
        }
    }
}
