//! A component that a message is delivered to, and what is done with it alone: it is called, or passed over.
//!
//! The types of the message and the component are not known here. The handler itself is called by its
//! [function](crate::handler::run).

use crate::address::{HookId, Recipient};
use crate::error::{HandlerError, Receiver, SharedError};
use crate::handler::Route;
use crate::lifecycle::HandlerFailed;
use crate::message::AnyMessage;
use crate::report::Report;
use crate::send::{
    Ended, LeavingTarget, ReceiverSlot, Redelivery, Replies, Sent, Verdict, receiver_at,
};
use crate::storage::{Pool, narrow};
use crate::trace::{PassedOver, Traced};
use crate::world::Notice;

/// A component that handles a message.
///
/// Passed by reference: a copy through memory loads words that were just written in parts, and the processor waits for
/// those stores.
#[derive(Clone, Copy)]
pub(crate) struct Callee<'a> {
    pub(crate) route: &'a Route,
    pub(crate) pool: &'a Pool,
    pub(crate) slot: u32,
}

impl<'a> Callee<'a> {
    pub(super) fn new(route: &'a Route, pool: &'a Pool, slot: usize) -> Self {
        let slot = narrow(slot);
        Self { route, pool, slot }
    }

    /// Returns the slot as the methods of a pool take it.
    pub(super) fn at(&self) -> usize {
        self.slot as usize
    }

    /// Returns `true` if it can be called without a further check: it is enabled, and its pool has no
    /// [exceptions](Pool::has_exceptions).
    pub(super) fn is_at_hand(&self) -> bool {
        self.pool.is_at_hand(self.slot)
    }

    /// Calls it, and handles the consequences.
    #[inline(always)] // Part of a step: W1-two, W8-two.
    pub(super) fn call(
        &self,
        sent: &Sent<'_>,
        message: &mut dyn AnyMessage,
        replies: &mut Replies<'_>,
    ) -> Verdict {
        let ended = (self.route.row.call)(self.pool, self.slot, message, sent, replies);
        sent.settle(self, ended)
    }

    pub(super) fn spot(&self) -> ReceiverSlot {
        ReceiverSlot {
            component: self.route.component,
            slot: self.slot,
        }
    }

    pub(super) fn receiver(&self) -> Receiver {
        receiver_at(self.pool, self.at())
    }
}

impl<'a> Sent<'a> {
    /// Returns the component in a slot, if it handles the message.
    pub(crate) fn callee(&self, at: ReceiverSlot) -> Option<Callee<'a>> {
        Some(Callee {
            route: self.facts.table()?.route_to(at.component)?,
            pool: self.world.structure.pools.at(at.component),
            slot: at.slot,
        })
    }

    pub(super) fn hook_of(&self, callee: &Callee<'_>) -> HookId {
        let keys = &self.world.structure.keys;
        keys.hook_in(callee.pool, callee.at())
    }

    /// Delivers the message to a component, and handles the consequences for it.
    #[inline(always)] // Part of a step: W1-two, W8-two.
    pub(crate) fn call(
        &self,
        callee: &Callee<'_>,
        message: &mut dyn AnyMessage,
        replies: &mut Replies<'_>,
    ) -> Verdict {
        if !self.world.listen.subscriptions.is_clear() {
            return self.call_instrumented(callee, message, replies);
        }
        callee.call(self, message, replies)
    }

    /// Handles the consequences of a call at its component: reports a failure, and delivers the messages
    /// that were kept for the component meanwhile. Returns the verdict.
    #[inline(always)] // Part of a step: W1-two, W8-two.
    pub(super) fn settle(&self, callee: &Callee<'_>, ended: Ended) -> Verdict {
        let verdict = ended.verdict();
        if let Ended::Failed(error) = ended {
            self.report(callee, error);
        }
        // Only a handler with a context can have led to messages for itself.
        if callee.route.row.takes_context && self.world.waiting.kept.any() {
            self.deliver_kept(callee);
        }
        verdict
    }

    /// Like [`settle`](Self::settle), for the component in a slot. Looks it up only if there is something to settle.
    #[inline(always)] // Two comparisons: W8.
    pub(crate) fn settle_at(&self, at: ReceiverSlot, ended: Ended) -> Verdict {
        let verdict = ended.verdict();
        if matches!(ended, Ended::Failed(_)) || self.world.waiting.kept.any() {
            self.look_up_and_settle(at, ended);
        }
        verdict
    }

    #[cold]
    fn look_up_and_settle(&self, at: ReceiverSlot, ended: Ended) {
        if let Some(callee) = self.callee(at) {
            self.settle(&callee, ended);
        }
    }

    /// Counts a handler that has failed, queues the report for the end of the outermost send, and delivers the
    /// messages that were kept for the component.
    #[cold]
    pub(super) fn report(&self, callee: &Callee<'_>, error: Box<HandlerError>) {
        let world = self.world;
        if let Some(delivery) = world.trace.running() {
            self.trace(|| Traced::Erred {
                delivery,
                receiver: callee.receiver(),
                error: error.to_string(),
            });
        }
        world.waiting.count_failure();
        let error = SharedError::from(*error);
        // A failure while a failure is reported is not sent as a message. Otherwise that could go on forever.
        let is_told = !self.reporting().failure;
        let is_heard = is_told && world.listen.may_be_heard::<HandlerFailed>();
        if is_heard || world.common.config.reports() {
            let failed = HandlerFailed {
                messagee: callee.pool.owner(callee.at()),
                hook: self.hook_of(callee),
                component: callee.pool.component_name(),
                handler: callee.route.row.spec.method,
                message: self.message(),
                sender: self.sender,
                place: self.place,
                chain: self.chain(),
                error: error.clone(),
            };
            let notice = Notice::new(Recipient::Everyone, self.place);
            world.later(move |world| {
                if is_told {
                    notice.tell_or_report(world, failed, Report::HandlerFailed);
                } else {
                    world.report(&Report::HandlerFailed(failed));
                }
            });
        }
        self.deliver_kept(callee);
        // After the kept messages, since a request asks for the error of the handler that it has called.
        world.waiting.failures.set_last(error);
    }

    #[cold]
    pub(super) fn deliver_kept(&self, callee: &Callee<'_>) {
        Redelivery::of(self).deliver_kept(callee.spot());
    }

    /// Returns `true` if the message tells a component that it is disabled.
    pub(super) fn tells_of_disabling(&self, callee: &Callee<'_>) -> bool {
        let farewell = self.extras.farewell;
        farewell.is_some_and(|told| told == LeavingTarget::Disabled(self.hook_of(callee)))
    }

    /// Returns the reason why a component is not called, if there is one.
    pub(crate) fn why_passed_over(&self, callee: &Callee<'_>) -> Option<PassedOver> {
        let (pool, at) = (callee.pool, callee.at());
        let owner = pool.owner(at);
        let is_addressed = || match self.extras.farewell {
            None | Some(LeavingTarget::Disabled(_)) => false,
            Some(LeavingTarget::Hook(leaving)) => leaving == self.hook_of(callee),
            Some(LeavingTarget::Messagee(id)) => id == owner,
        };
        let expected = &self.world.structure.expected;
        let has_panicked = || expected.has_panicked(self.hook_of(callee));
        if self.except() == Some(owner) {
            Some(PassedOver::Sender)
        } else if pool.is_leaving(at) && (!is_addressed() || has_panicked()) {
            Some(PassedOver::Leaving)
        } else if !pool.is_enabled(at) && !self.tells_of_disabling(callee) {
            Some(PassedOver::Disabled)
        } else {
            None
        }
    }
}
