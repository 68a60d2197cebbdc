//! One step of a send: the delivery to one component, or to all components of a type. A step decides
//! whether the component is called, calls it, and does what follows.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::address::Recipient;
#[cfg(feature = "rayon")]
use crate::caught::FirstPanic;
use crate::handler::Route;
#[cfg(feature = "rayon")]
use crate::handler::parallel::Part;
use crate::handler::run::{WalkEnd, Walked};
use crate::message::AnyMessage;
use crate::send::{Callee, Delivery, OnBusy, Replies, Verdict};
use crate::storage::Pool;
use crate::trace::Traced;

impl Delivery<'_> {
    /// Delivers the message to one component. Breaks if the message must not go any further.
    #[inline(always)] // The loop over several receivers: W1-two, W8-two.
    pub(crate) fn step(
        &mut self,
        callee: &Callee<'_>,
        message: &mut dyn AnyMessage,
    ) -> ControlFlow<()> {
        if !callee.is_at_hand() {
            return self.step_closely(callee, message);
        }
        let verdict = self.sent.call(callee, message, &mut self.replies);
        self.count(callee, verdict)
    }

    /// Like [`step`](Self::step), where something is unusual: the component is disabled, or a component of its pool is
    /// leaving, was enabled or disabled in this dispatch, or has a message kept for it.
    #[cold]
    pub(super) fn step_closely(
        &mut self,
        callee: &Callee<'_>,
        message: &mut dyn AnyMessage,
    ) -> ControlFlow<()> {
        let verdict = match self.instead_of_call(callee) {
            Some(instead) => instead,
            None => self.hand_to(callee, message),
        };
        self.count(callee, verdict)
    }

    /// Delivers the message to a component unless it is passed over. Does not count the verdict.
    pub(super) fn hand_to(&mut self, callee: &Callee<'_>, message: &mut dyn AnyMessage) -> Verdict {
        let sent = self.sent;
        if let Some(why) = sent.why_passed_over(callee) {
            let receiver = callee.receiver();
            sent.trace(|| Traced::PassedOver { receiver, why });
            return Verdict::NotReceived;
        }
        sent.call(callee, message, &mut self.replies)
    }

    /// Returns the verdict of a component that is not called at once, or `None` if it is. A send waits behind the
    /// messages that are kept for the component, unless it cannot be kept itself. A component that was disabled when
    /// the send began is not one of its receivers.
    fn instead_of_call(&self, callee: &Callee<'_>) -> Option<Verdict> {
        let sent = self.sent;
        let was_disabled = callee.pool.was_disabled_at(callee.at(), self.switches);
        if was_disabled && !sent.tells_of_disabling(callee) {
            return Some(Verdict::NotReceived);
        }
        let waits = self.on_busy == OnBusy::Keep
            && sent.world.waiting.kept.waits_for(callee.spot())
            && sent.why_passed_over(callee).is_none();
        waits.then_some(Verdict::NotCalled)
    }

    /// Counts the verdict of a component, and notes it if it is busy. Breaks if the message must not go any further.
    #[inline(always)] // The loop over several receivers: W1-two, W8-two.
    fn count(&mut self, callee: &Callee<'_>, verdict: Verdict) -> ControlFlow<()> {
        match verdict {
            Verdict::Received => self.tally.received += 1,
            Verdict::Answered => {
                self.tally.received += 1;
                if let Replies::First(..) = self.replies {
                    return ControlFlow::Break(());
                }
            }
            verdict => return self.count_rare(callee, verdict),
        }
        ControlFlow::Continue(())
    }

    /// Counts a verdict that is not usual.
    #[inline(never)]
    fn count_rare(&mut self, callee: &Callee<'_>, verdict: Verdict) -> ControlFlow<()> {
        if verdict == Verdict::NotReceived {
            return ControlFlow::Continue(());
        }
        self.tally.count(verdict);
        match verdict {
            Verdict::NotCalled => {
                self.add_busy(callee.spot());
                if self.on_busy == OnBusy::Keep {
                    return ControlFlow::Continue(());
                }
            }
            Verdict::Consumed => self.close(None),
            Verdict::ConsumedByMessagee => self.close(Some(callee)),
            Verdict::Failed(()) => {
                if let Replies::First(_, error @ None) = &mut self.replies {
                    **error = self.sent.world.waiting.failures.last();
                }
                return ControlFlow::Continue(());
            }
            Verdict::NotReceived | Verdict::Received | Verdict::Answered => {
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Break(())
    }

    /// Delivers the message to the components of a messagee behind the one that has stopped it there, if one has.
    #[cold]
    #[inline(never)]
    pub(crate) fn finish_messagee(&mut self, message: &mut dyn AnyMessage) {
        let sent = self.sent;
        let (Some(last), Some(table)) = (self.take_stopped(), sent.facts.table()) else {
            return;
        };
        let owner = last.owner(&sent.world.structure.pools);
        let mut spots = owner.map_or_else(SmallVec::new, |id| sent.receivers_at(id));
        if sent.extras.resumed.is_none_or(|it| it.overhearer.is_none()) {
            match sent.meant() {
                // Nobody else was addressed.
                Recipient::Hook(_) => return,
                Recipient::Everyone | Recipient::EveryoneElse => {
                    // The order of a broadcast.
                    let rank = |component| {
                        let mut order = table.in_order();
                        order.position(|route| route.component == component)
                    };
                    spots.sort_by_key(|spot| (rank(spot.component), spot.slot));
                }
                _ => {}
            }
        }
        let behind = spots.into_iter().skip_while(|spot| *spot != last).skip(1);
        for callee in behind.filter_map(|spot| sent.callee(spot)) {
            if self.step(&callee, message).is_break() && self.take_stopped().is_none() {
                return;
            }
        }
    }

    /// Delivers the message to every enabled component of a type, in storage order. Breaks when nobody
    /// else shall receive it.
    pub(super) fn deliver_to_pool(
        &mut self,
        route: &Route,
        pool: &Pool,
        message: &mut dyn AnyMessage,
    ) -> ControlFlow<()> {
        let world = self.sent.world;
        // The loop of a handler that takes a context stops before each exception.
        if (pool.has_exceptions() && !route.row.takes_context)
            || matches!(self.sent.to, Recipient::EveryoneElse)
            || !world.listen.subscriptions.is_clear()
        {
            return self.deliver_to_slots(route, pool, 0, message);
        }
        let mut from = 0;
        loop {
            // The handler's own loop: W2, W2-context.
            let Walked { received, end } =
                (route.row.walk)(pool, from, message, self.sent, &mut self.replies);
            self.tally.received += received;
            let slot = match end {
                WalkEnd::Through => break,
                WalkEnd::NotAtOnce => return self.deliver_to_slots(route, pool, from, message),
                WalkEnd::At(slot, ended) => {
                    let callee = Callee::new(route, pool, slot);
                    let verdict = self.sent.settle(&callee, ended);
                    self.count(&callee, verdict)?;
                    slot
                }
                #[cfg(feature = "rayon")]
                WalkEnd::All(part) => {
                    self.take_part(*part, route, pool);
                    break;
                }
                WalkEnd::Before(slot) => {
                    self.step(&Callee::new(route, pool, slot), message)?;
                    slot
                }
            };
            from = slot + 1;
        }
        if pool.has_exceptions() {
            // Some components behind the active ones may have been enabled.
            return self.deliver_to_slots(route, pool, pool.active(), message);
        }
        ControlFlow::Continue(())
    }

    /// Like [`deliver_to_pool`](Self::deliver_to_pool), from a slot on and with a step for each component.
    #[cold]
    fn deliver_to_slots(
        &mut self,
        route: &Route,
        pool: &Pool,
        from: usize,
        message: &mut dyn AnyMessage,
    ) -> ControlFlow<()> {
        let except = self.sent.except();
        // Components that are passed over are traced, too. With exceptions, some behind the active ones may
        // have been enabled.
        let end = if self.sent.is_traced() || pool.has_exceptions() {
            pool.len()
        } else {
            pool.active()
        };
        let deliver = |slot| {
            let callee = Callee::new(route, pool, slot);
            if except.is_some_and(|id| id == pool.owner(slot)) {
                return self.step_closely(&callee, message);
            }
            self.step(&callee, message)
        };
        #[cfg(feature = "rayon")]
        if route.row.parallel {
            let (mut deliver, mut panics) = (deliver, FirstPanic::default());
            let flow = (from..end).try_for_each(|slot| {
                let mut flow = ControlFlow::Continue(());
                panics.catch(|| flow = deliver(slot));
                flow
            });
            panics.resume();
            return flow;
        }
        (from..end).try_for_each(deliver)
    }

    /// Takes in the results of a parallel handler at the components of a pool: the failures in storage
    /// order, then the first panic.
    #[cfg(feature = "rayon")]
    #[cold]
    fn take_part(&mut self, part: Part, route: &Route, pool: &Pool) {
        for (slot, error) in part.failures {
            let callee = Callee::new(route, pool, slot);
            self.sent.report(&callee, Box::new(error));
            let flow = self.count(&callee, Verdict::Failed(()));
            debug_assert!(flow.is_continue(), "a failure stops nobody else");
        }
        part.panics.resume();
    }
}
