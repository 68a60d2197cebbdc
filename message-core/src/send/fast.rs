//! The short way of the most common sends: to one messagee, with a message that one component type
//! handles and nobody listens to. Everything else takes the long way, and so does whatever comes in
//! between: a component that is busy, disabled or leaving, a messagee with several of the type, one
//! without any, or none at all. Where a panic ends with its component, it is caught on this way, too
//! ([`guard`]).
//!
//! What all deliveries share ([`Sent`](super::call::Sent)) is made only when it is asked for: a
//! handler without a context never does. Origin and recipient are handed on by value, so that they are
//! written to memory only on the way that needs them there.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::caught::catch;
use crate::error::{SendError, SharedError};
use crate::handler::routes::Routes;
use crate::handler::run::{At, Run};
use crate::handler::{HandlerError, RouteTable};
use crate::message::{Facts, Message, MessageIndex, Request};
use crate::receipt::Receipt;
use crate::send::Sent;
use crate::send::call::{Call, OnBusy, Tally};
use crate::send::erased::{ErasedMessage, OwnedMessage, Replies, Source};
use crate::send::fast_routes::FastRoutes;
use crate::send::origin::{Origin, Outside};
use crate::send::pair::{Calls, call_pair};
use crate::send::plain::Progress;
use crate::send::verdict::{Ended, FALL_BACK, Verdict};
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

/// The short way of [`send`] alone, for code that is compiled for each line that sends. `None`, with nobody
/// called, when the message has to take [another](send_guarded).
#[inline]
pub(crate) fn send_alone<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
) -> Option<Verdict> {
    let routes = M::cell().routes();
    match single_way(&from, to, routes.place(), routes.any_table())? {
        (id, Way::Open(pool)) => call_in(from, routes, (pool, id), place, message, &mut None),
        (_, Way::Guarded(_)) => None,
    }
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
    let (id, way) = single_way(&from, to, routes.place(), routes.any_table())?;
    match way {
        Way::Open(pool) => call_in(from, routes, (pool, id), place, message, reply),
        Way::Guarded(component) => {
            call_guarded(from, routes, (component, id), place, message, reply)
        }
    }
}

/// Calls the component that a messagee has in a pool.
#[inline]
fn call_in<M: Message>(
    from: impl Origin,
    routes: &Routes<M>,
    (pool, id): (&Pool, MessageeId),
    place: &'static Location<'static>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Option<Verdict> {
    let at = At::only(id);
    let (verdict, error) = match routes.run_single()? {
        Run::Alone(run) => run(pool, at, message, reply),
        Run::InContext(run) => {
            let to = Recipient::Id(id);
            let sent = from.sent_of(M::FACTS, &to, place);
            let mut context = at.context(pool, &sent)?;
            let (verdict, error) = run(pool.any_values(), message, &mut context, reply);
            finish(pool, at, error, &sent);
            return verdict;
        }
    };
    if let Some(error) = error {
        fail(from, M::FACTS, id, place, pool, error);
    }
    verdict
}

/// The way to the only component type that handles a message.
enum Way<'a> {
    Open(&'a Pool),
    /// A panic ends with the component, of the type with that index.
    Guarded(u32),
}

/// The messagee that a message is sent to, and the way to the only component type that handles it, if it
/// can be the short way.
#[inline]
fn single_way<'a, O: Origin>(
    from: &'a O,
    to: Recipient,
    message: MessageIndex,
    table: Option<&'static RouteTable>,
) -> Option<(MessageeId, Way<'a>)> {
    let Recipient::Id(id) = to else {
        return None;
    };
    let world = from.world();
    if !from.is_clear() {
        return None;
    }
    let component = world.subscriptions.fast_routes.component(message)?;
    let way = match world.pools.get(component as usize) {
        Some(Some(pool)) => Way::Open(pool),
        _ if !O::IS_PLAIN => return None,
        _ => match FastRoutes::guarded(component) {
            Some(component) => Way::Guarded(component),
            None => Way::Open(world.pool_past(component, table?, id, from.sender())?),
        },
    };
    Some((id, way))
}

/// What follows from a delivery to a component that was given a context.
#[inline]
fn finish(pool: &Pool, at: At, error: Option<Box<HandlerError>>, sent: &Sent<'_>) {
    let world = sent.world;
    if error.is_some() || world.kept.any() {
        world.finish_single((pool, at), error, sent);
    }
}

/// As [`call_single`], of a component with which a panic of its handler ends.
#[cold]
#[inline(never)]
fn call_guarded<M: Message>(
    from: impl Origin,
    routes: &Routes<M>,
    (component, id): (u32, MessageeId),
    place: &'static Location<'static>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Option<Verdict> {
    let single = &mut Single {
        routes,
        message,
        reply,
    };
    guard(from, M::FACTS, (component, id), place, single)
}

/// The short way of a send that [`send_alone`] has left out: to a component with which a panic of its handler
/// ends.
#[inline]
pub(crate) fn send_guarded<M: Message>(
    from: Outside<'_>,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
) -> Option<Verdict> {
    let Recipient::Id(id) = to else {
        return None;
    };
    if !from.world.is_instrumented() {
        return None;
    }
    let routes = M::cell().routes();
    let ways = &from.world.subscriptions.fast_routes;
    let component = FastRoutes::guarded(ways.component(routes.place())?)?;
    let single = &mut Single {
        routes,
        message,
        reply: &mut None,
    };
    guard(from, M::FACTS, (component, id), place, single)
}

/// A message for the only component type that handles it, and the place of the answer.
struct Single<'a, M: Message> {
    routes: &'a Routes<M>,
    message: &'a mut M,
    reply: &'a mut Option<M::Reply>,
}

