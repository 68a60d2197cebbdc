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
use crate::error::{HandlerError, SendError, SendErrorKind};
use crate::handler::RouteTable;
use crate::handler::routes::CellRoute;
use crate::handler::run::Run;
use crate::message::{Facts, Message, MessageIndex, Request};
use crate::receipt::Receipt;
use crate::send::callee::Callee;
use crate::send::erased::{ErasedMessage, Lent, OwnedMessage, Replies};
use crate::send::origin::Origin;
use crate::send::plan::Stop;
use crate::send::verdict::Verdict;
use crate::send::{Frame, OnBusy, Sent};
use crate::storage::LayoutId;
use crate::world::Failures;

/// Delivers a message to everybody at the recipient. A busy receiver gets it when it is free.
#[inline]
pub(crate) fn send<'a, M: Message>(
    from: impl Origin<'a>,
    to: Recipient,
    place: &'static Location<'static>,
    message: M,
) -> Result<Receipt, SendError> {
    // In an `Option` from the beginning, so that it is not moved when it is passed on.
    let mut message = Some(message);
    if let Some(message) = &mut message {
        let verdict = call_single(from, to, place, message, &mut None);
        if verdict != Verdict::Busy {
            return Ok(verdict.receipt());
        }
    }
    send_in_full(from, M::FACTS, to, place, &mut message, OnBusy::Keep)
}

/// Delivers a message that [`call_single`] could not deliver.
#[inline(never)]
pub(crate) fn send_in_full<'a>(
    from: impl Origin<'a>,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn OwnedMessage,
    on_busy: OnBusy,
) -> Result<Receipt, SendError> {
    let sent = from.sent_of(facts, &to, place);
    sent.carry_out(Replies::Ignore, on_busy, message)
}

/// Delivers an in–out message to everybody at the recipient.
#[inline]
pub(crate) fn send_mut<'a, M: Message>(
    from: impl Origin<'a>,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
) -> Result<Receipt, SendError> {
    let verdict = call_single(from, to, place, message, &mut None);
    if verdict != Verdict::Busy {
        return Ok(verdict.receipt());
    }
    send_in_full(
        from,
        M::FACTS,
        to,
        place,
        &mut Lent(message),
        OnBusy::Refuse,
    )
}

/// Asks everybody at the recipient in turn until somebody answers.
#[inline]
pub(crate) fn request<'a, M: Request>(
    from: impl Origin<'a>,
    to: Recipient,
    place: &'static Location<'static>,
    mut message: M,
) -> Result<M::Reply, SendError> {
    let mut reply = None;
    match call_single(from, to, place, &mut message, &mut reply) {
        Verdict::Busy => request_in_full(from, to, place, message),
        verdict => {
            reply.ok_or_else(|| unanswered_after::<M>(&from.world().waiting.failures, to, verdict))
        }
    }
}

/// Like [`request`], for a request that is not over here.
#[inline(never)]
fn request_in_full<'a, M: Request>(
    from: impl Origin<'a>,
    to: Recipient,
    place: &'static Location<'static>,
    message: M,
) -> Result<M::Reply, SendError> {
    let (mut first, mut error) = (None, None);
    let replies = Replies::First(&mut first, &mut error);
    let sent = from.sent_of(M::FACTS, &to, place);
    sent.request(&mut Some(message), replies)?;
    let message = M::NAME;
    first.ok_or_else(|| SendErrorKind::NoAnswer { to, message, error }.into())
}

/// Returns the error of a request whose only receiver has not answered.
#[cold]
fn unanswered_after<M: Message>(failures: &Failures, to: Recipient, verdict: Verdict) -> SendError {
    let (message, failed) = (M::NAME, verdict == Verdict::Failed);
    let error = failed.then(|| failures.last()).flatten();
    SendErrorKind::NoAnswer { to, message, error }.into()
}

/// The only component that receives a message.
struct Single {
    id: MessageeId,
    slot: u32,
    stop: Stop,
}

impl Single {
    /// Returns the only component at the recipient that receives a message of that type, if it is known and nothing is
    /// unusual. Where panics are caught, it is only found if its caller does that.
    #[inline]
    fn find<'a>(
        from: impl Origin<'a>,
        to: Recipient,
        of: MessageIndex,
        table: impl FnOnce() -> Option<&'static RouteTable>,
        catches: bool,
    ) -> Option<Self> {
        let world = from.world();
        let id = match to {
            Recipient::Id(id) => id,
            Recipient::Mnemonic(mnemonic) => world.structure.addresses.bound(mnemonic)?,
            _ => return None,
        };
        if !from.is_clear() {
            return None;
        }
        let record = world.structure.messagees.here(id)?;
        let (subscriptions, layout) = (&world.listen.subscriptions, record.layout());
        let plans = &subscriptions.plans;
        let stop = match plans.single(of, layout) {
            Some(stop) => stop,
            None if plans.is_aside(of)
                && matches!(to, Recipient::Id(_))
                && (catches || subscriptions.is_clear()) =>
            {
                stop_aside(from, table()?, (id, layout))?
            }
            None => return None,
        };
        let slot = stop.slot_in(record)?;
        Some(Self { id, slot, stop })
    }
}

