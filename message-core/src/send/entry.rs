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
use crate::message::{Facts, Message, Request};
use crate::receipt::Receipt;
use crate::send::Sent;
use crate::send::call::{Delivery, Frame, OnBusy};
use crate::send::dynamic::call_erased;
use crate::send::erased::{ErasedMessage, Replies, Source};
use crate::send::origin::Origin;
use crate::send::plan::Stops;
use crate::send::step::settle;
use crate::send::verdict::Verdict;
use crate::world::World;

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
    /// `true` if somebody may hear the message after the addressed.
    is_heard: bool,
}

impl Here<'_> {
    #[inline]
    fn deliver<M: Message>(self, delivery: &mut Delivery<'_>, message: &mut M) {
        let table = self.stops.table;
        let _ = delivery.deliver_to_stops(self.stops, message);
        if self.is_heard {
            delivery.tell_after(table, message);
        }
    }
}

/// Returns the stops of a send to a messagee that is there, if they are known and those that hear the message do so after
/// the addressed.
#[inline]
fn stops_here<'a, M: Message>(sent: &Sent<'a>) -> Option<Here<'a>> {
    let (world, table) = (sent.world, M::cell().routes().table()?);
    let Recipient::Id(id) = *sent.to else {
        return None;
    };
    let subscriptions = &world.listen.subscriptions;
    let is_heard = !subscriptions.is_unheard(table.index);
    if is_heard && !subscriptions.only_follow(table.index) {
        return None;
    }
    let record = world.structure.messagees.here(id)?;
    let stops = world.plans.known(table.index, record.layout())?;
    let stops = Stops::new(table, record, stops);
    Some(Here { stops, is_heard })
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
        Some(verdict) => reply.ok_or_else(|| unanswered_after::<M>(from.world(), to, verdict)),
        None => request_in_full(from, to, place, message),
    }
}

/// Returns the error of a request whose only receiver has not answered.
#[cold]
pub(crate) fn unanswered_after<M: Message>(
    world: &World,
    to: Recipient,
    verdict: Verdict,
) -> SendError {
    let failed = verdict == Verdict::Failed;
    let error = failed.then(|| world.waiting.failures.last()).flatten();
    unanswered::<M>(to, error)
}

#[cold]
fn unanswered<M: Message>(to: Recipient, error: Option<SharedError>) -> SendError {
    let message = M::NAME;
    SendErrorKind::NoAnswer { to, message, error }.into()
}

/// Returns `true` if nobody hears a message to a messagee, though somebody listens to its type, and nothing
/// else has to be done around the send: W1-past.
#[cold]
#[inline(never)]
pub(crate) fn is_passed(from: impl Origin, table: Option<&RouteTable>, to: Recipient) -> bool {
    let Recipient::Id(to) = to else {
        return false;
    };
    let subscriptions = &from.world().listen.subscriptions;
    let table = table.filter(|_| !subscriptions.is_shut());
    table.is_some_and(|table| subscriptions.are_passed(table, to, from.sender()))
}

/// Returns the messagee that a mnemonic is bound to.
#[inline(never)]
fn holder(world: &World, to: Recipient) -> Option<MessageeId> {
    match to {
        Recipient::Mnemonic(mnemonic) => world.structure.addresses.bound(mnemonic),
        _ => None,
    }
}

/// Calls the only component that a send without a header goes to. Returns `None`, with nobody called, if
/// there is none or another, or if anything is unusual.
#[inline]
pub(crate) fn call_single<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Option<Verdict> {
    let (routes, world) = (M::cell().routes(), from.world());
    let id = match to {
        Recipient::Id(id) => id,
        _ => holder(world, to)?,
    };
    if !from.is_clear() {
        return None;
    }
    if !world.listen.subscriptions.is_quiet(routes.place())
        && !is_passed(from, routes.any_table(), to)
    {
        if !world.listen.subscriptions.only_catches(routes.place()) {
            return None;
        }
        // W1-unhook, W3-unhook, W8-unhook. The answer has a place of its own, since `reply` would otherwise be in
        // memory for every send: W1.
        let mut first = None;
        let replies = &mut Replies::First(&mut first, &mut None);
        let verdict = call_erased(from, to, place, message, replies);
        *reply = first;
        return verdict;
    }
    let record = world.structure.messagees.here(id)?;
    let stop = world.plans.single(routes.place(), record.layout())?;
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

/// Does what follows from the call of the only component of a messagee that receives a message. It is looked
/// up again, so that nothing has to be kept for this during the call.
#[cold]
#[inline(never)]
pub(crate) fn settle_single(sent: &Sent<'_>, id: MessageeId, error: Option<Box<HandlerError>>) {
    let world = sent.world;
    if let (Some(table), Some(record)) = (sent.facts.table(), world.structure.messagees.get(id))
        && let [stop] = *world.plans.stops(table, record, &world.structure.messagees)
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
        && let Some(here) = stops_here::<M>(&sent)
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
    let mut answer = Answer::none();
    answer.ask(from, to, place, message)?;
    answer.taken(to)
}

/// The answer to a request, and the first error.
pub(crate) struct Answer<M: Request> {
    first: Option<M::Reply>,
    error: Option<SharedError>,
}

impl<M: Request> Answer<M> {
    #[inline]
    pub(crate) fn none() -> Self {
        Self {
            first: None,
            error: None,
        }
    }

    /// Asks everybody at the recipient.
    #[inline]
    pub(crate) fn ask(
        &mut self,
        from: impl Origin,
        to: Recipient,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(), SendError> {
        let sent = from.sent_of(M::FACTS, &to, place);
        let replies = Replies::First(&mut self.first, &mut self.error);
        let mut message = Some(message);
        // Asked in a handler, all of them have to be free before the first is asked.
        if from.running().is_none()
            && from.is_clear()
            && let Some(it) = &mut message
            && let Some(here) = stops_here::<M>(&sent)
        {
            let mut delivery = Delivery::new(&sent, replies, OnBusy::Refuse);
            here.deliver(&mut delivery, it);
            if delivery.is_over() {
                let Receipt { .. } = delivery.into_receipt();
                return Ok(());
            }
            return delivery.end(Source::Owned(&mut message), false).map(drop);
        }
        sent.request(&mut message, replies).map(drop)
    }

    /// Returns the first answer.
    #[inline]
    pub(crate) fn taken(self, to: Recipient) -> Result<M::Reply, SendError> {
        let Self { first, error } = self;
        first.ok_or_else(|| unanswered::<M>(to, error))
    }
}
