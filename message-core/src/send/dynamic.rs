//! Sends of messages whose type is not known where they are sent: in a box, as an
//! [`AnyMessage`](crate::AnyMessage).
//!
//! They do what the typed sends do. Only the functions of an [`AnyMessage`](super::AnyMessage) are compiled for each
//! message type; everything else is compiled once.

use std::any::Any;
use std::panic::Location;

use crate::address::Recipient;
use crate::error::{SendError, SendErrorKind};
use crate::header::Header;
use crate::message::AnyMessage;
use crate::post::{Ticket, post_held};
use crate::receipt::Receipt;
use crate::send::erased::{AnyReply, Replies};
use crate::send::origin::Origin;

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
    replies: Replies<'_>,
) -> Result<Receipt, SendError> {
    let sent = from.sent_of(message.facts(), &to, place);
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
    post_held(from, header, place, &mut Some(message))
}
