//! Where a send begins. If exactly one component of a messagee receives the message, nobody listens and
//! nothing is unusual, the send is over here: W1, W3-out, W8. Everything else is [delivered](super::deliver) in full.
//!
//! Compiled once for all message types: a call that sends compiles to little more than the message and one call from here.
//! [`Sent`], which all deliveries of a send share, is made only when it is needed: a handler without a
//! context never needs it. The origin and the recipient are passed by value, so that they are written to
//! memory only where that is necessary.

use std::panic::Location;

use crate::address::{MessageeId, Recipient};
use crate::context::Context;
use crate::error::{HandlerError, SendError};
use crate::handler::RouteTable;
use crate::handler::run::Run;
use crate::message::{AnyMessage, Facts};
use crate::receipt::Receipt;
use crate::send::erased::{OwnedMessage, Replies};
use crate::send::origin::Origin;
use crate::send::plan::Stop;
use crate::send::verdict::Verdict;
use crate::send::{Frame, OnBusy, Sent};
use crate::storage::LayoutId;

/// Delivers a message that [`call_single`] could not deliver to everybody at the recipient. With [`OnBusy::Keep`], a busy
/// receiver gets it when it is free.
#[inline]
pub(crate) fn deliver<'a>(
    from: impl Origin<'a>,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn OwnedMessage,
    replies: Replies<'_>,
    on_busy: OnBusy,
) -> Result<Receipt, SendError> {
    let sent = from.sent_of(facts, &to, place);
    sent.carry_out(replies, on_busy, message)
}

/// Calls the only component that a send goes to. Returns [`Verdict::Busy`], with nobody called, if there is none or
/// another, or if anything is unusual.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "the usual case of a sending line: W1, W3, W8"
)]
pub(crate) fn call_single<'a>(
    from: impl Origin<'a>,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn AnyMessage,
    replies: &mut Replies<'_>,
) -> Verdict {
    let (plans, routes) = (&from.world().listen.subscriptions.plans, facts.routes());
    let single = Single::find(from, to, |id, layout| {
        let stop = plans.single(routes.index, layout);
        if stop.is_none() && plans.is_aside(routes.index) {
            return stop_aside(from, routes.table?, to, (id, layout));
        }
        stop
    });
    let Some(single) = single else {
        return Verdict::Busy;
    };
    let Some((component, run)) = routes.run(single.stop.route) else {
        return Verdict::Busy;
    };
    let Some(pool) = from.world().structure.pools.get(component) else {
        return Verdict::Busy;
    };
    if !pool.is_at_hand(single.slot) {
        return Verdict::Busy;
    }
    match run {
        Run::Alone(run) => {
            let (verdict, error) = run(pool, single.slot, message, replies);
            if let Some(error) = error {
                let to = to;
                let sent = from.sent_of(facts, &to, place);
                settle_single(&sent, single.id, Some(error), replies);
            }
            verdict
        }
        Run::InContext(run) => {
            // A copy, so that the recipient itself stays in registers.
            let to = to;
            let sent = from.sent_of(facts, &to, place);
            let mut context = Context::new(Frame::at(pool, single.slot, single.id, &sent));
            let (verdict, error) = run(pool, message, &mut context, replies);
            if error.is_some() || sent.world.waiting.kept.any() {
                settle_single(&sent, single.id, error, replies);
            }
            verdict
        }
    }
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
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "the usual case of a sending line: W1, W3, W8"
    )]
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

/// Returns the only stop of a message to a messagee though somebody listens to its type, if nobody hears the message:
/// W1-past.
#[cold]
fn stop_aside<'a>(
    from: impl Origin<'a>,
    table: &RouteTable,
    to: Recipient,
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
pub(crate) fn settle_single(
    sent: &Sent<'_>,
    id: MessageeId,
    error: Option<Box<HandlerError>>,
    replies: &mut Replies<'_>,
) {
    let has_failed = error.is_some();
    if let [spot] = *sent.receivers_at(id)
        && let Some(callee) = sent.callee(spot)
    {
        sent.settle(callee, error);
    }
    if has_failed {
        replies.take_error(&sent.world.waiting.failures);
    }
}
