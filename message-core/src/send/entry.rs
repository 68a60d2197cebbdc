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
use crate::handler::routes::Routes;
use crate::handler::run::Run;
use crate::message::{Facts, Message, MessageIndex};
use crate::send::{Callee, Ended, Frame, Origin, ReceiverSlot, Sent, SingleStop, Verdict};
use crate::storage::{LayoutId, Record};
use crate::world::World;

/// Calls the only component that a send goes to. Returns [`Verdict::NotCalled`], with nobody called, unless exactly one
/// component receives the message and nothing is unusual. There is no origin if each send is delivered in full.
#[inline(always)] // The usual case of a sending line: W1, W3, W8.
pub(crate) fn call_single<'a, M: Message>(
    from: Option<impl Origin<'a>>,
    to: Recipient,
    place: &'static Location<'static>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Verdict {
    let Some(from) = from else {
        return Verdict::NotCalled;
    };
    let known = M::cell().known();
    let Routes { index, table } = known.routes;
    let Some(single) = Single::find(from, to, index) else {
        return Verdict::NotCalled;
    };
    let id = single.id;
    let (component, run, slot) = match single.stop.slot_of_first(single.record) {
        Some(slot) => (known.component, known.run, slot),
        None => match single.route_and_slot(from, to, index, table) {
            Some((0, slot)) => (known.component, known.run, slot),
            Some((route, slot)) => match known.routes.typed(route) {
                Some((component, &run)) => (component, run, slot),
                None => return Verdict::NotCalled,
            },
            None => return Verdict::NotCalled,
        },
    };
    let Some(pool) = from.world().structure.pools.get(component) else {
        return Verdict::NotCalled;
    };
    if !pool.is_at_hand(slot) {
        return Verdict::NotCalled;
    }
    if !from.world().listen.subscriptions.is_clear() {
        let at = ReceiverSlot { component, slot };
        return call_caught(from, M::FACTS, to, place, at, &mut |sent| match run {
            Run::Alone(run) => run(pool, slot, message, reply),
            Run::InContext(run) => {
                let mut context = Context::new(Frame::at(pool, slot, id, sent));
                run(pool, message, &mut context, reply)
            }
            Run::Unknown => Ended::NotCalled,
        });
    }
    match run {
        Run::Alone(run) => {
            let ended = run(pool, slot, message, reply);
            let verdict = ended.verdict();
            if let Ended::Failed(error) = ended {
                fail(from, M::FACTS, to, place, error);
            }
            verdict
        }
        Run::InContext(run) => {
            let sent = from.sent_of(M::FACTS, to, place);
            let mut context = Context::new(Frame::at(pool, slot, id, &sent));
            let ended = run(pool, message, &mut context, reply);
            sent.settle_at(context.frame.spot, ended)
        }
        Run::Unknown => Verdict::NotCalled,
    }
}

/// Ends [`call_single`] where a panic ends with its component: W1-unhook, W3-unhook, W8-unhook. Compiled once.
#[cold]
#[inline(never)]
fn call_caught<'a>(
    from: impl Origin<'a>,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    at: ReceiverSlot,
    run: &mut dyn FnMut(&Sent<'_>) -> Ended,
) -> Verdict {
    let sent = from.sent_of(facts, to, place);
    match catch(|| run(&sent)) {
        Ok(ended) => sent.settle_at(at, ended),
        Err(panic) => sent.end_panicked_at(at, panic),
    }
}

/// Ends [`call_single`] after a failure of a handler that takes no context.
#[cold]
#[inline(never)]
fn fail<'a>(
    from: impl Origin<'a>,
    facts: &'static Facts,
    to: Recipient,
    place: &'static Location<'static>,
    error: Box<HandlerError>,
) {
    from.sent_of(facts, to, place).fail(error);
}

impl<'a> Sent<'a> {
    /// Returns the only component that the send goes to, if it is known, nobody hears the message, and nothing is unusual
    /// except that a panic may have to be caught: W5-header.
    #[inline]
    pub(crate) fn single_callee(&self, table: &'a RouteTable) -> Option<Callee<'a>> {
        let single = Single::find(self, self.to, table.index)?;
        let (route, slot) = single.route_and_slot(self, self.to, table.index, Some(table))?;
        let route = table.route(route);
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
            self.report(&callee, error);
        }
    }
}

/// A messagee, and the only component of it that receives a message.
struct Single<'a> {
    id: MessageeId,
    record: &'a Record,
    /// Unknown if something has to be done around the send.
    stop: SingleStop,
}

impl<'a> Single<'a> {
    /// Returns the messagee at the recipient and the only component of it that receives a message of a type, if a send from
    /// here needs no checks.
    #[inline(always)] // The usual case of a sending line: W1, W3, W8.
    fn find(from: impl Origin<'a>, to: Recipient, message: MessageIndex) -> Option<Self> {
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
        let stop = listen.subscriptions.plans.single(message, record.layout());
        Some(Self { id, record, stop })
    }

    /// Returns the number of the route and the slot of the component, if nobody hears the message.
    #[inline]
    fn route_and_slot(
        self,
        from: impl Origin<'a>,
        to: Recipient,
        message: MessageIndex,
        table: Option<&RouteTable>,
    ) -> Option<(u16, u32)> {
        let Self { id, record, stop } = self;
        if stop != SingleStop::NONE {
            return stop.route_and_slot(record);
        }
        let plans = &from.world().listen.subscriptions.plans;
        let table = table.filter(|_| plans.is_aside(message))?;
        let stop = stop_aside(from, table, to, id, record.layout());
        stop.route_and_slot(record)
    }
}

/// Returns the only stop of a message to a messagee though somebody listens to its type, if nobody hears the message:
/// W1-past.
#[cold]
fn stop_aside<'a>(
    from: impl Origin<'a>,
    table: &RouteTable,
    to: Recipient,
    id: MessageeId,
    layout: LayoutId,
) -> SingleStop {
    let subscriptions = &from.world().listen.subscriptions;
    let posted = from.extras().posted;
    let is_tagged =
        !table.tags.is_empty() || posted.is_some_and(|posted| !posted.mark.tags.is_empty());
    let is_passed = matches!(to, Recipient::Id(_))
        && subscriptions.at_most_catches()
        && subscriptions.are_passed(table.index, is_tagged, from.sender(), id);
    if is_passed {
        subscriptions.plans.known_single(table.index, layout)
    } else {
        SingleStop::NONE
    }
}
