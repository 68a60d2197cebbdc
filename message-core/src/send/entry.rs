//! Where a send begins. If exactly one component of a messagee receives the message, nobody listens and
//! nothing is unusual, the send is over here: W1, W3-out, W8. These few lines are compiled for each message
//! type, so that the whole delivery becomes one function. Everything else is passed on as an
//! [erased](super::erased) message and [delivered](super::deliver) by code that is compiled once.
//!
//! [`Sent`], which all deliveries of a send share, is made only when it is needed: a handler without a
//! context never needs it. The origin and the recipient are passed by value, so that they are written to
//! memory only where that is necessary.

use std::panic::Location;

use crate::address::{MessageeId, Recipient};
use crate::context::Context;
use crate::error::{HandlerError, SendError, SendErrorKind, SharedError};
use crate::handler::RouteTable;
use crate::handler::routes::CellRoute;
use crate::handler::run::Run;
use crate::message::{Facts, Message, MessageIndex, Request};
use crate::receipt::Receipt;
use crate::send::dynamic::call_erased;
use crate::send::erased::{ErasedMessage, OwnedMessage, Replies, Source};
use crate::send::origin::Origin;
use crate::send::plan::{Stop, Stops, Word};
use crate::send::step::settle;
use crate::send::verdict::Verdict;
use crate::send::{Delivery, Frame, OnBusy, Sent};
use crate::storage::{LayoutId, Record};
use crate::structure::Addresses;
use crate::subscription::List;
use crate::world::Failures;

/// Delivers a message to everybody at the recipient. A busy receiver gets it when it is free.
#[inline]
pub(crate) fn send<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: M,
) -> Result<Receipt, SendError> {
    // In an `Option` from the beginning, so that it is not moved when it is passed on.
    let mut message = Some(message);
    if let Some(message) = &mut message
        && let Some(verdict) = call_single(from, to, place, message, &mut None)
    {
        return Ok(verdict.receipt());
    }
    send_apart(from, to, place, &mut message)
}

/// The receivers of a send to a messagee that is there.
struct Here<'a> {
    stops: Stops<'a>,
    /// Those who hear the message after the addressed.
    list: Option<&'a dyn List>,
}

impl<'a> Here<'a> {
    /// Returns them if the stops are known, and all who hear the message are in one list.
    #[inline]
    fn find(sent: &Sent<'a>, table: &'a RouteTable) -> Option<Self> {
        let Recipient::Id(id) = *sent.to else {
            return None;
        };
        let subscriptions = &sent.world.listen.subscriptions;
        let list = if subscriptions.is_unheard(table.index) {
            None
        } else if subscriptions.is_clear() {
            Some(subscriptions.only_list(table.index)?)
        } else {
            return None;
        };
        let record = sent.world.structure.messagees.here(id)?;
        let stops = subscriptions.plans.known(table.index, record.layout())?;
        let stops = Stops::new(table, record, stops);
        Some(Self { stops, list })
    }

    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "the type of the message is known where it is called: W1-two"
    )]
    fn deliver(self, delivery: &mut Delivery<'_>, message: &mut dyn ErasedMessage) {
        let table = self.stops.table;
        let _ = delivery.deliver_to_stops(self.stops, message);
        if let Some(list) = self.list
            && !delivery.tally.consumed
        {
            let _ = list.tell(0..usize::MAX, delivery, message);
            if delivery.tally.received == 0 && delivery.is_over() {
                delivery.note_unhandled(table);
            }
        }
    }
}

/// Like [`send_on`], not inlined.
#[inline(never)]
fn send_apart<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut Option<M>,
) -> Result<Receipt, SendError> {
    send_on(from, to, place, message)
}

/// Delivers an in–out message to everybody at the recipient.
#[inline]
pub(crate) fn send_mut<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
) -> Result<Receipt, SendError> {
    match call_single(from, to, place, message, &mut None) {
        Some(verdict) => Ok(verdict.receipt()),
        None => send_lent(from, M::FACTS, to, place, message),
    }
}

/// Asks everybody at the recipient in turn until somebody answers.
#[inline]
pub(crate) fn request<M: Request>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    mut message: M,
) -> Result<M::Reply, SendError> {
    let mut reply = None;
    match call_single(from, to, place, &mut message, &mut reply) {
        Some(verdict) => {
            reply.ok_or_else(|| unanswered_after::<M>(&from.world().waiting.failures, to, verdict))
        }
        None => request_in_full(from, to, place, message),
    }
}

