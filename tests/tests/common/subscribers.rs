//! Subscribers that log what they receive.
#![allow(dead_code, reason = "each program uses its own part of this")]

use message_core::AnyMessage;
use message_core::prelude::*;

use crate::common::{Log, Note};

/// Returns a subscriber of notes that logs them.
pub(crate) fn notes(
    log: &Log,
    name: &'static str,
) -> impl FnMut(&Note, &mut SubscriberContext<'_>) + Send + 'static {
    let log = log.clone();
    move |note, _| log.add(format!("{name}: {}", note.0))
}

/// Returns a subscriber of everything that logs it.
pub(crate) fn all(
    log: &Log,
    name: &'static str,
) -> impl FnMut(&dyn AnyMessage, &mut SubscriberContext<'_>) + Send + 'static {
    let log = log.clone();
    move |message, _| log.add(format!("{name}: {message:?}"))
}
