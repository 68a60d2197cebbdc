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
use crate::message::{Facts, Message, Request};
use crate::receipt::Receipt;
use crate::send::erased::{Lent, OwnedMessage, Replies};
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

/// The only component of a messagee that receives a message.
struct Single {
    id: MessageeId,
    slot: u32,
    stop: Stop,
}

impl Single {
    /// Returns the only component at the recipient that receives a message, if `stop` finds the stop for it, and a send
    /// from here needs no checks.
    #[inline]
    fn find<'a>(
        from: impl Origin<'a>,
        to: Recipient,
        stop: impl FnOnce(MessageeId, LayoutId) -> Option<Stop>,
    ) -> Option<Self> {
        let structure = &from.world().structure;
        let id = match to {
            Recipient::Id(id) => id,
            Recipient::Mnemonic(mnemonic) => structure.addresses.bound(mnemonic)?,
            _ => return None,
        };
        if !from.is_clear() {
            return None;
        }
        let record = structure.messagees.here(id)?;
        let stop = stop(id, record.layout())?;
        let slot = stop.slot_in(record)?;
        Some(Self { id, slot, stop })
    }
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
    let (subscriptions, of) = (&world.listen.subscriptions, routes.index);
    let plans = &subscriptions.plans;
    let single = Single::find(from, to, |id, layout| {
        let stop = plans.single(of, layout);
        if stop.is_none() && plans.is_aside(of) {
            return stop_aside(from, to, routes.table?, (id, layout));
        }
        stop
    });
    let Some(Single { id, slot, stop }) = single else {
        return Verdict::Busy;
    };
    let Some(CellRoute { run, component }) = routes.route(stop.route) else {
        return Verdict::Busy;
    };
    let Some(pool) = world.structure.pools.get(component) else {
        return Verdict::Busy;
    };
    if !pool.is_at_hand(slot) {
        return Verdict::Busy;
    }
    let (verdict, error) = match run {
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

/// Returns the only stop of a message to a messagee though somebody listens to its type, if nobody hears the message:
/// W1-past.
#[cold]
fn stop_aside<'a>(
    from: impl Origin<'a>,
    to: Recipient,
    table: &RouteTable,
    (id, layout): (MessageeId, LayoutId),
) -> Option<Stop> {
    let subscriptions = &from.world().listen.subscriptions;
    let posted = from.extras().posted;
    let is_tagged =
        !table.tags.is_empty() || posted.is_some_and(|posted| !posted.mark.tags.is_empty());
    let is_passed = matches!(to, Recipient::Id(_))
        && subscriptions.is_clear()
        && subscriptions.are_passed(table.index, is_tagged, from.sender(), id);
    let plans = is_passed.then_some(&subscriptions.plans)?;
    plans.known_single(table.index, layout)
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
