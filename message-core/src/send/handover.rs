//! Handing a message to components that are meant, without knowing the type of either: who is left out,
//! what became of it, and what follows from that. The handler itself is called by its
//! [function](crate::handler::run).

#![allow(
    clippy::inline_always,
    reason = "a plain delivery is a few questions and one call; measured"
)]

use std::ops::ControlFlow;

use crate::address::Recipient;
#[cfg(feature = "rayon")]
use crate::caught::FirstPanic;
use crate::error::HandlerError;
use crate::error::SharedError;
#[cfg(feature = "rayon")]
use crate::handler::parallel::Part;
use crate::handler::run::{At, WalkEnd, Walked};
use crate::handler::{Route, Stop};
use crate::lifecycle::HandlerFailed;
use crate::report::Report;
use crate::send::Sent;
use crate::send::call::{Call, LeavingTarget, ReceiverSlot, receiver_at};
use crate::send::erased::{ErasedMessage, Replies};
#[cfg(feature = "rayon")]
use crate::send::verdict::count;
use crate::send::verdict::{Ended, Verdict};
use crate::storage::{Pool, narrow};
use crate::trace::PassedOver;
use crate::world::World;

impl World {
    /// Hands a message to the component in a slot, if it is enabled.
    #[inline(always)]
    pub(crate) fn hand_to_one(
        &self,
        stop: Stop<'_>,
        (pool, slot): (&Pool, u32),
        message: &mut dyn ErasedMessage,
        sent: &Sent<'_>,
        replies: &mut Replies<'_>,
    ) -> Verdict {
        if self.subscriptions.are_instrumented() {
            return self.instrument(stop, (pool, slot), message, sent, replies);
        }
        let roster = pool.roster();
        let is_left_out = if roster.has_exceptions() {
            is_left_out(pool, slot as usize, sent)
        } else {
            slot as usize >= roster.active()
        };
        if is_left_out {
            return Verdict::NotReceived;
        }
        self.call_one(stop, (pool, slot), message, sent, replies)
    }

    /// As [`hand_to_one`](Self::hand_to_one), to a component that shall be called.
    #[inline(always)]
    pub(crate) fn call_one(
        &self,
        stop: Stop<'_>,
        (pool, slot): (&Pool, u32),
        message: &mut dyn ErasedMessage,
        sent: &Sent<'_>,
        replies: &mut Replies<'_>,
    ) -> Verdict {
        let ended = message.call_one(stop.route, pool, slot, sent, replies);
        self.finish(stop, (pool, slot), ended, sent)
    }

    /// What follows from a delivery: a failure is reported, and what was kept for the component
    /// meanwhile is delivered.
    #[inline(always)]
    fn finish(
        &self,
        stop: Stop<'_>,
        (pool, slot): (&Pool, u32),
        (verdict, error): Ended,
        sent: &Sent<'_>,
    ) -> Verdict {
        let Some(verdict) = verdict else {
            return Verdict::Busy;
        };
        if let Some(error) = error {
            report(*error, stop.route.method, pool, slot as usize, sent);
        }
        // Only a handler with a context can have led to messages for itself.
        if stop.route.takes_context && self.kept.any() {
            deliver_kept(pool, slot as usize, sent);
        }
        verdict
    }

    /// As [`finish`](Self::finish), of a delivery on the short way.
    #[cold]
    #[inline(never)]
    pub(crate) fn finish_single(
        &self,
        at: (&Pool, At),
        error: Option<Box<HandlerError>>,
        sent: &Sent<'_>,
    ) {
        if let Some(route) = sent.single_route() {
            self.finish_at(at, route, error, sent);
        }
    }

    /// As [`finish`](Self::finish), of a delivery on the plain way.
    #[cold]
    #[inline(never)]
    pub(crate) fn finish_at(
        &self,
        (pool, at): (&Pool, At),
        route: &Route,
        error: Option<Box<HandlerError>>,
        sent: &Sent<'_>,
    ) {
        let Some(slot) = at.slot_in(pool) else {
            return;
        };
        if let Some(error) = error {
            report(*error, route.method, pool, slot as usize, sent);
        }
        if self.kept.any() {
            deliver_kept(pool, slot as usize, sent);
        }
    }

    /// Hands a message to every enabled component of a pool, in storage order. Breaks when nobody else
    /// shall receive it.
    pub(crate) fn hand_to_all(
        &self,
        stop: Stop<'_>,
        pool: &Pool,
        message: &mut dyn ErasedMessage,
        call: &mut Call<'_>,
    ) -> ControlFlow<()> {
        let roster = pool.roster();
        // A handler that takes a context asks in its loop who is to be left out.
        if (roster.has_exceptions() && !stop.route.takes_context)
            || matches!(call.sent.to, Recipient::EveryoneElse)
            || self.subscriptions.are_instrumented()
        {
            return self.hand_to_chosen(stop, pool, 0, message, call);
        }
        let mut from = 0;
        loop {
            let at = (pool, from);
            let Walked { received, end } =
                message.walk(stop.route.typed, at, call.sent, &mut call.replies);
            call.tally.received += received;
            let slot = match end {
                WalkEnd::Through => break,
                WalkEnd::NotPacked => {
                    return self.hand_to_chosen(stop, pool, 0, message, call);
                }
                WalkEnd::Busy => {
                    let mut slots = from..roster.active();
                    return slots.try_for_each(|slot| call.meet_busy(pool, slot));
                }
                WalkEnd::At(slot, verdict, error) => {
                    let at = (pool, narrow(slot));
                    let verdict = self.finish(stop, at, (Some(verdict), error), call.sent);
                    call.take(verdict, pool, slot)?;
                    slot
                }
                #[cfg(feature = "rayon")]
                WalkEnd::All(part) => {
                    call.take_part(*part, stop, pool);
                    break;
                }
                WalkEnd::Before(slot) => {
                    self.hand_to_chosen_one(stop, pool, slot, message, call)?;
                    slot
                }
            };
            from = slot + 1;
        }
        if roster.has_exceptions() {
            // Some behind the active ones may have been enabled.
            return self.hand_to_chosen(stop, pool, roster.active(), message, call);
        }
        ControlFlow::Continue(())
    }

