//! The one place where a handler is called: [`invoke`], reached by [`run_one`] for a component
//! that is addressed and by [`run_all`] for all of a type.
//!
//! Both exist once for each pair of component and message type, so that the handler inlines into
//! them; for `run_all`, into the loop over the pool.
#![allow(
    clippy::inline_always,
    reason = "one handler's whole delivery in one function: a fifth of a nested send; measured"
)]

use std::ops::ControlFlow;

use crate::address::{MessageeId, Recipient};
use crate::context::Context;
use crate::error::SharedError;
use crate::handler::{Access, HandlerError, Outcome, Receives};
use crate::lifecycle::HandlerFailed;
use crate::message::Message;
use crate::report::Report;
use crate::send::Sent;
use crate::send::call::{Call, Frame, LeavingTarget, ReceiverSlot, Tally, receiver_at};
use crate::send::erased::{ErasedMessage, Replies};
use crate::send::fast::{Ended, FALL_BACK, ended};
use crate::send::verdict::{Verdict, count};
use crate::storage::{AnyPool, Pool, Store};
use crate::trace::PassedOver;
use crate::world::World;

/// [`run_one`] for one pair of types.
pub(crate) type RunOne<M> =
    fn(&dyn AnyPool, u32, &mut M, &Sent<'_>, &mut Option<<M as Message>::Reply>) -> Verdict;

/// Delivers a message to the only component of its kind that a messagee has. `None`, with nothing
/// called, when that needs the long way.
pub(crate) enum RunSingle<M: Message> {
    /// [`run_alone`] for one pair of types: the handler takes no context.
    Alone(RunAlone<M>),
    /// [`run_in_context`] for one pair of types.
    InContext(RunInContext<M>),
    /// There is no route, or more than one.
    Nobody,
}

type RunAlone<M> =
    fn(&dyn AnyPool, MessageeId, &mut M, &mut Option<<M as Message>::Reply>) -> Ended;

type RunInContext<M> =
    fn(&dyn AnyPool, MessageeId, &mut M, &Sent<'_>, &mut Option<<M as Message>::Reply>) -> Ended;

impl<M: Message> RunSingle<M> {
    pub(crate) const fn of<C: Receives<M>>() -> Self {
        if C::HANDLER.takes_context {
            Self::InContext(run_in_context::<C, M>)
        } else {
            Self::Alone(run_alone::<C, M>)
        }
    }
}

impl<M: Message> Clone for RunSingle<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Message> Copy for RunSingle<M> {}

/// [`run_all`] for one pair of types.
pub(crate) type RunAll<M> = fn(&dyn AnyPool, usize, &mut M, &mut Call<'_>) -> ControlFlow<()>;

fn run_alone<C: Receives<M>, M: Message>(
    pool: &dyn AnyPool,
    id: MessageeId,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Ended {
    let pool = Pool::<C>::of(pool);
    let outcome = pool.roster().at_hand(id);
    let outcome = outcome.and_then(|slot| call_alone::<C, M>(pool, slot, message));
    ended(outcome, reply)
}

/// Calls the handler of the component in a slot without a context. `None`, with nothing called, when
/// the handler takes one or the component is busy.
#[inline]
pub(crate) fn call_alone<C: Receives<M>, M: Message>(
    pool: &Pool<C>,
    slot: u32,
    message: &mut M,
) -> Option<Outcome<M::Reply>> {
    let mut call = |this: &mut C| C::receive_alone(C::Access::of(this), message).ok();
    // A shared borrow asks more questions. Where only that would do, it is the long way's.
    match pool.store() {
        Store::Packed(values) => call(&mut values.try_borrow_mut().ok()?[slot as usize]),
        Store::Celled(cells) => call(&mut *cells[slot as usize].try_borrow_mut().ok()?),
    }
}

fn run_in_context<C: Receives<M>, M: Message>(
    pool: &dyn AnyPool,
    id: MessageeId,
    message: &mut M,
    sent: &Sent<'_>,
    reply: &mut Option<M::Reply>,
) -> Ended {
    let pool = Pool::<C>::of(pool);
    let Some(slot) = pool.roster().at_hand(id) else {
        return FALL_BACK;
    };
    let Store::Celled(cells) = pool.store() else {
        return FALL_BACK;
    };
    let outcome = C::Access::with(&cells[slot as usize], |this| {
        invoke::<C, M>(pool, || (id, slot), this, message, sent)
    });
    ended(outcome, reply)
}

/// Delivers a message to one component, if it is enabled.
pub(crate) fn run_one<C: Receives<M>, M: Message>(
    pool: &dyn AnyPool,
    slot: u32,
    message: &mut M,
    sent: &Sent<'_>,
    reply: &mut Option<M::Reply>,
) -> Verdict {
    let pool = Pool::<C>::of(pool);
    let slot = slot as usize;
    let is_left_out = if pool.roster().has_exceptions() {
        is_left_out(pool, slot, sent)
    } else {
        slot >= pool.roster().active()
    };
    if is_left_out {
        return Verdict::NotReceived;
    }
    let outcome = match pool.store() {
        Store::Celled(cells) => C::Access::with(&cells[slot], |this| {
            invoke::<C, M>(pool, || pool.roster().who(slot), this, message, sent)
        }),
        Store::Packed(values) => {
            check_packed::<C, M>();
            C::Access::at(values, slot, |this| {
                invoke::<C, M>(pool, || pool.roster().who(slot), this, message, sent)
            })
        }
    };
    match outcome {
        Some(outcome) => finish::<C, M>(outcome, pool, slot, sent, reply),
        None => Verdict::Busy,
    }
}

/// Delivers a message to every enabled component of a pool, in storage order, by the route at that
/// position. Breaks when nobody else shall receive it.
pub(crate) fn run_all<C: Receives<M>, M: Message>(
    pool: &dyn AnyPool,
    route: usize,
    message: &mut M,
    call: &mut Call<'_>,
) -> ControlFlow<()> {
    let sent = call.sent;
    let typed = Pool::<C>::of(pool);
    if typed.roster().has_exceptions()
        || matches!(sent.to, Recipient::EveryoneElse)
        || sent.world.is_instrumented()
    {
        return run_chosen(pool, 0, route, message, call);
    }
    // Counted apart from the call, which is elsewhere in memory.
    let mut tally = Tally::default();
    let flow = match typed.store() {
        Store::Celled(cells) => {
            let mut flow = ControlFlow::Continue(());
            for (slot, cell) in cells[..typed.roster().active()].iter().enumerate() {
                let outcome = C::Access::with(cell, |this| {
                    invoke::<C, M>(typed, || typed.roster().who(slot), this, message, sent)
                });
                flow = match outcome {
                    Some(outcome) => {
                        take_in::<C, M>(outcome, typed, slot, sent, &mut call.replies, &mut tally)
                    }
                    None => call.meet_busy(pool, slot),
                };
                // A handler may have marked those behind it, or have sent to them.
                if flow.is_continue() && C::HANDLER.takes_context && typed.roster().has_exceptions()
                {
                    flow = run_chosen(pool, slot + 1, route, message, call);
                    break;
                }
                if flow.is_break() {
                    break;
                }
            }
            flow
        }
        Store::Packed(values) => {
            check_packed::<C, M>();
            let walked = C::Access::walk(values, typed.roster().active(), |slot, this| {
                let outcome =
                    invoke::<C, M>(typed, || typed.roster().who(slot), this, message, sent);
                take_in::<C, M>(outcome, typed, slot, sent, &mut call.replies, &mut tally)
            });
            walked.unwrap_or_else(|| meet_all_busy(pool, typed.roster().active(), call))
        }
    };
    call.tally.add(tally);
    flow
}

/// The end of one delivery of many. Breaks when nobody else shall receive the message.
#[inline(always)]
fn take_in<C: Receives<M>, M: Message>(
    outcome: Outcome<M::Reply>,
    pool: &Pool<C>,
    slot: usize,
    sent: &Sent<'_>,
    replies: &mut Replies<'_>,
    tally: &mut Tally,
) -> ControlFlow<()> {
    let mut reply = None;
    let verdict = finish::<C, M>(outcome, pool, slot, sent, &mut reply);
    if let Some(reply) = reply {
        replies.take(pool.roster().who(slot).0, reply);
    }
    count(verdict, sent.world, replies, tally)
}

/// None of the first components of a pool can be called.
#[cold]
fn meet_all_busy(pool: &dyn AnyPool, active: usize, call: &mut Call<'_>) -> ControlFlow<()> {
    (0..active).try_for_each(|slot| call.meet_busy(pool, slot))
}

/// As the loop of [`run_all`], from a slot on, where some components are to be left out.
#[cold]
#[inline(never)]
fn run_chosen(
    pool: &dyn AnyPool,
    from: usize,
    route: usize,
    message: &mut dyn ErasedMessage,
    call: &mut Call<'_>,
) -> ControlFlow<()> {
    let sent = call.sent;
    // Tracing also records skipped receivers.
    let instrumented = sent.world.is_instrumented();
    // With exceptions, some behind the active ones may have been enabled.
    let end = if instrumented || pool.roster().has_exceptions() {
        pool.roster().len()
    } else {
        pool.roster().active()
    };
    (from..end)
        .filter(|&slot| instrumented || !is_left_out(pool, slot, sent))
        .try_for_each(|slot| {
            if let Some(flow) = call.except(pool, slot) {
                return flow;
            }
            let at = (pool, ReceiverSlot::new(pool, slot).slot);
            let verdict = sent
                .world
                .hand_to_one(route, at, message, sent, &mut call.replies);
            call.take(verdict, pool, slot)
        })
}

/// Calls the handler of a component. `who` tells whose it is and in which slot, if that is asked for.
#[inline(always)]
fn invoke<C: Receives<M>, M: Message>(
    pool: &Pool<C>,
    who: impl FnOnce() -> (MessageeId, u32),
    this: <C::Access as Access>::Borrow<'_, C>,
    message: &mut M,
    sent: &Sent<'_>,
) -> Outcome<M::Reply> {
    C::receive_alone(this, message).unwrap_or_else(|this| {
        let (me, slot) = who();
        let mut context = Context::new(Frame {
            sent,
            me: Some(me),
            spot: ReceiverSlot {
                component: pool.roster().component(),
                slot,
            },
        });
        C::receive(this, message, &mut context)
    })
}

/// Components whose handlers take a context are stored in cells. Known when compiling, so that
/// the handler is not compiled into the other arm too.
#[inline]
fn check_packed<C: Receives<M>, M: Message>() {
    assert!(
        !C::HANDLER.takes_context,
        "a component that can be busy has a cell of its own"
    );
}

/// The end of a delivery: what became of it, and what was kept for the component meanwhile.
#[inline(always)]
fn finish<C: Receives<M>, M: Message>(
    outcome: Outcome<M::Reply>,
    pool: &Pool<C>,
    slot: usize,
    sent: &Sent<'_>,
    reply: &mut Option<M::Reply>,
) -> Verdict {
    let verdict = Verdict::of(outcome, reply).unwrap_or_else(|error| {
        report(error, C::HANDLER.method, pool, slot, sent);
        Verdict::Failed
    });
    // Only a handler with a context can have led to messages for itself.
    if C::HANDLER.takes_context && sent.world.kept.any() {
        deliver_kept(pool, slot, sent);
    }
    verdict
}

impl World {
    /// Reports the failure of a handler that was called on the short way, and delivers what was kept
    /// for its component meanwhile.
    pub(crate) fn finish_single(&self, error: Option<HandlerError>, sent: &Sent<'_>) {
        let route = sent.facts.table().and_then(|table| table.all().first());
        let Recipient::Id(id) = *sent.to else { return };
        if let Some(route) = route
            && let Some(record) = self.messagees.get(id)
            && let Some(hook) = record
                .hooks
                .iter()
                .find(|hook| hook.component == route.component)
        {
            let (pool, slot) = (self.pool(hook.component), hook.slot as usize);
            if let Some(error) = error {
                report(error, route.method, pool, slot, sent);
            }
            if self.kept.any() {
                deliver_kept(pool, slot, sent);
            }
        }
    }
}

/// Counts a handler that has failed, tells of it when the outermost send returns, and delivers what was
/// kept for its component.
#[cold]
pub(crate) fn report(
    error: HandlerError,
    method: &'static str,
    pool: &dyn AnyPool,
    slot: usize,
    sent: &Sent<'_>,
) {
    let world = sent.world;
    if world.trace.is_on() {
        let receiver = receiver_at(pool, slot);
        world.trace.erred(sent.subject(), receiver, &*error);
    }
    world.count_failure();
    let error = SharedError::from(error);
    // A failure on the way of telling a failure is not told, or it would be without end.
    let is_told = !sent.telling().failure;
    if world.reports() || (is_told && world.may_be_heard::<HandlerFailed>()) {
        let meta = pool.roster().meta(slot);
        let failed = HandlerFailed {
            messagee: meta.owner,
            hook: meta.hook,
            component: pool.roster().component_name(),
            handler: method,
            message: sent.message(),
            sender: sent.sender,
            place: sent.place,
            chain: sent.chain(),
            error: error.clone(),
        };
        if is_told {
            world.report_failure(failed, sent.place);
        } else {
            world.later(move |world| world.report(&Report::HandlerFailed(failed)));
        }
    }
    if world.kept.any() {
        deliver_kept(pool, slot, sent);
    }
    // Behind what was kept: a request asks for the error of the handler that it has called.
    world.failures.set_last(error);
}

/// Returns `true` if an enabled component shall not be called.
#[cold]
fn is_left_out(pool: &dyn AnyPool, slot: usize, sent: &Sent<'_>) -> bool {
    why_passed_over(pool, slot, sent).is_some()
}

/// Why a component shall not be called, if so.
pub(crate) fn why_passed_over(
    pool: &dyn AnyPool,
    slot: usize,
    sent: &Sent<'_>,
) -> Option<PassedOver> {
    let meta = pool.roster().meta(slot);
    let addressed = match sent.farewell {
        None | Some(LeavingTarget::Disabled(_)) => false,
        Some(LeavingTarget::Hook(hook)) => hook == meta.hook,
        Some(LeavingTarget::Messagee(id)) => id == meta.owner,
    };
    if sent.except() == Some(meta.owner) {
        Some(PassedOver::Sender)
    } else if pool.roster().is_leaving(slot)
        && (!addressed || sent.world.pending.has_panicked(meta.hook))
    {
        Some(PassedOver::Leaving)
    } else if !pool.roster().is_enabled(slot)
        && sent.farewell != Some(LeavingTarget::Disabled(meta.hook))
    {
        Some(PassedOver::Disabled)
    } else {
        None
    }
}

#[cold]
fn deliver_kept(pool: &dyn AnyPool, slot: usize, sent: &Sent<'_>) {
    sent.world
        .deliver_kept(sent.parent, ReceiverSlot::new(pool, slot));
}
