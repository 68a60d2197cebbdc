//! One step of a send: the delivery to one component, or to all components of a type. A step decides
//! whether the component is called, calls it, and does what follows.
//!
//! The types of the message and the component are not known here. The handler itself is called by its
//! [function](crate::handler::run).

use std::ops::ControlFlow;

use crate::address::Recipient;
#[cfg(feature = "rayon")]
use crate::caught::FirstPanic;
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

impl Sent<'_> {
    /// Calls a component, and handles the consequences for it.
    #[inline]
    pub(super) fn call(
        &self,
        route: &Route,
        pool: &Pool,
        slot: u32,
        message: &mut dyn ErasedMessage,
        replies: &mut Replies<'_>,
    ) -> Verdict {
        let mut run = || {
            let (verdict, error) = message.call_one(route.number, pool, slot, self, replies);
            if verdict != Verdict::Busy {
                settle(route, pool, slot, error, self);
            }
            verdict
        };
        if !self.world.listen.subscriptions.is_clear() {
            return self.call_instrumented(route, pool, slot, run);
        }
        run()
    }
}

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
        if self.sent.is_traced() || !pool.roster().is_at_hand(slot) {
            return self.step_closely(route, pool, slot, message);
        }
        let sent = self.sent;
        let verdict = sent.call(route, pool, slot, message, &mut self.replies);
        self.count(pool, slot, verdict)
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
        settle(route, pool, slot, error, self.sent);
        self.count(pool, slot, verdict)
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
        let (sent, kept) = (self.sent, &self.sent.world.waiting.kept);
        let is_ordinary = pool.roster().is_ordinary(slot as usize);
        let verdict =
            if is_ordinary && !self.sent.is_traced() && !kept.any() && sent.except().is_none() {
                sent.call(route, pool, slot, message, &mut self.replies)
            } else if let Some(instead) = self.instead_of_call(pool, slot as usize) {
                instead
            } else {
                self.hand_to(route, pool, slot, message)
            };
        self.count(pool, slot, verdict)
    }

    /// Delivers the message to a component unless that is passed over. Does not count the verdict.
    pub(crate) fn hand_to(
        &mut self,
        route: &Route,
        pool: &Pool,
        slot: u32,
        message: &mut dyn ErasedMessage,
    ) -> Verdict {
        let sent = self.sent;
        if let Some(why) = why_passed_over(pool, slot as usize, sent) {
            sent.tell(|| Traced::PassedOver {
                receiver: receiver_at(pool, slot as usize),
                why,
            });
            return Verdict::NotReceived;
        }
        sent.call(route, pool, slot, message, &mut self.replies)
    }

    /// Returns the verdict of a component that is not called at once, or `None` if it is. A send waits behind the
    /// messages that are kept for the component, unless it cannot be kept itself. A component that was disabled when
    /// the send began is not one of its receivers.
    fn instead_of_call(&self, pool: &Pool, slot: usize) -> Option<Verdict> {
        let sent = self.sent;
        if pool.roster().was_disabled_at(slot, self.begun)
            && !hears_of_being_disabled(pool, slot, sent)
        {
            return Some(Verdict::NotReceived);
        }
        let kept = &sent.world.waiting.kept;
        let waits = self.on_busy == OnBusy::Keep
            && kept.waits_for(ReceiverSlot::new(pool, slot))
            && why_passed_over(pool, slot, sent).is_none();
        waits.then_some(Verdict::Busy)
    }

    /// Counts the verdict of a component, and notes it if it is busy. Breaks when nobody else shall receive the
    /// message.
    fn count(&mut self, pool: &Pool, slot: u32, verdict: Verdict) -> ControlFlow<()> {
        let tally = &mut self.tally;
        tally.received += usize::from(!matches!(verdict, Verdict::NotReceived | Verdict::Busy));
        match verdict {
            Verdict::NotReceived | Verdict::Received => {}
            Verdict::Busy => return self.meet_busy(pool, slot as usize),
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

    /// Notes a busy receiver.
    #[cold]
    fn meet_busy(&mut self, pool: &Pool, slot: usize) -> ControlFlow<()> {
        self.add_busy(ReceiverSlot::new(pool, slot));
        match self.on_busy {
            OnBusy::Keep => ControlFlow::Continue(()),
            OnBusy::Refuse => ControlFlow::Break(()),
        }
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
        if (roster.has_exceptions() && !route.row.takes_context)
            || matches!(self.sent.to, Recipient::EveryoneElse)
            || !world.listen.subscriptions.is_clear()
        {
            return self.deliver_to_slots(route, pool, 0, message);
        }
        let mut from = 0;
        loop {
            // The handler's own loop: W2, W2-context.
            let Walked { received, end } =
                message.walk(route, (pool, from), self.sent, &mut self.replies);
            self.tally.received += received;
            let slot = match end {
                WalkEnd::Through => break,
                WalkEnd::NotPacked => return self.deliver_to_slots(route, pool, 0, message),
                WalkEnd::Busy => {
                    let mut slots = from..roster.active();
                    return slots.try_for_each(|slot| self.meet_busy(pool, slot));
                }
                WalkEnd::At(slot, verdict, error) => {
                    self.follow_up(route, pool, narrow(slot), (verdict, error))?;
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
        let end = if self.sent.is_traced() || roster.has_exceptions() {
            roster.len()
        } else {
            roster.active()
        };
        let mut slots = from..end;
        #[cfg(feature = "rayon")]
        if route.row.parallel {
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
            report(error, route.row.spec.method, pool, slot, self.sent);
            let flow = self.count(pool, narrow(slot), Verdict::Failed);
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
        report(*error, route.row.spec.method, pool, slot as usize, sent);
    }
    // Only a handler with a context can have led to messages for itself.
    if route.row.takes_context && sent.world.waiting.kept.any() {
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
            world.later(move |world| notice.tell_or_report(world, failed, Report::HandlerFailed));
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
pub(super) fn deliver_kept(pool: &Pool, slot: usize, sent: &Sent<'_>) {
    Redelivery::of(sent).deliver_kept(ReceiverSlot::new(pool, slot));
}
