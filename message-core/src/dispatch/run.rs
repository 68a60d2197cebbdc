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

use crate::address::Recipient;
use crate::dispatch::attend::attend;
use crate::dispatch::call::{Call, Farewell, Frame, Running, Spot, Tally, receiver_at};
use crate::dispatch::handler::{Access, HandlerError, Outcome, Receives};
use crate::dispatch::verdict::{Verdict, count};
use crate::dispatch::{Context, Sent};
use crate::lifecycle::HandlerFailed;
use crate::message::Message;
use crate::storage::{AnyPool, Meta, Pool, Store};
use crate::trace::PassedOver;

/// [`run_one`] for one pair of types.
pub(crate) type RunOne<M> =
    fn(&dyn AnyPool, u32, &mut M, &Sent<'_>, &mut Option<<M as Message>::Reply>) -> Verdict;

/// [`run_all`] for one pair of types.
pub(crate) type RunAll<M> =
    fn(&dyn AnyPool, &mut M, &mut Call<'_, <M as Message>::Reply>) -> ControlFlow<()>;

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
    if slot >= pool.active() || (pool.any_leaving() && is_left_out(pool, slot, sent)) {
        return Verdict::NotReceived;
    }
    let outcome = match pool.store() {
        Store::Celled(cells) => C::Access::with(&cells[slot], |this| {
            invoke::<C, M>(pool, pool.meta_at(slot), this, message, sent)
        }),
        Store::Packed(values) => {
            check_packed::<C, M>();
            C::Access::at(values, slot, |this| {
                invoke::<C, M>(pool, pool.meta_at(slot), this, message, sent)
            })
        }
    };
    match outcome {
        Some(outcome) => finish::<C, M>(outcome, pool, slot, sent, reply),
        None => Verdict::Busy,
    }
}

/// Delivers a message to every enabled component of a pool, in storage order. Breaks when nobody
/// else shall receive it.
pub(crate) fn run_all<C: Receives<M>, M: Message>(
    pool: &dyn AnyPool,
    message: &mut M,
    call: &mut Call<'_, M::Reply>,
) -> ControlFlow<()> {
    let pool = Pool::<C>::of(pool);
    let sent = call.sent;
    if pool.any_leaving() || matches!(sent.to, Recipient::EveryoneElse) || sent.world.is_attended()
    {
        return run_chosen::<C, M>(pool, 0, message, call);
    }
    match pool.store() {
        Store::Celled(cells) => {
            for (slot, cell) in cells[..pool.active()].iter().enumerate() {
                let outcome = C::Access::with(cell, |this| {
                    invoke::<C, M>(pool, pool.meta_at(slot), this, message, sent)
                });
                match outcome {
                    Some(outcome) => {
                        let mut reply = None;
                        let verdict = finish::<C, M>(outcome, pool, slot, sent, &mut reply);
                        let (replies, tally) = (&mut call.replies, &mut call.tally);
                        count(verdict, reply, (pool, slot), replies, tally)?;
                    }
                    None => call.meet_busy(pool, slot)?,
                }
                // A handler may have marked those behind it.
                if C::HANDLER.takes_context && pool.any_leaving() {
                    return run_chosen::<C, M>(pool, slot + 1, message, call);
                }
            }
            ControlFlow::Continue(())
        }
        Store::Packed(values) => {
            check_packed::<C, M>();
            let active = pool.active();
            let metas = pool.active_metas();
            // Counted apart from the call, which is elsewhere in memory.
            let mut tally = Tally::default();
            let walked = C::Access::walk(values, active, |slot, this| {
                let outcome = invoke::<C, M>(pool, &metas[slot], this, message, sent);
                let mut reply = None;
                let verdict = finish::<C, M>(outcome, pool, slot, sent, &mut reply);
                count(verdict, reply, (pool, slot), &mut call.replies, &mut tally)
            });
            call.tally.add(tally);
            match walked {
                Some(flow) => flow,
                None => (0..active).try_for_each(|slot| call.meet_busy(pool, slot)),
            }
        }
    }
}

/// As the loop of [`run_all`], from a slot on, where some components are to be left out.
fn run_chosen<C: Receives<M>, M: Message>(
    pool: &Pool<C>,
    from: usize,
    message: &mut M,
    call: &mut Call<'_, M::Reply>,
) -> ControlFlow<()> {
    let sent = call.sent;
    // Whoever attends wants to know of those who are passed over, too.
    let attended = sent.world.is_attended();
    let end = if attended { pool.len() } else { pool.active() };
    (from..end)
        .filter(|&slot| attended || !is_left_out(pool, slot, sent))
        .try_for_each(|slot| {
            let mut reply = None;
            let at = Spot::new(pool, slot).slot;
            let verdict = if attended {
                let handler = (C::HANDLER.method, C::Access::SHARED);
                attend(
                    run_one::<C, M>,
                    (pool, at),
                    handler,
                    message,
                    sent,
                    &mut reply,
                )
            } else {
                run_one::<C, M>(pool, at, message, sent, &mut reply)
            };
            call.take(verdict, reply, pool, slot)
        })
}

/// Calls the handler.
#[inline(always)]
pub(super) fn invoke<C: Receives<M>, M: Message>(
    pool: &Pool<C>,
    meta: &Meta,
    this: <C::Access as Access>::Borrow<'_, C>,
    message: &mut M,
    sent: &Sent<'_>,
) -> Outcome<M::Reply> {
    // A handler that takes no context leaves all of this out.
    let mut context = Context::new(Frame {
        sent,
        running: Running::Component {
            me: meta.owner,
            hook: meta.hook,
            component: pool.component(),
        },
    });
    C::receive(this, message, &mut context)
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
    let verdict = match outcome {
        Outcome::NotReceived => Verdict::NotReceived,
        Outcome::Received => Verdict::Received,
        Outcome::Consumed => Verdict::Consumed,
        Outcome::Answered(answer) => {
            *reply = Some(answer);
            Verdict::Answered
        }
        Outcome::Failed(error) => {
            report(error, C::HANDLER.method, pool, slot, sent);
            Verdict::Failed
        }
    };
    // Only a handler with a context can have led to messages for itself.
    if C::HANDLER.takes_context && sent.world.kept.any() {
        deliver_kept(pool, slot, sent);
    }
    verdict
}

#[cold]
pub(super) fn report(
    error: HandlerError,
    method: &'static str,
    pool: &dyn AnyPool,
    slot: usize,
    sent: &Sent<'_>,
) {
    if sent.world.trace.is_on() {
        let receiver = receiver_at(pool, slot);
        sent.world.trace.erred(sent.subject(), receiver, &*error);
    }
    // A failure on the way of telling a failure is not told, or it would be without end.
    if sent.telling().failure {
        return;
    }
    let meta = pool.meta(slot);
    sent.world.report_failure(
        HandlerFailed {
            messagee: meta.owner,
            hook: meta.hook,
            component: pool.component_name(),
            handler: method,
            message: sent.message(),
            error,
        },
        sent.place,
    );
}

/// Whether an enabled component shall not be called.
#[cold]
fn is_left_out(pool: &dyn AnyPool, slot: usize, sent: &Sent<'_>) -> bool {
    why_passed_over(pool, slot, sent).is_some()
}

/// Why a component shall not be called, if so.
pub(super) fn why_passed_over(
    pool: &dyn AnyPool,
    slot: usize,
    sent: &Sent<'_>,
) -> Option<PassedOver> {
    let meta = pool.meta(slot);
    let addressed = match sent.farewell {
        None => false,
        Some(Farewell::Hook(hook)) => hook == meta.hook,
        Some(Farewell::Messagee(id)) => id == meta.owner,
    };
    if sent.except() == Some(meta.owner) {
        Some(PassedOver::Sender)
    } else if pool.is_leaving(slot) && (!addressed || sent.world.pending.has_panicked(meta.hook)) {
        Some(PassedOver::Leaving)
    } else if !pool.is_enabled(slot) {
        Some(PassedOver::Disabled)
    } else {
        None
    }
}

#[cold]
fn deliver_kept(pool: &dyn AnyPool, slot: usize, sent: &Sent<'_>) {
    sent.world.deliver_kept(sent.parent, Spot::new(pool, slot));
}