/// Returns the error of a request whose only receiver has not answered.
#[cold]
pub(crate) fn unanswered_after<M: Message>(
    failures: &Failures,
    to: Recipient,
    verdict: Verdict,
) -> SendError {
    let failed = verdict == Verdict::Failed;
    let error = failed.then(|| failures.last()).flatten();
    unanswered::<M>(to, error)
}

#[cold]
fn unanswered<M: Message>(to: Recipient, error: Option<SharedError>) -> SendError {
    let message = M::NAME;
    SendErrorKind::NoAnswer { to, message, error }.into()
}

impl Sent<'_> {
    /// Delivers the message if those who hear it are in one list: W5-heard.
    #[inline(never)]
    pub(crate) fn send_heard(
        &self,
        message: &mut dyn OwnedMessage,
    ) -> Option<Result<Receipt, SendError>> {
        let here = Here::find(self, self.facts.table()?)?;
        let mut delivery = Delivery::new(self, Replies::Ignore, OnBusy::Keep);
        here.deliver(&mut delivery, message.get());
        Some(delivery.finish(Source::Owned(message), false))
    }
}

/// Returns the only stop of a message to a messagee though somebody listens to its type, if nobody hears the message,
/// and all that may have to be done around the send is to catch panics: W1-past.
#[cold]
#[inline(never)]
fn stop_aside(
    from: impl Origin,
    table: &RouteTable,
    (to, layout): (MessageeId, LayoutId),
) -> Option<Word> {
    let subscriptions = &from.world().listen.subscriptions;
    let is_tagged = !table.tags.is_empty() || from.has_own_tags();
    let is_passed = if subscriptions.is_clear() {
        subscriptions.are_passed(table.index, is_tagged, from.sender(), to)
    } else {
        subscriptions.only_catches(table.index)
    };
    if !is_passed {
        return None;
    }
    subscriptions.plans.single_aside(table.index, layout)
}

/// Returns the messagee that a mnemonic is bound to.
#[inline(never)]
fn holder(addresses: &Addresses, to: Recipient) -> Option<MessageeId> {
    match to {
        Recipient::Mnemonic(mnemonic) => addresses.bound(mnemonic),
        _ => None,
    }
}

/// Returns the messagee at the recipient, and its only component that receives a message type, if it is known and
/// nothing is unusual. With `may_catch`, panics may have to be caught.
#[inline]
pub(super) fn single_stop(
    from: &impl Origin,
    to: Recipient,
    of: MessageIndex,
    table: impl FnOnce() -> Option<&'static RouteTable>,
    may_catch: bool,
) -> Option<(MessageeId, &Record, Stop)> {
    let world = from.world();
    let id = match to {
        Recipient::Id(id) => id,
        _ => holder(&world.structure.addresses, to)?,
    };
    if !from.is_clear() {
        return None;
    }
    let record = world.structure.messagees.here(id)?;
    let subscriptions = &world.listen.subscriptions;
    let (plans, layout) = (&subscriptions.plans, record.layout());
    let single = match plans.single(of, layout) {
        Some(single) => single,
        None if plans.is_aside(of)
            && matches!(to, Recipient::Id(_))
            && (may_catch || subscriptions.is_clear()) =>
        {
            stop_aside(*from, table()?, (id, layout))?
        }
        None => return None,
    };
    Some((id, record, single.stop()))
}

/// Calls the only component that a send goes to, and catches its panic: W1-unhook, W3-unhook, W8-unhook.
#[cold]
#[inline(never)]
fn call_caught<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Option<Verdict> {
    let mut error = None;
    let replies = &mut Replies::First(reply, &mut error);
    call_erased(from, to, place, message, replies)
}

