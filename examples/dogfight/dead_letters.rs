//! Collects the dead letters: posts that did not arrive, each with the reason.
//!
//! A dead letter is an ordinary message, sent by the manager to everyone. It contains the message
//! that was lost, and its envelope.

use message_core::SubscriptionId;
use message_core::error::Undelivered;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;

use crate::logbook::{name_of, note, recipient_name, sender_name};
use crate::radio_log::words;

/// Logs the posts that did not arrive, and why.
pub fn collect(manager: &mut MessageManager) -> SubscriptionId {
    manager.subscribe(Filter::of::<DeadLetter>(), |letter, cx| {
        let from = sender_name(cx, letter.envelope.sender);
        let to = recipient_name(cx, letter.envelope.recipient);
        let words = match &letter.message {
            Some(message) => words(cx, &**message),
            None => letter.name.to_owned(),
        };
        let why = reason(cx, &letter.why);
        note(cx, "lost", &format!("{from} to {to}: {words}; {why}"));
    })
}

/// Returns the reason, with names instead of ids.
fn reason<R>(cx: &mut Context<'_, R>, why: &Undelivered) -> String {
    match *why {
        Undelivered::Gone {
            to: Recipient::Id(id),
        } => format!("{} is gone", name_of(cx, id)),
        Undelivered::SenderDespawned { id } => {
            format!("{} was shot down first", name_of(cx, id))
        }
        _ => why.to_string(),
    }
}