    /// As [`hand_to_all`](Self::hand_to_all), from a slot on, where some components are to be left out.
    #[cold]
    #[inline(never)]
    fn hand_to_chosen(
        &self,
        stop: Stop<'_>,
        pool: &Pool,
        from: usize,
        message: &mut dyn ErasedMessage,
        call: &mut Call<'_>,
    ) -> ControlFlow<()> {
        // Tracing also records skipped receivers.
        let instrumented = self.subscriptions.are_instrumented();
        // With exceptions, some behind the active ones may have been enabled.
        let end = if instrumented || pool.roster().has_exceptions() {
            pool.roster().len()
        } else {
            pool.roster().active()
        };
        let mut slots = from..end;
        #[cfg(feature = "rayon")]
        if stop.route.parallel {
            let mut panics = FirstPanic::default();
            let flow = slots.try_for_each(|slot| {
                let mut flow = ControlFlow::Continue(());
                panics.catch(|| flow = self.hand_to_chosen_one(stop, pool, slot, message, call));
                flow
            });
            panics.resume();
            return flow;
        }
        slots.try_for_each(|slot| self.hand_to_chosen_one(stop, pool, slot, message, call))
    }

    /// Hands a message to the component in a slot, if that is not to be left out.
    fn hand_to_chosen_one(
        &self,
        stop: Stop<'_>,
        pool: &Pool,
        slot: usize,
        message: &mut dyn ErasedMessage,
        call: &mut Call<'_>,
    ) -> ControlFlow<()> {
        let sent = call.sent;
        let at = (pool, narrow(slot));
        let instrumented = self.subscriptions.are_instrumented();
        if !instrumented
            && pool.roster().is_ordinary(slot)
            && sent.except().is_none()
            && !self.kept.any()
        {
            let verdict = self.call_one(stop, at, message, sent, &mut call.replies);
            return call.take(verdict, pool, slot);
        }
        if !instrumented && is_left_out(pool, slot, sent) {
            return ControlFlow::Continue(());
        }
        if let Some(flow) = call.except(pool, slot) {
            return flow;
        }
        let verdict = self.hand_to_one(stop, at, message, sent, &mut call.replies);
        call.take(verdict, pool, slot)
    }
}

#[cfg(feature = "rayon")]
impl Call<'_> {
    /// Takes in what became of the message at all components of a pool that a parallel handler has
    /// called: the failures in storage order, then the first panic.
    #[cold]
    #[inline(never)]
    fn take_part(&mut self, part: Part, stop: Stop<'_>, pool: &Pool) {
        for (slot, error) in part.failures {
            report(error, stop.route.method, pool, slot, self.sent);
            let verdict = count(
                Verdict::Failed,
                self.sent.world,
                &mut self.replies,
                &mut self.tally,
            );
            debug_assert!(verdict.is_continue(), "a failure stops nobody else");
        }
        part.panics.resume();
    }
}

/// Counts a handler that has failed, tells of it when the outermost send returns, and delivers what was
/// kept for its component.
#[cold]
pub(crate) fn report(
    error: HandlerError,
    method: &'static str,
    pool: &Pool,
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
    let is_told = !sent.reporting().failure;
    if world.config.reports() || (is_told && world.may_be_heard::<HandlerFailed>()) {
        let failed = HandlerFailed {
            messagee: pool.roster().owner(slot),
            hook: world.keys.hook_in(pool, slot),
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
fn is_left_out(pool: &Pool, slot: usize, sent: &Sent<'_>) -> bool {
    why_passed_over(pool, slot, sent).is_some()
}

/// Returns `true` if the message tells a component that it is disabled.
pub(crate) fn hears_of_being_disabled(pool: &Pool, slot: usize, sent: &Sent<'_>) -> bool {
    let farewell = sent.extras.farewell;
    farewell
        .is_some_and(|told| told == LeavingTarget::Disabled(sent.world.keys.hook_in(pool, slot)))
}

/// Why a component shall not be called, if so.
pub(crate) fn why_passed_over(pool: &Pool, slot: usize, sent: &Sent<'_>) -> Option<PassedOver> {
    let owner = pool.roster().owner(slot);
    let hook = || sent.world.keys.hook_in(pool, slot);
    let addressed = match sent.extras.farewell {
        None | Some(LeavingTarget::Disabled(_)) => false,
        Some(LeavingTarget::Hook(leaving)) => leaving == hook(),
        Some(LeavingTarget::Messagee(id)) => id == owner,
    };
    if sent.except() == Some(owner) {
        Some(PassedOver::Sender)
    } else if pool.roster().is_leaving(slot)
        && (!addressed || sent.world.pending.has_panicked(hook()))
    {
        Some(PassedOver::Leaving)
    } else if !pool.roster().is_enabled(slot) && !hears_of_being_disabled(pool, slot, sent) {
        Some(PassedOver::Disabled)
    } else {
        None
    }
}

#[cold]
pub(crate) fn deliver_kept(pool: &Pool, slot: usize, sent: &Sent<'_>) {
    sent.world
        .deliver_kept(sent.parent, ReceiverSlot::new(pool, slot));
}
