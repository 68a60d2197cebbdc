//! The one place where a handler is called.
//!
//! A range of slots serves both a targeted send (one slot) and a broadcast (the whole pool), so
//! there is one function for each pair of component and message type, and the handler inlines
//! into its loop.

use std::ops::{ControlFlow, Range};

use crate::dispatch::call::{Call, Farewell, Frame, OnBusy, Replies, Spot};
use crate::dispatch::handler::{Access, HandlerError, Outcome, Receives};
use crate::dispatch::{Context, Header};
use crate::lifecycle::HandlerFailed;
use crate::message::Message;
use crate::storage::{AnyPool, Pool, Store};

/// [`run`] for one pair of types.
pub(crate) type RunFn<M> = fn(
    &dyn AnyPool,
    Range<u32>,
    &mut M,
    &mut Call<'_, <M as Message>::Reply>,
) -> ControlFlow<()>;

/// Delivers a message to the enabled components of a range of slots. Breaks when nobody else
/// shall receive it.
pub(crate) fn run<C: Receives<M>, M: Message>(
    pool: &dyn AnyPool,
    slots: Range<u32>,
    message: &mut M,
    call: &mut Call<'_, M::Reply>,
) -> ControlFlow<()> {
    let pool = Pool::<C>::of(pool);
    let start = slots.start as usize;
    let end = (slots.end as usize).min(pool.active());
    if start >= end {
        return ControlFlow::Continue(());
    }
    let header = call.header;
    let choosy = call.except.is_some() || pool.any_leaving();
    let invoke = |slot: usize, this: <C::Access as Access>::Borrow<'_, C>, message: &mut M| {
        let meta = pool.meta_at(slot);
        let mut context = Context::new(Frame {
            header,
            me: meta.owner,
            hook: meta.hook,
            component: pool.component(),
        });
        C::receive(this, message, &mut context)
    };
    match pool.store() {
        Store::Packed(values) => {
            let walked = C::Access::walk(values, start..end, |slot, this| {
                if choosy && is_left_out(pool, slot, call) {
                    return ControlFlow::Continue(());
                }
                let outcome = invoke(slot, this, message);
                absorb::<C, M>(outcome, pool, slot, call)
            });
            match walked {
                Some(flow) => flow,
                None => (start..end).try_for_each(|slot| {
                    if choosy && is_left_out(pool, slot, call) {
                        return ControlFlow::Continue(());
                    }
                    meet_busy(pool, slot, call)
                }),
            }
        }
        Store::Celled(cells) => {
            for (at, cell) in cells[start..end].iter().enumerate() {
                let slot = start + at;
                if choosy && is_left_out(pool, slot, call) {
                    continue;
                }
                match C::Access::with(cell, |this| invoke(slot, this, message)) {
                    Some(outcome) => {
                        let flow = absorb::<C, M>(outcome, pool, slot, call);
                        // Only a handler with a context can have led to messages for itself.
                        if C::HANDLER.takes_context && header.world.kept.any() {
                            let spot = spot(pool, slot);
                            header.world.deliver_kept(header.origin.parent, spot);
                        }
                        flow?;
                    }
                    None => meet_busy(pool, slot, call)?,
                }
            }
            ControlFlow::Continue(())
        }
    }
}

/// Adds the outcome of one delivery to those of the send.
#[inline]
fn absorb<C: Receives<M>, M: Message>(
    outcome: Outcome<M::Reply>,
    pool: &dyn AnyPool,
    slot: usize,
    call: &mut Call<'_, M::Reply>,
) -> ControlFlow<()> {
    match outcome {
        Outcome::NotReceived => return ControlFlow::Continue(()),
        Outcome::Received => {}
        Outcome::Consumed => {
            call.received += 1;
            call.consumed = true;
            return ControlFlow::Break(());
        }
        Outcome::Answered(reply) => match &mut call.replies {
            Replies::Ignore => {}
            Replies::First(first) => {
                call.received += 1;
                **first = Some(reply);
                return ControlFlow::Break(());
            }
            Replies::All(all) => all.push((pool.meta(slot).owner, reply)),
        },
        Outcome::Failed(error) => {
            call.failed += 1;
            report(error, C::HANDLER.method, pool, slot, call.header);
        }
    }
    call.received += 1;
    ControlFlow::Continue(())
}

#[cold]
fn report(
    error: HandlerError,
    method: &'static str,
    pool: &dyn AnyPool,
    slot: usize,
    header: &Header<'_>,
) {
    let meta = pool.meta(slot);
    header.world.report_failure(
        HandlerFailed {
            messagee: meta.owner,
            hook: meta.hook,
            component: pool.component_name(),
            handler: method,
            message: header.message,
            error,
        },
        header.origin.place,
    );
}

/// Whether a component that could be called shall not be.
#[cold]
fn is_left_out<R>(pool: &dyn AnyPool, slot: usize, call: &Call<'_, R>) -> bool {
    let meta = pool.meta(slot);
    let addressed = match call.header.farewell {
        Farewell::None => false,
        Farewell::Hook(hook) => hook == meta.hook,
        Farewell::Messagee(id) => id == meta.owner,
    };
    call.except == Some(meta.owner) || (pool.is_leaving(slot) && !addressed)
}

#[cold]
fn meet_busy<R>(pool: &dyn AnyPool, slot: usize, call: &mut Call<'_, R>) -> ControlFlow<()> {
    call.busy.push(spot(pool, slot));
    match call.on_busy {
        OnBusy::Keep => ControlFlow::Continue(()),
        OnBusy::Refuse => ControlFlow::Break(()),
    }
}

fn spot(pool: &dyn AnyPool, slot: usize) -> Spot {
    Spot {
        component: pool.component(),
        slot: u32::try_from(slot).expect("slots are counted in 32 bits"),
    }
}