/// Calls the only component that a send goes to. Returns `None`, with nobody called, if there is none or another, or if
/// anything is unusual.
#[inline]
pub(crate) fn call_single<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Option<Verdict> {
    let (routes, world) = (M::cell().routes(), from.world());
    let found = single_stop(&from, to, routes.place(), || routes.any_table(), false);
    let Some((id, record, stop)) = found else {
        if world.listen.subscriptions.only_catches(routes.place()) {
            // A place of its own, since `reply` would otherwise be in memory for every send: W1.
            let mut first = None;
            let verdict = call_caught(from, to, place, message, &mut first);
            *reply = first;
            return verdict;
        }
        return None;
    };
    let CellRoute { run, component } = routes.route(stop.route)?;
    let slot = stop.slot_in(record)?;
    let pool = world.structure.pools.get(*component)?;
    if !pool.roster().is_at_hand(slot) {
        return None;
    }
    let (verdict, error) = match *run {
        Run::Alone(run) => run(pool, slot, message, reply),
        Run::InContext(run) => {
            let sent = from.sent_of(M::FACTS, &to, place);
            let mut context = Context::new(Frame::at(pool.roster(), slot, id, &sent));
            let (verdict, error) = run(pool.any_values(), message, &mut context, reply);
            if error.is_some() || sent.world.waiting.kept.any() {
                settle_single(&sent, id, error);
            }
            return verdict;
        }
    };
    if let Some(error) = error {
        fail(from, M::FACTS, (to, id), place, error);
    }
    verdict
}

/// Handles the consequences of the call of the only component of a messagee that receives a message. It is
/// looked up again, so that nothing has to be kept for this during the call.
#[cold]
#[inline(never)]
pub(crate) fn settle_single(sent: &Sent<'_>, id: MessageeId, error: Option<Box<HandlerError>>) {
    let world = sent.world;
    if let (Some(table), Some(record)) = (sent.facts.table(), world.structure.messagees.get(id))
        && let [stop] = *sent.stops(table, record)
    {
        let (pool, slot) = stop.at(record, &world.structure);
        settle(table.route(stop.route), pool, slot, error, sent);
    }
}

/// Reports a failure.
#[cold]
#[inline(never)]
fn fail(
    from: impl Origin,
    facts: &'static Facts,
    (to, id): (Recipient, MessageeId),
    place: &'static Location<'static>,
    error: Box<HandlerError>,
) {
    settle_single(&from.sent_of(facts, &to, place), id, Some(error));
}

/// Delivers a message that [`call_single`] could not deliver. If nothing has to be checked before, the
/// [loop over the stops](ErasedMessage::to_stops) begins at once: W1-two, W8-two.
#[inline]
pub(crate) fn send_on<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut Option<M>,
) -> Result<Receipt, SendError> {
    let sent = from.sent_of(M::FACTS, &to, place);
    if let Some(it) = message
        && from.is_clear()
        && let Some(table) = M::cell().routes().table()
        && let Some(here) = Here::find(&sent, table)
    {
        let mut delivery = Delivery::new(&sent, Replies::Ignore, OnBusy::Keep);
        here.deliver(&mut delivery, it);
        if delivery.is_over() {
            return Ok(delivery.into_receipt());
        }
        return delivery.end(Source::Owned(message), false);
    }
    sent.send(message)
}

/// Like [`send_mut`], for a send that is not over here.
#[inline(never)]
fn send_lent(
    from: impl Origin,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn ErasedMessage,
) -> Result<Receipt, SendError> {
    from.sent_of(facts, &to, place).send_mut(message)
}

/// Like [`request`], for a request that is not over here.
#[inline(never)]
pub(crate) fn request_in_full<M: Request>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: M,
) -> Result<M::Reply, SendError> {
    let sent = from.sent_of(M::FACTS, &to, place);
    let (mut first, mut error) = (None, None);
    let replies = Replies::First(&mut first, &mut error);
    let mut message = Some(message);
    // Asked in a handler, all of them have to be free before the first is asked.
    if from.running().is_none()
        && from.is_clear()
        && let Some(it) = &mut message
        && let Some(table) = M::cell().routes().table()
        && let Some(here) = Here::find(&sent, table)
    {
        let mut delivery = Delivery::new(&sent, replies, OnBusy::Refuse);
        here.deliver(&mut delivery, it);
        if delivery.is_over() {
            let Receipt { .. } = delivery.into_receipt();
        } else {
            delivery.end(Source::Owned(&mut message), false)?;
        }
    } else {
        sent.request(&mut message, replies)?;
    }
    first.ok_or_else(|| unanswered::<M>(to, error))
}
