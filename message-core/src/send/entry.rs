//! Where a send begins. If exactly one component of a messagee receives the message, nobody listens and
//! nothing is unusual, the send is over here: W1, W3-out, W8. These few lines are compiled for each message
//! type, so that the whole delivery becomes one function. Everything else is passed on as an
//! [erased](super::erased) message and [delivered](super::deliver) by code that is compiled once.
//!
//! [`Sent`], which all deliveries of a send share, is made only when it is needed: a handler without a
//! context never needs it. The origin and the recipient are passed by value, so that they are written to
//! memory only where that is necessary.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::HandlerError;
use crate::error::{SendError, SendErrorKind, SharedError};
use crate::handler::RouteTable;
use crate::handler::run::Run;
use crate::message::{Facts, Message, MessageIndex, Request};
use crate::receipt::Receipt;
use crate::send::Sent;
use crate::send::call::{Delivery, Frame, OnBusy};
use crate::send::erased::{ErasedMessage, OwnedMessage, Replies, Source};
use crate::send::origin::Origin;
use crate::send::step::settle;
use crate::send::verdict::Verdict;
use crate::storage::Pool;
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
    let error = failed.then(|| world.failures.last()).flatten();
    unanswered::<M>(to, error)
}

#[cold]
fn unanswered<M: Message>(to: Recipient, error: Option<SharedError>) -> SendError {
    let message = M::NAME;
    SendErrorKind::NoAnswer { to, message, error }.into()
}

/// The only component that receives a message, ready to be called.
#[derive(Clone, Copy)]
pub(crate) struct Single<'w> {
    /// The [number](crate::handler::Route::number) of the route.
    pub(crate) route: u16,
    pub(crate) pool: &'w Pool,
    pub(crate) slot: u32,
}

impl World {
    /// Returns the only component of a messagee that receives a message of a type. `None` if there is none
    /// or another, if somebody listens, or if something about the component is unusual.
    #[inline]
    pub(crate) fn single(
        &self,
        message: MessageIndex,
        table: Option<&RouteTable>,
        id: MessageeId,
        sender: Sender,
    ) -> Option<Single<'_>> {
        if !self.subscriptions.is_quiet(message) && !self.is_passed(table, id, sender) {
            return None;
        }
        let record = self.messagees.here(id)?;
        let stop = self.plans.single(message, record.layout())?;
        let slot = stop.slot_in(record)?;
        let pool = self.pools.get(stop.component.into())?;
        let is_free = pool.roster().is_at_hand(slot);
        let route = stop.route;
        is_free.then_some(Single { route, pool, slot })
    }

    /// Returns `true` if nobody hears a message to a messagee, though somebody listens to its type, and
    /// sends to one component may be over in [`call_single`].
    #[cold]
    #[inline(never)]
    fn is_passed(&self, table: Option<&RouteTable>, to: MessageeId, from: Sender) -> bool {
        !self.subscriptions.is_shut()
            && table.is_some_and(|table| self.subscriptions.are_passed(table, to, from))
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
    let Recipient::Id(id) = to else {
        return None;
    };
    if !from.is_clear() {
        return None;
    }
    let routes = M::cell().routes();
    let (index, table) = (routes.place(), routes.any_table());
    let single @ Single { route, pool, slot } =
        from.world().single(index, table, id, from.sender())?;
    let (verdict, error) = match routes.run(route)? {
        Run::Alone(run) => run(pool, slot, message, reply),
        Run::InContext(run) => {
            let to = Recipient::Id(id);
            let sent = from.sent_of(M::FACTS, &to, place);
            let frame = Frame::at(pool.roster(), slot, id, &sent);
            let mut context = crate::context::Context::new(frame);
            let (verdict, error) = run(pool.any_values(), message, &mut context, reply);
            if error.is_some() || sent.world.kept.any() {
                settle_single(&sent, single, error);
            }
            return verdict;
        }
    };
    if let Some(error) = error {
        fail(from, M::FACTS, id, place, single, error);
    }
    verdict
}

/// Does what follows from a call: see [`settle`].
#[cold]
#[inline(never)]
pub(crate) fn settle_single(
    sent: &Sent<'_>,
    Single { route, pool, slot }: Single<'_>,
    error: Option<Box<HandlerError>>,
) {
    if let Some(table) = sent.facts.table() {
        settle(table.route(route), pool, slot, error, sent);
    }
}

/// Reports a failure.
#[cold]
#[inline(never)]
fn fail(
    from: impl Origin,
    facts: &'static Facts,
    id: MessageeId,
    place: &'static Location<'static>,
    single: Single<'_>,
    error: Box<HandlerError>,
) {
    let to = Recipient::Id(id);
    let sent = from.sent_of(facts, &to, place);
    settle_single(&sent, single, Some(error));
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
    let (sent, world) = (from.sent_of(M::FACTS, &to, place), from.world());
    if let (Recipient::Id(id), Some(table), true) =
        (to, M::cell().routes().table(), from.is_clear())
        && world.subscriptions.is_quiet(table.index)
        && let Some(record) = world.messagees.here(id)
        && let Some(stops) = world.plans.known(table.index, record.layout())
        && let Some(it) = message
    {
        let mut delivery = Delivery::new(&sent, Replies::Ignore, OnBusy::Keep);
        let kept = world.kept.count();
        let _ = it.to_stops(&mut delivery, table, stops, record);
        return delivery.finish(Source::Owned(message), kept, false);
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
        let replies = Replies::First(&mut self.first, &mut self.error);
        ask_owned(from, M::FACTS, to, place, &mut Some(message), replies)
    }

    /// Returns the first answer.
    #[inline]
    pub(crate) fn taken(self, to: Recipient) -> Result<M::Reply, SendError> {
        let Self { first, error } = self;
        first.ok_or_else(|| unanswered::<M>(to, error))
    }
}

/// Like [`Answer::ask`], with a message whose type is not known here.
#[inline(never)]
fn ask_owned(
    from: impl Origin,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn OwnedMessage,
    replies: Replies<'_>,
) -> Result<(), SendError> {
    let sent = from.sent_of(facts, &to, place);
    sent.request(message, replies).map(drop)
}
