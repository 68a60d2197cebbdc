//! Listens to the radio: to everything with the tag `RADIO`, regardless of its type and
//! recipient.
//!
//! The subscription is hidden. Otherwise it would count as a receiver, and every shout would be
//! received.

use message_core::AnyMessage;
use message_core::SubscriptionId;
use message_core::prelude::*;

use crate::logbook::{name_of, note, recipient_name, sender_name};
use crate::messages::UnderAttack;
use crate::radio::RADIO;

/// Logs the messages that arrive over the radio.
pub fn listen(manager: &mut MessageManager) -> SubscriptionId {
    manager.subscribe(Filter::all().tagged(RADIO).hidden(), |message, cx| {
        let envelope = cx.envelope();
        let from = sender_name(cx, envelope.sender);
        let to = recipient_name(cx, envelope.recipient);
        let words = words(cx, message);
        let said = envelope.posted.time.as_secs_f64();
        let stage = envelope.stage;
        note(
            cx,
            "radio",
            &format!("{from} to {to}: {words} (said at {said:.3}, heard at {stage})"),
        );
    })
}

/// Returns a message in words.
pub fn words<R>(cx: &mut Context<'_, R>, message: &dyn AnyMessage) -> String {
    match message.downcast_ref::<UnderAttack>() {
        Some(shout) => format!("under attack by {}", name_of(cx, shout.by)),
        None => format!("{message:?}"),
    }
}
