//! The short way of the most common sends: to one messagee, with a message that one component type
//! handles and nobody listens to. Everything else takes the long way, and so does whatever comes in
//! between: a component that is busy, disabled or leaving, a messagee with several of the type, one
//! without any, or none at all.
//!
//! What all deliveries share ([`Sent`](super::call::Sent)) is made only when it is asked for: a
//! handler without a context never does. Origin and recipient are handed on by value, so that they are
//! written to memory only on the way that needs them there.

use std::panic::Location;

use crate::address::Recipient;
use crate::error::{SendError, SharedError};
use crate::handler::run::RunSingle;
use crate::handler::{HandlerError, Outcome};
use crate::message::{Facts, Message, Request};
use crate::receipt::Receipt;
use crate::send::erased::OwnedMessage;
use crate::send::origin::Origin;
use crate::send::verdict::Verdict;
use crate::world::World;

/// How the short way has ended: what became of the message, or nothing when nobody was called and it
/// has to be the long way; with it a failure that is still to be reported, in a box, so that all of
/// it fits in two registers.
pub(crate) type Ended = (Option<Verdict>, Option<Box<HandlerError>>);

/// It has to be the long way.
pub(crate) const FALL_BACK: Ended = (None, None);

/// What became of the message at the component that was called; `None` when that was busy.
#[inline]
pub(crate) fn ended<R>(outcome: Option<Outcome<R>>, reply: &mut Option<R>) -> Ended {
    let Some(outcome) = outcome else {
        return FALL_BACK;
    };
    match Verdict::of(outcome, reply) {
        Ok(verdict) => (Some(verdict), None),
        Err(error) => (Some(Verdict::Failed), Some(Box::new(error))),
    }
}

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

/// The short way of [`send`] alone. The message comes back, with nobody called, when it has to take the
/// long way; otherwise it is dropped.
#[inline]
pub(crate) fn send_alone<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    mut message: M,
) -> Result<Verdict, M> {
    call_single(from, to, place, &mut message, &mut None).ok_or(message)
}

/// As [`send_alone`], for [`request`]. If it leaves no reply, the answer is [`unanswered_after`].
#[inline]
pub(crate) fn request_alone<M: Request>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    mut message: M,
    reply: &mut Option<M::Reply>,
) -> Result<Verdict, M> {
    call_single(from, to, place, &mut message, reply).ok_or(message)
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
    let world = from.world();
    let routes = M::cell().get()?;
    if !from.is_clear() {
        return None;
    }
    let component = world.subscriptions.fast_routes.component(routes.index)?;
    let pool = world.pools.get(component as usize)?.as_deref()?;
    let (verdict, error) = match routes.run_single() {
        RunSingle::Nobody => return None,
        RunSingle::Alone(run) => run(pool, id, message, reply),
        RunSingle::InContext(run) => {
            let to = Recipient::Id(id);
            let sent = from.sent_from::<M>(&to, place);
            let (verdict, error) = run(pool, id, message, &sent, reply);
            if world.kept.any() {
                finish::<M>(from, to, place, error);
                return verdict;
            }
            (verdict, error)
        }
    };
    if error.is_some() {
        finish::<M>(from, to, place, error);
    }
    verdict
}

/// The end of a delivery that has left something to do: a failure to report, messages that were kept
/// for the component meanwhile.
#[cold]
#[inline(never)]
fn finish<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    error: Option<Box<HandlerError>>,
) {
    let sent = from.sent_from::<M>(&to, place);
    let error = error.map(|error| *error);
    from.world().finish_single(error, &sent);
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
fn send_owned(
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
    let sent = from.sent_from::<M>(&to, place);
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
    let sent = from.sent_from::<M>(&to, place);
    let mut first: Option<M::Reply> = None;
    let mut error = None;
    from.world()
        .request_in_full(&sent, &mut Some(message), &mut first, &mut error)?;
    first.ok_or_else(|| unanswered::<M>(to, error))
}
