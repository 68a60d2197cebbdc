//! The short way of the most common sends: to one messagee, with a message that one component type
//! handles and no subscriber can hear. What does not fit is handed on as [`erased`](super::erased), to what is
//! compiled once for all types: the ways for two component types and for guarded panics, then the plain and the long
//! way. That is also what comes in between: a component that is busy, disabled or leaving, a messagee with
//! several of the type, one without any, or none at all.
//!
//! What all deliveries share ([`Sent`](super::call::Sent)) is made only when it is asked for: a
//! handler without a context never does. Origin and recipient are handed on by value, so that they are
//! written to memory only on the way that needs them there.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::{SendError, SendErrorKind, SharedError};
use crate::handler::routes::Routes;
use crate::handler::run::{At, Run};
use crate::handler::{HandlerError, RouteTable};
use crate::message::{Facts, Message, Request};
use crate::receipt::Receipt;
use crate::send::Sent;
use crate::send::call::{Call, OnBusy};
use crate::send::erased::{ErasedMessage, OwnedMessage, Replies, Source};
use crate::send::fast_routes::FastRoutes;
use crate::send::guarded::{AnySingle, ErasedSingle, Single, guard, guard_inline};
use crate::send::origin::Origin;
use crate::send::pair::Delivery;
use crate::send::plain::Progress;
use crate::send::verdict::Verdict;
use crate::storage::Pool;
use crate::trace::SentBy;
use crate::world::World;

/// Delivers a message to everybody at the recipient; a busy receiver gets it when it is free.
#[inline]
pub(crate) fn send<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: M,
) -> Result<Receipt, SendError> {
    // In its place from the beginning, so that it is not moved for the long way.
    let mut message = Some(message);
    if let Some(message) = &mut message
        && let Some(verdict) = call_single::<M, _, true>(from, to, place, message, &mut None)
    {
        return Ok(verdict.receipt());
    }
    send_owned(from, M::FACTS, to, place, &mut message)
}