/// Returns the only stop of a message to a messagee though somebody listens to its type, if nobody hears the message,
/// and all that may have to be done around the send is to catch panics: W1-past.
#[cold]
fn stop_aside<'a>(
    from: impl Origin<'a>,
    table: &RouteTable,
    (to, layout): (MessageeId, LayoutId),
) -> Option<Stop> {
    let subscriptions = &from.world().listen.subscriptions;
    let posted = from.extras().posted;
    let is_tagged =
        !table.tags.is_empty() || posted.is_some_and(|posted| !posted.mark.tags.is_empty());
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

/// Calls the only component that a send goes to. Returns [`Verdict::Busy`], with nobody called, if there is none or
/// another, or if anything is unusual.
#[inline]
pub(crate) fn call_single<'a, M: Message>(
    from: impl Origin<'a>,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Verdict {
    let (routes, world) = (M::cell().routes(), from.world());
    let single = Single::find(from, to, routes.index, || routes.table, false);
    let Some(single) = single else {
        if world.listen.subscriptions.only_catches(routes.index) {
            // A place of its own, since `reply` would otherwise be in memory for every send: W1.
            let mut first = None;
            let verdict = call_caught(from, to, place, message, &mut first);
            *reply = first;
            return verdict;
        }
        return Verdict::Busy;
    };
    let Some(CellRoute { run, component }) = routes.route(single.stop.route) else {
        return Verdict::Busy;
    };
    let Some(pool) = world.structure.pools.get(*component) else {
        return Verdict::Busy;
    };
    let Single { id, slot, .. } = single;
    if !pool.is_at_hand(slot) {
        return Verdict::Busy;
    }
    let (verdict, error) = match *run {
        Run::Alone(run) => run(pool, slot, message, reply),
        Run::InContext(run) => {
            let sent = from.sent_of(M::FACTS, &to, place);
            let mut context = Context::new(Frame::at(pool, slot, id, &sent));
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

/// Calls the only component that a send goes to, and catches its panic: W1-unhook, W3-unhook, W8-unhook.
#[cold]
fn call_caught<'a, M: Message>(
    from: impl Origin<'a>,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Verdict {
    let mut error = None;
    let sent = from.sent_of(M::FACTS, &to, place);
    call_erased(
        from,
        to,
        &sent,
        message,
        &mut Replies::First(reply, &mut error),
    )
}

/// Calls the only component that a send goes to, for a message whose type is not known. Also catches a panic.
#[inline(never)]
pub(crate) fn call_erased<'a>(
    from: impl Origin<'a>,
    to: Recipient,
    sent: &Sent<'_>,
    message: &mut dyn ErasedMessage,
    replies: &mut Replies<'_>,
) -> Verdict {
    let Some(table) = sent.facts.table() else {
        return Verdict::Busy;
    };
    let Some(single) = Single::find(from, to, table.index, || Some(table), true) else {
        return Verdict::Busy;
    };
    let callee = Callee {
        route: table.route(single.stop.route),
        pool: sent.world.structure.pools.at(single.stop.component.into()),
        slot: single.slot,
    };
    if !callee.is_at_hand() {
        return Verdict::Busy;
    }
    sent.call(callee, message, replies)
}

/// Handles the consequences of the call of the only component of a messagee that receives a message. It is
/// looked up again, so that nothing has to be kept for this during the call.
#[cold]
pub(crate) fn settle_single(sent: &Sent<'_>, id: MessageeId, error: Option<Box<HandlerError>>) {
    if let [spot] = *sent.receivers_at(id)
        && let Some(callee) = sent.callee(spot)
    {
        sent.settle(callee, error);
    }
}

/// Reports a failure.
#[cold]
fn fail<'a>(
    from: impl Origin<'a>,
    facts: &'static Facts,
    (to, id): (Recipient, MessageeId),
    place: &'static Location<'static>,
    error: Box<HandlerError>,
) {
    settle_single(&from.sent_of(facts, &to, place), id, Some(error));
}
