//! Sends of messages whose type is not known where they are sent: in a box, as an
//! [`AnyMessage`](crate::AnyMessage).
//!
//! They do what the typed sends do. Only the functions of an [`ErasedMessage`] are compiled for each
//! message type; everything else is compiled once.

use std::any::Any;
use std::panic::Location;

use crate::address::Recipient;
use crate::caught::catch;
use crate::error::{SendError, SendErrorKind};
use crate::header::Header;
use crate::message::AnyMessage;
use crate::post::{Ticket, post_held};
use crate::receipt::Receipt;
use crate::send::entry::single_stop;
use crate::send::erased::{AnyReply, ErasedMessage, Replies};
use crate::send::origin::Origin;
use crate::send::step::settle;
use crate::send::verdict::Verdict;

/// Like [`send`](super::send), for a boxed message.
pub(crate) fn send_any(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: Box<dyn AnyMessage>,
) -> Result<Receipt, SendError> {
    deliver(from, to, place, message, Replies::Ignore)
}

/// Like [`request`](super::request), for a boxed message. The answer is boxed, too.
pub(crate) fn request_any(
    from: impl Origin,
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
fn deliver(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: Box<dyn AnyMessage>,
    mut replies: Replies<'_>,
) -> Result<Receipt, SendError> {
    let mut message = message.into_erased().0;
    if let Some(verdict) = call_erased(from, to, place, &mut *message, &mut replies) {
        if verdict == Verdict::Failed {
            replies.take_error(&from.world().waiting.failures);
        }
        return Ok(verdict.receipt());
    }
    let sent = from.sent_of(message.facts(), &to, place);
    let mut message = Some(message);
    match replies {
        Replies::Ignore => sent.send(&mut message),
        replies => sent.request(&mut message, replies),
    }
}

/// Like [`post_anew`](crate::post::post_anew), for a boxed message.
pub(crate) fn post_any(
    from: impl Origin,
    header: &Header,
    place: &'static Location<'static>,
    message: Box<dyn AnyMessage>,
) -> Result<Ticket, SendError> {
    let mut message = Some(message.into_erased().0);
    post_held(from, header, place, &mut message)
}

/// Like [`entry::call_single`](super::entry::call_single), for a message whose type is not known. Also
/// catches a panic: compiled once, since few programs do.
#[inline(never)]
pub(super) fn call_erased(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn ErasedMessage,
    replies: &mut Replies<'_>,
) -> Option<Verdict> {
    let facts = message.facts();
    let (world, table) = (from.world(), facts.table()?);
    let (_, record, stop) = single_stop(&from, to, table.index, || Some(table), true)?;
    let (pool, slot) = stop.at(record, &world.structure);
    if !pool.roster().is_at_hand(slot) {
        return None;
    }
    let sent = from.sent_of(facts, &to, place);
    let mut call = || message.call_one(stop.route, pool, slot, &sent, replies);
    let route = || table.route(stop.route);
    let (verdict, error) = if world.listen.subscriptions.only_catches(table.index) {
        catch(call).unwrap_or_else(|panic| {
            sent.panicked(pool, slot, route(), panic);
            (Some(Verdict::Failed), None)
        })
    } else {
        call()
    };
    if verdict.is_some() && (error.is_some() || world.waiting.kept.any()) {
        settle(route(), pool, slot, error, &sent);
    }
    verdict
}