/// Delivers an in–out message to everybody at the recipient.
#[inline]
pub(crate) fn send_mut<M: Message>(
    from: impl Origin,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
) -> Result<Receipt, SendError> {
    match call_single::<M, _, true>(from, to, place, message, &mut None) {
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
    match call_single::<M, _, true>(from, to, place, &mut message, &mut reply) {
        Some(verdict) => reply.ok_or_else(|| unanswered_after::<M>(from.world(), to, verdict)),
        None => request_in_full(from, to, place, message),
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
    SendErrorKind::NoAnswer { to, message, error }.into()
}

/// Calls the one component that a send without a header goes to. `None`, with nobody called, when it has to be
/// another way.
/// `GUARDS`: also where a panic ends with the component.
#[inline]
pub(crate) fn call_single<M: Message, O: Origin, const GUARDS: bool>(
    from: O,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Option<Verdict> {
    let Recipient::Id(id) = to else {
        return None;
    };
    let (routes, world) = (M::cell().routes(), from.world());
    if !from.is_clear() {
        return None;
    }
    let component = world.subscriptions.fast_routes.component(routes.place())?;
    let pool = match world.pools.get(component) {
        Some(pool) => pool,
        _ if GUARDS && FastRoutes::guarded(component).is_some() => {
            return call_guarded(from, routes, (component, id), place, message, reply);
        }
        _ if FastRoutes::may_be_heard(component) => {
            world.pool_past(component, routes.any_table()?, id, from.sender())?
        }
        _ => return None,
    };
    call_in(from, routes, (pool, id), place, message, reply)
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
    let (verdict, error) = match routes.run_single() {
        None => return None,
        Some(Run::Alone(run)) => run(pool, at, message, reply),
        Some(Run::InContext(run)) => {
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
    way: (u32, MessageeId),
    place: &'static Location<'static>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Option<Verdict> {
    let single = &mut Single {
        routes,
        message,
        reply,
    };
    call_guarded_by(from, M::FACTS, way, place, single)
}

/// As [`call_guarded`], of a message whose type is not known here.
#[inline(never)]
fn call_guarded_by(
    from: impl Origin,
    facts: &'static Facts,
    (way, id): (u32, MessageeId),
    place: &'static Location<'static>,
    single: &mut dyn AnySingle,
) -> Option<Verdict> {
    let to = Recipient::Id(id);
    guard_inline(&from.sent_of(facts, &to, place), (way, id), single)
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
        if !table.tags.is_empty() || self.subscriptions.are_traced() {
            return self.pool_past_closely(component, table, to, from);
        }
        if !self.subscriptions.are_passed(table, to, from) {
            return None;
        }
        self.pools.get(FastRoutes::unheard(component))
    }

    /// As [`pool_past`](Self::pool_past), where the type has tags, or deliveries are traced.
    #[cold]
    #[inline(never)]
    fn pool_past_closely(
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
        let pool = self.pools.get(component)?;
        if self.subscriptions.are_traced() {
            // The recorder is full, and counts. What cannot be called goes on the long way.
            let slot = pool.roster().at_hand(to)?;
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

/// As [`send`], not on the fast way.
#[inline(never)]
fn send_owned(
    from: impl Origin,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn OwnedMessage,
) -> Result<Receipt, SendError> {
    send_owned_inline(from, facts, to, place, message)
}

/// As [`send_owned`], to be inlined.
#[inline(always)]
#[allow(clippy::inline_always, reason = "the whole of its only caller")]
pub(crate) fn send_owned_inline(
    from: impl Origin,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn OwnedMessage,
) -> Result<Receipt, SendError> {
    let (sent, world) = (from.sent_of(facts, &to, place), from.world());
    let table = facts.table();
    if let (Recipient::Id(id), Some(table)) = (to, table)
        && from.is_clear()
        && let Some(way) = world.subscriptions.fast_routes.component(table.index)
    {
        let replies = &mut Replies::Ignore;
        if world.leads_to_pair(way) {
            let mut delivery = Delivery::of(&sent, message.get(), replies);
            if let Some(tally) = world.deliver_to_pair(table, id, &mut delivery) {
                return Ok(tally.receipt());
            }
            if let Some(progress) = delivery.rest {
                return carry_on_owned(&sent, message, &progress);
            }
        } else if FastRoutes::guarded(way).is_some() {
            let message = message.get();
            let mut single = ErasedSingle { message, replies };
            if let Some(verdict) = guard(&sent, (way, id), &mut single) {
                return Ok(verdict.receipt());
            }
        }
    }
    let by = SentBy::Plain;
    let (replies, source) = (Replies::Ignore, Source::Owned(message));
    world.send_by((&sent, table), by, replies, OnBusy::Keep, source)
}

/// As [`send`], the long way, on which it has come so far already.
#[cold]
#[inline(never)]
fn carry_on_owned(
    sent: &Sent<'_>,
    message: &mut dyn OwnedMessage,
    progress: &Progress,
) -> Result<Receipt, SendError> {
    let call = Call::new(sent, Replies::Ignore, OnBusy::Keep);
    sent.world.carry_on(call, Source::Owned(message), progress)
}

/// As [`send_mut`], the long way.
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
    let mut answer = Answer::none();
    answer.ask(from, to, place, message)?;
    answer.taken(to)
}

/// What those who were asked have answered.
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

    /// Asks everybody at the recipient, the long way.
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

    /// The first answer.
    #[inline]
    pub(crate) fn taken(self, to: Recipient) -> Result<M::Reply, SendError> {
        let Self { first, error } = self;
        first.ok_or_else(|| unanswered::<M>(to, error))
    }
}

/// As [`Answer::ask`], with a message whose type is not known here.
#[inline(never)]
fn ask_owned(
    from: impl Origin,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn OwnedMessage,
    replies: Replies<'_>,
) -> Result<(), SendError> {
    let (sent, world) = (from.sent_of(facts, &to, place), from.world());
    let mut replies = replies;
    // Asked in a handler, all of them have to be free before the first is asked.
    if from.running().is_none() && from.is_clear() {
        match ask_pair(&sent, message.get(), &mut replies) {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(progress) => {
                let call = Call::new(&sent, replies, OnBusy::Refuse);
                let carried = world.carry_on(call, Source::Owned(message), &progress);
                return carried.map(drop);
            }
        }
    }
    world.request_in_full(&sent, message, replies).map(drop)
}

/// Asks two components. Returns `false` if nobody was called, since it has to be the long way; an error is how far it
/// has come, if it goes on there.
#[inline]
fn ask_pair(
    sent: &Sent<'_>,
    message: &mut dyn ErasedMessage,
    replies: &mut Replies<'_>,
) -> Result<bool, Progress> {
    let (Recipient::Id(id), Some(table), world) = (*sent.to, sent.facts.table(), sent.world) else {
        return Ok(false);
    };
    let way = world.subscriptions.fast_routes.component(table.index);
    if !way.is_some_and(|way| world.leads_to_pair(way)) {
        return Ok(false);
    }
    let mut delivery = Delivery::of(sent, message, replies);
    let told = world.deliver_to_pair(table, id, &mut delivery);
    match delivery.rest {
        Some(progress) => Err(progress),
        None => Ok(told.is_some()),
    }
}
