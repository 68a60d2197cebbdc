//! The short way of the most common sends: to one messagee, with a message that one component type
//! handles and nobody listens to. Everything else takes the long way, and so does whatever comes in
//! between: a component that is busy, disabled or leaving, a messagee with several of the type, one
//! without any, or none at all.
//!
//! What all deliveries share ([`Sent`](super::call::Sent)) is made only when it is asked for: a
//! handler without a context never does. Origin and recipient are handed on by value, so that they are
//! written to memory only on the way that needs them there.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::{SendError, SharedError};
use crate::handler::run::{At, Run};
use crate::handler::{HandlerError, RouteTable};
use crate::message::{Facts, Message, MessageIndex, Request};
use crate::receipt::Receipt;
use crate::send::call::Sent;
use crate::send::erased::OwnedMessage;
use crate::send::origin::Origin;
use crate::send::verdict::Verdict;
use crate::storage::Pool;
use crate::world::World;

/// Delivers a message to everybody at the recipient; a busy receiver gets it when it is free.
#[inline]
pub(crate) fn send<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    mut message: M,
) -> Result<Receipt, SendError> {
    match call_single(from, to, place, &mut message, &mut None) {
        Some(verdict) => Ok(verdict.receipt()),
        None => send_in_full(from, to, place, message),
    }
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
        None => send_mut_in_full(from, to, place, message),
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

/// The short way of [`send`] alone. `None`, with nobody called, when the message has to take the long way.
#[inline]
pub(crate) fn send_alone<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
) -> Option<Verdict> {
    call_single(from, to, place, message, &mut None)
}

/// The short way of [`request`] alone. The message comes back, with nobody called, when it has to take the
/// long way. If it leaves no reply, the answer is [`unanswered_after`].
#[inline]
pub(crate) fn request_alone<M: Request>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    mut message: M,
    reply: &mut Option<M::Reply>,
) -> Result<Verdict, M> {
    match call_single(from, to, place, &mut message, reply) {
        Some(verdict) => Ok(verdict),
        None => Err(message),
    }
}

/// The only component that was asked has not answered.
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
    SendError::NoAnswer { to, message, error }
}

/// Calls the one component that a send goes to. `None`, with nobody called, when it has to take the
/// long way.
#[inline]
pub(crate) fn call_single<M: Message, O: Origin>(
    from: O,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Option<Verdict> {
    let routes = M::cell().routes();
    let (id, pool) = single_pool(&from, to, routes.place(), routes.table())?;
    let at = At::only(id);
    let (verdict, error) = match routes.single()? {
        Run::Alone(run) => run(pool, at, message, reply),
        Run::InContext(run) => {
            let to = Recipient::Id(id);
            let sent = from.sent_of(M::FACTS, &to, place);
            let mut context = at.context(pool, &sent)?;
            let (verdict, error) = run(pool.any_values(), message, &mut context, reply);
            finish(pool, id, error, &sent);
            return verdict;
        }
    };
    if let Some(error) = error {
        fail(from, M::FACTS, id, place, pool, error);
    }
    verdict
}

/// The messagee that a message is sent to, and the pool of the only component type that handles it, if it
/// can take the short way.
#[inline]
fn single_pool<'a, O: Origin>(
    from: &'a O,
    to: Recipient,
    message: MessageIndex,
    table: Option<&'static RouteTable>,
) -> Option<(MessageeId, &'a Pool)> {
    let Recipient::Id(id) = to else {
        return None;
    };
    let world = from.world();
    if !from.is_clear() {
        return None;
    }
    match world.fast_pool(message) {
        Some(pool) => Some((id, pool)),
        None if O::IS_PLAIN => Some((id, world.pool_past(table?, id, from.sender())?)),
        None => None,
    }
}

/// What follows from a delivery to a component that was given a context.
#[inline]
fn finish(pool: &Pool, id: MessageeId, error: Option<Box<HandlerError>>, sent: &Sent<'_>) {
    let world = sent.world;
    if error.is_some() || world.kept.any() {
        world.finish_single(pool, id, error, sent);
    }
}

impl World {
    /// The pool of the only component type that handles a message, if nobody listens to its type.
    #[inline]
    fn fast_pool(&self, message: MessageIndex) -> Option<&Pool> {
        let component = self.subscriptions.fast_routes.component(message)?;
        match self.pools.get(component as usize) {
            Some(Some(pool)) => Some(pool),
            _ => None,
        }
    }

    /// The pool of the only component type that handles a message, if nobody hears it though somebody
    /// listens to its type.
    #[cold]
    #[inline(never)]
    fn pool_past(&self, table: &RouteTable, to: MessageeId, from: Sender) -> Option<&Pool> {
        if self.is_instrumented() {
            return None;
        }
        let component = self.subscriptions.component_past(table, to, from)?;
        self.pools.get(component as usize)?.as_deref()
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
    pool: &Pool,
    error: Box<HandlerError>,
) {
    let to = Recipient::Id(id);
    let sent = from.sent_of(facts, &to, place);
    from.world().finish_single(pool, id, Some(error), &sent);
}

/// As [`send`], the long way. The message is handed on at once, so that a call of the short way has
/// little code.
#[inline(never)]
pub(crate) fn send_in_full<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: M,
) -> Result<Receipt, SendError> {
    send_owned(from, M::FACTS, to, place, &mut Some(message))
}

/// As [`send_in_full`], of a message whose type is not known here.
#[inline(never)]
pub(crate) fn send_owned(
    from: impl Origin,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn OwnedMessage,
) -> Result<Receipt, SendError> {
    let sent = from.sent_of(facts, &to, place);
    from.world().send_in_full(&sent, message)
}

/// As [`send_mut`], the long way.
#[inline(never)]
fn send_mut_in_full<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
) -> Result<Receipt, SendError> {
    let sent = from.sent_of(M::FACTS, &to, place);
    from.world().send_mut_in_full(&sent, message)
}

/// As [`request`], the long way.
#[inline(never)]
pub(crate) fn request_in_full<M: Request>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: M,
) -> Result<M::Reply, SendError> {
    let sent = from.sent_of(M::FACTS, &to, place);
    let mut first: Option<M::Reply> = None;
    let mut error = None;
    from.world()
        .request_in_full(&sent, &mut Some(message), &mut first, &mut error)?;
    first.ok_or_else(|| unanswered::<M>(to, error))
}
