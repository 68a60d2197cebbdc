//! Sends of messages whose type is not known where they are sent: in a box, as an
//! [`AnyMessage`](crate::AnyMessage).
//!
//! They do what the typed sends do. Only the functions of an [`ErasedMessage`](super::ErasedMessage) are compiled for each
//! message type; everything else is compiled once.

use std::any::Any;
use std::panic::Location;

use crate::address::Recipient;
use crate::error::{SendError, SendErrorKind};
use crate::header::Header;
use crate::message::AnyMessage;
use crate::post::{Ticket, post_held};
use crate::receipt::Receipt;
use crate::send::entry::find_callee;
use crate::send::erased::{AnyReply, Replies};
use crate::send::origin::Origin;
use crate::send::verdict::Verdict;

/// Like [`send`](super::send), for a boxed message.
pub(crate) fn send_any<'a>(
    from: impl Origin<'a>,
    to: Recipient,
    place: &'static Location<'static>,
    message: Box<dyn AnyMessage>,
) -> Result<Receipt, SendError> {
    deliver(from, to, place, message, Replies::Ignore)
}

/// Like [`request`](super::request), for a boxed message. The answer is boxed, too.
pub(crate) fn request_any<'a>(
    from: impl Origin<'a>,
    to: Recipient,
    place: &'static Location<'static>,
    message: Box<dyn AnyMessage>,
) -> Result<Box<dyn Any>, SendError> {
    let name = message.name();
    if !message.facts().is_request() {
        return Err(SendErrorKind::NoReplyType { to, message: name }.into());
    }
    let (mut first, mut error) = (AnyReply(None), None);
    let replies = Replies::First(&mut first, &mut error);
    deliver(from, to, place, message, replies)?;
    let unanswered = |message| SendErrorKind::NoAnswer { to, message, error };
    first.0.ok_or_else(|| unanswered(name).into())
}

/// Delivers a boxed message.
fn deliver<'a>(
    from: impl Origin<'a>,
    to: Recipient,
    place: &'static Location<'static>,
    message: Box<dyn AnyMessage>,
    mut replies: Replies<'_>,
) -> Result<Receipt, SendError> {
    let mut message = message.into_erased().0;
    let facts = message.facts();
    let sent = from.sent_of(facts, &to, place);
    let callee = facts.table().and_then(|table| find_callee(from, to, table));
    let verdict = callee.map_or(Verdict::Busy, |callee| {
        sent.call(callee, &mut *message, &mut replies)
    });
    if verdict == Verdict::Failed {
        replies.take_error(&from.world().waiting.failures);
    }
    if verdict != Verdict::Busy {
        return Ok(verdict.receipt());
    }
    let mut message = Some(message);
    match replies {
        Replies::Ignore => sent.send(&mut message),
        replies => sent.request(&mut message, replies),
    }
}

/// Like [`post_anew`](crate::post::post_anew), for a boxed message.
pub(crate) fn post_any<'a>(
    from: impl Origin<'a>,
    header: &Header,
    place: &'static Location<'static>,
    message: Box<dyn AnyMessage>,
) -> Result<Ticket, SendError> {
    let mut message = Some(message.into_erased().0);
    post_held(from, header, place, &mut message)
}
