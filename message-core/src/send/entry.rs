//! Where a send begins. If exactly one component of a messagee receives the message, nobody hears it and
//! nothing is unusual, the send is over here: W1, W3-out, W8. Everything else is [delivered](super::deliver) in full.
//!
//! The usual case is compiled for each sending line, with one exit to the rest, which is compiled once for all message types.
//! [`Sent`], which all deliveries of a send share, is made only when it is needed: a handler without a
//! context never needs it. The origin and the recipient are passed by value, so that they are written to
//! memory only where that is necessary.

use std::panic::Location;

use crate::address::{MessageeId, Recipient};
use crate::caught::catch;
use crate::context::Context;
use crate::error::HandlerError;
use crate::handler::RouteTable;
use crate::handler::routes::known_run;
use crate::handler::run::{Run, context_of};
use crate::message::OwnedMessage;
use crate::message::{Facts, Message, MessageIndex};
use crate::send::callee::Callee;
use crate::send::erased::Replies;
use crate::send::origin::Origin;
use crate::send::plan::Stop;
use crate::send::verdict::Verdict;
use crate::send::{Delivered, Frame, OnBusy, ReceiverSlot, Sent};
use crate::storage::{LayoutId, Pool};
use crate::world::World;

/// Delivers a message that [`call_single`] could not deliver to everybody at the recipient. With [`OnBusy::Keep`], a busy
/// receiver gets it when it is free.
#[inline]
pub(crate) fn deliver<'a>(
    from: impl Origin<'a>,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut dyn OwnedMessage,
    replies: &mut Replies<'_>,
    on_busy: OnBusy,
) -> Delivered {
    from.sent_of(facts, to, place)
        .carry_out(replies, on_busy, message)
}

/// Calls the only component that a send goes to, as [`Speaker::call_single`](super::Speaker::call_single) does.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "the usual case of a sending line: W1, W3, W8"
)]
pub(crate) fn call_single<'a, M: Message>(
    from: impl Origin<'a>,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Verdict {
    let routes = M::FACTS.routes();
    let single = Single::find(from, to, routes.index, routes.table);
    let Some(Single { id, slot, stop }) = single else {
        return Verdict::Busy;
    };
    let known = match stop.route {
        0 => M::cell().first().as_ref().map(|(of, run)| (*of, run)),
        route => known_run(route),
    };
    let Some((component, &run)) = known else {
        return Verdict::Busy;
    };
    let Some(pool) = from.world().structure.pools.get(component) else {
        return Verdict::Busy;
    };
    if !pool.is_at_hand(slot) {
        return Verdict::Busy;
    }
    let is_clear = from.world().listen.subscriptions.is_clear();
    if let Run::Alone(run) = run
        && is_clear
    {
        let (verdict, error) = run(pool, slot, message, reply);
        if let Some(error) = error {
            from.sent_of(M::FACTS, to, place).fail(error);
        }
        return verdict;
    }
    let sent = from.sent_of(M::FACTS, to, place);
    if let Run::InContext(run) = run
        && is_clear
    {
        let mut context = Context::new(Frame::at(pool, slot, id, &sent));
        let (verdict, error) = run(pool, message, &mut context, reply);
        if error.is_some() || sent.world.waiting.kept.any() {
            sent.settle_at(context.frame.spot, error);
        }
        return verdict;
    }
    call_caught(&sent, pool, slot, run, message, reply)
}

/// Ends [`call_single`] where a panic ends with its component: W1-unhook, W3-unhook, W8-unhook.
#[cold]
#[inline(never)]
fn call_caught<M: Message>(
    sent: &Sent<'_>,
    pool: &Pool,
    slot: u32,
    run: Run<M>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Verdict {
    let ended = catch(|| match run {
        Run::Alone(run) => run(pool, slot, message, reply),
        Run::InContext(run) => run(pool, message, &mut context_of(pool, slot, sent), reply),
    });
    match ended {
        Ok((verdict, None)) if !sent.world.waiting.kept.any() => verdict,
        Ok((verdict, error)) => {
            sent.settle_at(spot_in(pool, slot), error);
            verdict
        }
        Err(panic) => sent.end_receiver(spot_in(pool, slot), panic),
    }
}

impl<'a> Sent<'a> {
    /// Returns the only component that the send goes to, if it is known, nobody hears the message, and nothing is unusual
    /// except that a panic may have to be caught: W5-header.
    #[inline]
    pub(crate) fn single_callee(&self, table: &'a RouteTable) -> Option<Callee<'a>> {
        let Single { slot, stop, .. } = Single::find(self, self.to, table.index, Some(table))?;
        let route = table.route(stop.route);
        let pool = self.world.structure.pools.get(route.component)?;
        let callee = Callee { route, pool, slot };
        callee.is_at_hand().then_some(callee)
    }

    /// Reports the failure of the only component that received the message, whose handler takes no context.
    #[cold]
    pub(crate) fn fail(&self, error: Box<HandlerError>) {
        // Found again, so that nothing has to be kept for this during the call.
        let table = self.facts.table();
        if let Some(callee) = table.and_then(|table| self.single_callee(table)) {
            self.settle(callee, Some(error));
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
    /// Returns the only component at the recipient that receives a message of a type, if it is known, nobody hears the
    /// message, and a send from here needs no checks.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "the usual case of a sending line: W1, W3, W8"
    )]
    fn find<'a>(
        from: impl Origin<'a>,
        to: Recipient,
        message: MessageIndex,
        table: Option<&RouteTable>,
    ) -> Option<Self> {
        let World {
            structure, listen, ..
        } = from.world();
        let id = match to {
            Recipient::Id(id) => id,
            Recipient::Mnemonic(mnemonic) => structure.addresses.bound(mnemonic)?,
            _ => return None,
        };
        if !from.needs_no_checks() {
            return None;
        }
        let record = structure.messagees.here(id)?;
        let (plans, layout) = (&listen.subscriptions.plans, record.layout());
        let stop = match plans.single(message, layout) {
            None if plans.is_aside(message) => stop_aside(from, table?, to, (id, layout)),
            stop => stop,
        }?;
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
        && subscriptions.at_most_catches()
        && subscriptions.are_passed(table.index, is_tagged, from.sender(), id);
    let plans = is_passed.then_some(&subscriptions.plans)?;
    plans.known_single(table.index, layout)
}

fn spot_in(pool: &Pool, slot: u32) -> ReceiverSlot {
    let component = pool.component();
    ReceiverSlot { component, slot }
}
