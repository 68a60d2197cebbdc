//! What is written on a letter.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::trace::TraceId;

/// What is written on a letter, for whom it is included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letter {
    /// As the sender wrote it, with the messagee in the place of a mnemonic whose family is meant.
    pub(crate) to: Recipient,
    /// The messagee that it is for, if it is for one alone.
    pub(crate) address: Option<MessageeId>,
    pub(crate) mark: Mark,
}

/// What the publishing call puts on a letter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) sender: Sender,
    pub(crate) place: &'static Location<'static>,
    /// The scaled time, in nanoseconds.
    pub(crate) time: u64,
    /// The letter's number in the order sent, over all types.
    pub(crate) number: u64,
    /// Its number in the trace, if it is traced.
    pub(crate) trace: Option<TraceId>,
}
