//! Retained messages in a save.

use std::sync::{Arc, Mutex, TryLockError};

use smallvec::SmallVec;

use crate::address::{MessageeId, Recipient, Sender};
use crate::message::AnyMessage;
use crate::post::schedule::PostMeta;
use crate::send::call::{Posted, ReportGuard};
use crate::send::deferred::Deliver;
use crate::send::deferred::send::{Cover, KeptSend, Losses};
use crate::send::erased::BoxedMessage;
use crate::subscription::Shared;

/// The data of a message that somebody receives later, without its content.
#[derive(Clone, Copy)]
pub(crate) struct SavedSend {
    pub(crate) sender: Sender,
    pub(crate) to: Recipient,
    /// The recipient, with a mnemonic resolved to its messagee.
    pub(crate) resolved: Recipient,
    pub(crate) meta: PostMeta,
    pub(crate) due: u64,
    pub(crate) since: u64,
    /// Whether it was sent while a failure or a dead letter was reported. Further reports are suppressed.
    pub(crate) reports: [bool; 2],
    /// The one messagee that it was sent to.
    pub(crate) addressee: Option<MessageeId>,
    /// `true` if it was consumed. Subscribers that wait for a stage then do not receive it.
    pub(crate) consumed: bool,
}

/// Calls `look` with a kept message. Returns `None` if it is no longer there.
pub(crate) fn with_saved_send<T>(
    message: &Shared,
    look: impl FnOnce(SavedSend, &dyn AnyMessage) -> T,
) -> Option<T> {
    let message = match message.try_lock() {
        Ok(message) => message,
        Err(TryLockError::Poisoned(message)) => message.into_inner(),
        Err(TryLockError::WouldBlock) => return None,
    };
    let deliver: &dyn Deliver = &*message;
    let KeptSend {
        message,
        cover,
        consumed,
        ..
    } = deliver.kept_send()?;
    let ReportGuard { failure, death } = cover.reporting;
    let saved = SavedSend {
        sender: cover.sender,
        to: cover.to,
        resolved: cover.resolved,
        meta: cover.posted.mark,
        due: cover.posted.due,
        since: cover.posted.since,
        reports: [failure, death],
        addressee: cover.addressee,
        consumed: *consumed,
    };
    let message = message.0.as_deref()?;
    Some(look(saved, message))
}

/// Restores a kept message.
pub(crate) fn restored_send(saved: SavedSend, message: Box<dyn AnyMessage>) -> Shared {
    let message = message.into_erased().0;
    let [failure, death] = saved.reports;
    let posted = Posted {
        mark: saved.meta,
        due: saved.due,
        since: saved.since,
    };
    Arc::new(Mutex::new(KeptSend {
        cover: Cover {
            facts: (*message).facts(),
            sender: saved.sender,
            to: saved.to,
            resolved: saved.resolved,
            // Retained messages are matched by the mnemonics of now, and a subscriber that waits for a
            // stage does not check them.
            mnemonics: Box::default(),
            place: saved.meta.place,
            posted,
            reporting: ReportGuard { failure, death },
            number: None,
            overhearers: Box::default(),
            addressee: saved.addressee,
        },
        message: BoxedMessage(Some(message)),
        overhearing: SmallVec::new(),
        consumed: saved.consumed,
        losses: Losses::default(),
    }))
}
