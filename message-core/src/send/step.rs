//! One step of a send: the delivery to one component, or to all components of a type. A step decides
//! whether the component is called, calls it, and does what follows.
//!
//! The types of the message and the component are not known here. The handler itself is called by its
//! [function](crate::handler::run).

use std::ops::ControlFlow;

use crate::address::Recipient;
#[cfg(feature = "rayon")]
use crate::caught::FirstPanic;
use crate::caught::catch;
use crate::error::HandlerError;
use crate::error::SharedError;
use crate::handler::Route;
#[cfg(feature = "rayon")]
use crate::handler::parallel::Part;
use crate::handler::run::{WalkEnd, Walked};
use crate::lifecycle::HandlerFailed;
use crate::report::Report;
use crate::send::deferred::Redelivery;
use crate::send::erased::{ErasedMessage, Replies};
use crate::send::verdict::{Ended, Verdict};
use crate::send::{Delivery, LeavingTarget, OnBusy, ReceiverSlot, Sent, receiver_at};
use crate::storage::{Pool, narrow};
use crate::trace::{PassedOver, Traced};
use crate::world::Notice;

impl Delivery<'_> {
    /// Delivers the message to one component. Breaks when nobody else shall receive it.
    #[inline]
    pub(crate) fn step(
        &mut self,
        route: &Route,
        pool: &Pool,
        slot: u32,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        if self.traced || !pool.roster().is_at_hand(slot) {
            return self.step_closely(route, pool, slot, message);
        }
        let ended = self.call(route, pool, slot, message);
        self.follow_up(route, pool, slot, ended)
    }

    /// Calls a component. Catches a panic unless the policy is to propagate it.
    #[inline]
    fn call(
        &mut self,
        route: &Route,
        pool: &Pool,
        slot: u32,
        message: &mut dyn ErasedMessage,
    ) -> Ended {
        if !self.catches {
            return message.call_one(route.number, pool, slot, self.sent, &mut self.replies);
        }
        let sent = self.sent;
        let called = catch(|| message.call_one(route.number, pool, slot, sent, &mut self.replies));
        called.unwrap_or_else(|panic| {
            sent.panicked(pool, slot, route, panic);
            (Some(Verdict::Failed), None)
        })
    }

    /// Handles the consequences of a call: reports a failure, and delivers the messages that were kept
    /// for the component meanwhile. Breaks when nobody else may receive the message.
    #[inline(never)]
    pub(super) fn follow_up(
        &mut self,
        route: &Route,
        pool: &Pool,
        slot: u32,
        (verdict, error): Ended,
    ) -> ControlFlow<()> {
        let Some(verdict) = verdict else {
            return self.meet_busy(pool, slot as usize);
        };
        settle(route, pool, slot, error, self.sent);
        self.count(verdict)
    }

    /// Like [`step`](Self::step), where something is unusual: the component is disabled; a component of its
    /// pool is leaving, was enabled or disabled in this dispatch, or has a message kept for it; or
    /// deliveries are traced.
    #[cold]
    #[inline(never)]
    pub(super) fn step_closely(
        &mut self,
        route: &Route,
        pool: &Pool,
        slot: u32,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let world = self.sent.world;
        if !self.traced {
            let is_ordinary = pool.roster().is_ordinary(slot as usize);
            if is_ordinary && !world.waiting.kept.any() && self.sent.except().is_none() {
                let ended = self.call(route, pool, slot, message);
                return self.follow_up(route, pool, slot, ended);
            }
        }
        if (world.waiting.kept.any() || world.structure.switches.any())
            && let Some(flow) = self.except(pool, slot as usize)
        {
            return flow;
        }
        match self.hand_to(route, pool, slot, message) {
            Verdict::Busy => self.meet_busy(pool, slot as usize),
            verdict => self.count(verdict),
        }
    }

    /// Delivers the message to a component unless that is passed over. Does not count the verdict.
    pub(crate) fn hand_to(
        &mut self,
        route: &Route,
        pool: &Pool,
        slot: u32,
        message: &mut dyn ErasedMessage,
    ) -> Verdict {
        if let Some(why) = why_passed_over(pool, slot as usize, self.sent) {
            self.sent.tell(|| Traced::PassedOver {
                receiver: receiver_at(pool, slot as usize),
                why,
            });
            return Verdict::NotReceived;
        }
        if self.traced {
            return self.hand_to_traced(route, pool, slot, message);
        }
        let (verdict, error) = self.call(route, pool, slot, message);
        if verdict.is_some() {
            settle(route, pool, slot, error, self.sent);
        }
        verdict.unwrap_or(Verdict::Busy)
    }

    /// Handles the cases in which a component is not called at once. Returns `None` if it is called. A send
    /// waits behind the messages that are kept for the component, unless it cannot be kept itself. A
    /// component that was disabled when the send began is not one of its receivers.
    fn except(&mut self, pool: &Pool, slot: usize) -> Option<ControlFlow<()>> {
        let sent = self.sent;
        if pool.roster().was_disabled_at(slot, self.begun)
            && !hears_of_being_disabled(pool, slot, sent)
        {
            return Some(ControlFlow::Continue(()));
        }
        let waits = self.on_busy == OnBusy::Keep
            && sent
                .world
                .waiting
                .kept
                .waits_for(ReceiverSlot::new(pool, slot))
            && why_passed_over(pool, slot, sent).is_none();
        waits.then(|| self.meet_busy(pool, slot))
    }

    /// Notes a busy receiver.
    #[cold]
    fn meet_busy(&mut self, pool: &Pool, slot: usize) -> ControlFlow<()> {
        self.add_busy(ReceiverSlot::new(pool, slot));
        match self.on_busy {
            OnBusy::Keep => ControlFlow::Continue(()),
            OnBusy::Refuse => ControlFlow::Break(()),
        }
    }

    /// Counts the verdict of a component that was not busy. Breaks when nobody else shall receive the
    /// message.
    fn count(&mut self, verdict: Verdict) -> ControlFlow<()> {
        let tally = &mut self.tally;
        tally.received += usize::from(verdict != Verdict::NotReceived);
        match verdict {
            Verdict::NotReceived | Verdict::Busy | Verdict::Received => {}
            Verdict::Failed => {
                tally.failed += 1;
                let failures = &self.sent.world.waiting.failures;
                self.replies.take_error(failures);
            }
            Verdict::Consumed => {
                tally.consumed = true;
                return ControlFlow::Break(());
            }
            Verdict::Answered => {
                if let Replies::First(..) = self.replies {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Delivers the message to every enabled component of a type, in storage order. Breaks when nobody
    /// else shall receive it.
    pub(super) fn deliver_to_pool(
        &mut self,
        route: &Route,
        pool: &Pool,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let (roster, world) = (pool.roster(), self.sent.world);
        // The loop of a handler that takes a context stops before each exception.
        if (roster.has_exceptions() && !route.takes_context)
            || matches!(self.sent.to, Recipient::EveryoneElse)
            || world.listen.subscriptions.are_instrumented()
        {
            return self.deliver_to_slots(route, pool, 0, message);
        }
        let mut from = 0;
        loop {
            // The handler's own loop: W2, W2-context.
            let Walked { received, end } =
                message.walk(route.typed, (pool, from), self.sent, &mut self.replies);
            self.tally.received += received;
            let slot = match end {
                WalkEnd::Through => break,
                WalkEnd::NotPacked => return self.deliver_to_slots(route, pool, 0, message),
                WalkEnd::Busy => {
                    let mut slots = from..roster.active();
                    return slots.try_for_each(|slot| self.meet_busy(pool, slot));
                }
                WalkEnd::At(slot, verdict, error) => {
                    self.follow_up(route, pool, narrow(slot), (Some(verdict), error))?;
                    slot
                }
                #[cfg(feature = "rayon")]
                WalkEnd::All(part) => {
                    self.take_part(*part, route, pool);
                    break;
                }
                WalkEnd::Before(slot) => {
                    self.step(route, pool, narrow(slot), message)?;
                    slot
                }
            };
            from = slot + 1;
        }
        if roster.has_exceptions() {
            // Some components behind the active ones may have been enabled.
            return self.deliver_to_slots(route, pool, roster.active(), message);
        }
        ControlFlow::Continue(())
    }

    /// Like [`deliver_to_pool`](Self::deliver_to_pool), from a slot on and with a step for each component.
    #[cold]
    #[inline(never)]
    fn deliver_to_slots(
        &mut self,
        route: &Route,
        pool: &Pool,
        from: usize,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let roster = pool.roster();
        // Components that are passed over are traced, too. With exceptions, some behind the active ones may
        // have been enabled.
        let end = if self.traced || roster.has_exceptions() {
            roster.len()
        } else {
            roster.active()
        };
        let mut slots = from..end;
        #[cfg(feature = "rayon")]
        if route.parallel {
            let mut panics = FirstPanic::default();
            let flow = slots.try_for_each(|slot| {
                let mut flow = ControlFlow::Continue(());
                panics.catch(|| flow = self.deliver_to_slot(route, pool, slot, message));
                flow
            });
            panics.resume();
            return flow;
        }
        slots.try_for_each(|slot| self.deliver_to_slot(route, pool, slot, message))
    }

    /// Delivers the message to one component of a pool, which may be the sender's.
    #[inline]
    fn deliver_to_slot(
        &mut self,
        route: &Route,
        pool: &Pool,
        slot: usize,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let except = self.sent.except();
        if except.is_some_and(|id| id == pool.roster().owner(slot)) {
            return self.step_closely(route, pool, narrow(slot), message);
        }
        self.step(route, pool, narrow(slot), message)
    }

    /// Takes in the results of a parallel handler at the components of a pool: the failures in storage
    /// order, then the first panic.
    #[cfg(feature = "rayon")]
    #[cold]
    #[inline(never)]
    fn take_part(&mut self, part: Part, route: &Route, pool: &Pool) {
        for (slot, error) in part.failures {
            report(error, route.method, pool, slot, self.sent);
            let flow = self.count(Verdict::Failed);
            debug_assert!(flow.is_continue(), "a failure stops nobody else");
        }
        part.panics.resume();
    }
}

/// Handles the consequences of a call at its component: reports a failure, and delivers the messages
/// that were kept for the component meanwhile.
#[inline]
pub(crate) fn settle(
    route: &Route,
    pool: &Pool,
    slot: u32,
    error: Option<Box<HandlerError>>,
    sent: &Sent<'_>,
) {
    if let Some(error) = error {
        report(*error, route.method, pool, slot as usize, sent);
    }
    // Only a handler with a context can have led to messages for itself.
    if route.takes_context && sent.world.waiting.kept.any() {
        deliver_kept(pool, slot as usize, sent);
    }
}

/// Counts a handler that has failed, queues the report for the end of the outermost send, and delivers the
/// messages that were kept for the component.
#[cold]
pub(crate) fn report(
    error: HandlerError,
    method: &'static str,
    pool: &Pool,
    slot: usize,
    sent: &Sent<'_>,
) {
    let world = sent.world;
    if let Some(delivery) = world.trace.running() {
        sent.tell(|| Traced::Erred {
            delivery,
            receiver: receiver_at(pool, slot),
            error: error.to_string(),
        });
    }
    world.waiting.count_failure();
    let error = SharedError::from(error);
    // A failure while a failure is reported is not sent as a message. Otherwise that could go on forever.
    let is_told = !sent.reporting().failure;
    if world.common.config.reports() || (is_told && world.listen.may_be_heard::<HandlerFailed>()) {
        let failed = HandlerFailed {
            messagee: pool.roster().owner(slot),
            hook: world.structure.keys.hook_in(pool, slot),
            component: pool.roster().component_name(),
            handler: method,
            message: sent.message(),
            sender: sent.sender,
            place: sent.place,
            chain: sent.chain(),
            error: error.clone(),
        };
        if is_told {
            let notice = Notice::new(Recipient::Everyone, sent.place);
            world.later(move |world| notice.tell_or_report(world, failed));
        } else {
            world.later(move |world| world.report(&Report::HandlerFailed(failed)));
        }
    }
    if world.waiting.kept.any() {
        deliver_kept(pool, slot, sent);
    }
    // After the kept messages, since a request asks for the error of the handler that it has called.
    world.waiting.failures.set_last(error);
}

/// Returns `true` if the message tells a component that it is disabled.
pub(crate) fn hears_of_being_disabled(pool: &Pool, slot: usize, sent: &Sent<'_>) -> bool {
    let farewell = sent.extras.farewell;
    farewell.is_some_and(|told| {
        told == LeavingTarget::Disabled(sent.world.structure.keys.hook_in(pool, slot))
    })
}

/// Returns the reason why a component is not called, if there is one.
pub(crate) fn why_passed_over(pool: &Pool, slot: usize, sent: &Sent<'_>) -> Option<PassedOver> {
    let owner = pool.roster().owner(slot);
    let hook = || sent.world.structure.keys.hook_in(pool, slot);
    let addressed = match sent.extras.farewell {
        None | Some(LeavingTarget::Disabled(_)) => false,
        Some(LeavingTarget::Hook(leaving)) => leaving == hook(),
        Some(LeavingTarget::Messagee(id)) => id == owner,
    };
    if sent.except() == Some(owner) {
        Some(PassedOver::Sender)
    } else if pool.roster().is_leaving(slot)
        && (!addressed || sent.world.structure.expected.has_panicked(hook()))
    {
        Some(PassedOver::Leaving)
    } else if !pool.roster().is_enabled(slot) && !hears_of_being_disabled(pool, slot, sent) {
        Some(PassedOver::Disabled)
    } else {
        None
    }
}

#[cold]
fn deliver_kept(pool: &Pool, slot: usize, sent: &Sent<'_>) {
    Redelivery::of(sent).deliver_kept(ReceiverSlot::new(pool, slot));
}