/// A [`Single`]. No closure, as less is compiled for each type.
trait AnySingle {
    /// Calls a component.
    fn call(&mut self, pool: &Pool, at: At, sent: &Sent<'_>) -> Ended;
}

impl<M: Message> AnySingle for Single<'_, M> {
    fn call(&mut self, pool: &Pool, at: At, sent: &Sent<'_>) -> Ended {
        match self.routes.run_single() {
            Some(run) => run.call(pool, at, self.message, sent, self.reply),
            None => FALL_BACK,
        }
    }
}

/// As [`call_guarded`], of a message whose type is not known here.
#[inline(never)]
fn guard(
    from: impl Origin,
    facts: &'static Facts,
    (component, id): (u32, MessageeId),
    place: &'static Location<'static>,
    message: &mut dyn AnySingle,
) -> Option<Verdict> {
    let to = Recipient::Id(id);
    let sent = from.sent_of(facts, &to, place);
    let world = sent.world;
    let pool = world.pools.get(component as usize)?.as_deref()?;
    let at = At::only(id).found(pool)?;
    match catch(|| message.call(pool, at, &sent)) {
        Ok((verdict, None)) if !world.kept.any() => verdict,
        Ok((verdict, error)) => {
            if verdict.is_some() {
                world.finish_single((pool, at), error, &sent);
            }
            verdict
        }
        Err(panic) => {
            if let Some(route) = sent.single_route() {
                world.panicked((pool, at), route, &sent, panic);
            }
            Some(Verdict::Failed)
        }
    }
}

impl World {
    /// The pool of the only component type that handles a message, if nobody hears it though somebody
    /// listens to its type.
    #[cold]
    #[inline(never)]
    fn pool_past(
        &self,
        component: u32,
        table: &RouteTable,
        to: MessageeId,
        from: Sender,
    ) -> Option<&Pool> {
        let component = FastRoutes::heard(component)?;
        if self.trace.is_on() || !self.subscriptions.are_passed(table, to, from) {
            return None;
        }
        let pool = self.pools.get(component as usize)?.as_deref()?;
        if self.subscriptions.are_traced() {
            // The recorder is full, and counts. What cannot be called goes on the long way.
            let slot = At::only(to).found(pool)?.slot_in(pool)?;
            if pool.is_busy(slot as usize, table.stop(component)?.route.shared) {
                return None;
            }
            self.trace.count(table.index);
        }
        Some(pool)
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
    let at = (pool, At::only(id));
    from.world().finish_single(at, Some(error), &sent);
}

/// As [`send`], the long way. The message is handed on at once, so that a call of the short way has
/// little code.
#[inline(never)]
pub(crate) fn send_in_full<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    mut message: M,
) -> Result<Receipt, SendError> {
    let mut rest = None;
    let replies = &mut Replies::Ignore;
    match send_to_pair(from, to, place, &mut message, replies, &mut rest) {
        Some(tally) => Ok(tally.receipt()),
        None => send_owned(from, M::FACTS, to, place, &mut Some(message), rest.as_ref()),
    }
}

/// Returns `true` if two component types handle a message, without an order among them.
#[inline]
pub(crate) fn is_pair<M: Message>() -> bool {
    M::cell().routes().pair().is_some()
}

/// The short way of a send to the two component types that handle a message. `None` when it has to be another
/// way, or to go on the long way from what is put to `rest`.
#[inline]
fn send_to_pair<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
    replies: &mut Replies<'_>,
    rest: &mut Option<Progress>,
) -> Option<Tally> {
    let routes = M::cell().routes();
    let (Recipient::Id(id), Some(runs)) = (to, routes.pair()) else {
        return None;
    };
    let world = from.world();
    if !from.is_clear() || !world.takes_pair(routes.place()) {
        return None;
    }
    let calls = Calls {
        to: id,
        pair: world.pair(routes.table()?, id)?,
        begun: world.counts(),
        sent: &from.sent_of(M::FACTS, &to, place),
    };
    call_pair(&calls, runs, message, replies, rest)
}

/// As [`send_in_full`], of a message whose type is not known here. `rest`: how far it has come already.
#[inline(never)]
fn send_owned(
    from: impl Origin,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn OwnedMessage,
    rest: Option<&Progress>,
) -> Result<Receipt, SendError> {
    let (sent, world) = (from.sent_of(facts, &to, place), from.world());
    match rest {
        None => world.send_in_full(&sent, message),
        Some(progress) => {
            let call = Call::new(&sent, Replies::Ignore, OnBusy::Keep);
            world.carry_on(call, Source::Owned(message), progress)
        }
    }
}

/// As [`send_mut`], the long way.
#[inline(never)]
fn send_mut_in_full<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
) -> Result<Receipt, SendError> {
    send_lent(from, M::FACTS, to, place, message)
}

/// As [`send_mut_in_full`], of a message whose type is not known here.
#[inline(never)]
fn send_lent(
    from: impl Origin,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn ErasedMessage,
) -> Result<Receipt, SendError> {
    let sent = from.sent_of(facts, &to, place);
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
    let mut first: Option<M::Reply> = None;
    let mut error = None;
    let replies = Replies::First(&mut first, &mut error);
    ask_owned(from, M::FACTS, to, place, &mut Some(message), replies)?;
    first.ok_or_else(|| unanswered::<M>(to, error))
}

/// As [`request_in_full`], with a message whose type is not known here.
#[inline(never)]
fn ask_owned(
    from: impl Origin,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn OwnedMessage,
    replies: Replies<'_>,
) -> Result<Receipt, SendError> {
    let sent = from.sent_of(facts, &to, place);
    from.world().request_in_full(&sent, message, replies)
}
