//! Sends of messages whose type is not known where they are sent: in a box, as an
//! [`AnyMessage`](crate::AnyMessage).
//!
//! They do what the typed sends do. Only the functions of an [`ErasedMessage`] are compiled for each
//! message type; everything else is compiled once.

use std::any::Any;
use std::panic::Location;

use crate::address::Recipient;
use crate::error::{SendError, SendErrorKind};
use crate::header::Header;
use crate::message::AnyMessage;
use crate::post::{Ticket, post_held};
use crate::receipt::Receipt;
use crate::send::entry::stop_past;
use crate::send::erased::{AnyReply, BoxedMessage, ErasedMessage, Replies};
use crate::send::origin::Origin;
use crate::send::step::settle;
use crate::send::verdict::Ended;
use crate::send::verdict::Verdict;

/// Like [`send`](super::send), for a boxed message.
pub(crate) fn send_any(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: Box<dyn AnyMessage>,
) -> Result<Receipt, SendError> {
    let mut message = message.into_erased().0;
    if let Some(verdict) = call_single(from, to, place, &mut *message, &mut Replies::Ignore) {
        return Ok(verdict.receipt());
    }
    let sent = from.sent_of(message.facts(), &to, place);
    let mut message = BoxedMessage(Some(message));
    sent.send(&mut message)
}

/// Like [`request`](super::request), for a boxed message. The answer is boxed, too.
pub(crate) fn request_any(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: Box<dyn AnyMessage>,
) -> Result<Box<dyn Any>, SendError> {
    let mut message = message.into_erased().0;
    let facts = message.facts();
    if !facts.is_request() {
        return Err(SendErrorKind::NoReplyType {
            to,
            message: facts.name,
        }
        .into());
    }
    let (mut first, mut error) = (AnyReply(None), None);
    let replies = &mut Replies::First(&mut first, &mut error);
    match call_single(from, to, place, &mut *message, replies) {
        Some(Verdict::Failed) => error = from.world().waiting.failures.last(),
        Some(_) => {}
        None => {
            let sent = from.sent_of(facts, &to, place);
            let mut message = BoxedMessage(Some(message));
            let replies = Replies::First(&mut first, &mut error);
            sent.request(&mut message, replies)?;
        }
    }
    first.0.ok_or(
        SendErrorKind::NoAnswer {
            to,
            message: facts.name,
            error,
        }
        .into(),
    )
}

/// Like [`post_anew`](crate::post::post_anew), for a boxed message.
pub(crate) fn post_any(
    from: impl Origin,
    header: &Header,
    place: &'static Location<'static>,
    message: Box<dyn AnyMessage>,
) -> Result<Ticket, SendError> {
    let mut message = BoxedMessage(Some(message.into_erased().0));
    post_held(from, header, place, &mut message)
}

/// Like [`entry::call_single`](super::entry::call_single), for a message whose type is not known.
fn call_single(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn ErasedMessage,
    replies: &mut Replies<'_>,
) -> Option<Verdict> {
    let Recipient::Id(id) = to else {
        return None;
    };
    let facts = message.facts();
    let (world, table) = (from.world(), facts.table()?);
    if !from.is_clear() {
        return None;
    }
    let record = world.structure.messagees.here(id)?;
    let layout = record.layout();
    let plans = &world.listen.subscriptions.plans;
    let single = plans.single(table.index, layout);
    let single = single.or_else(|| stop_past(from, table, id, layout));
    let stop = single?.stop();
    let (pool, slot) = stop.at(record, &world.structure);
    if !pool.roster().is_at_hand(slot) {
        return None;
    }
    let sent = from.sent_of(facts, &to, place);
    let (verdict, error): Ended = message.call_one(stop.route, pool, slot, &sent, replies);
    if verdict.is_some() {
        settle(table.route(stop.route), pool, slot, error, &sent);
    }
    verdict
}
