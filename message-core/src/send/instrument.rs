//! Instrumented calls: they are traced, or a panic is caught and its component unhooked.

use crate::address::{HookId, MessageeId, Recipient};
use crate::caught::{Panic, catch, caught};
use crate::config::PanicPolicy;
use crate::error::{HandlerError, Receiver};
use crate::lifecycle::{HandlerPanicked, Unhooking};
use crate::message::AnyMessage;
use crate::report::Report;
use crate::send::{Callee, ReceiverSlot, Replies, Sent, Subscribed, Verdict};
use crate::world::Notice;

/// The receiver that is called.
#[derive(Clone, Copy)]
enum Called<'a> {
    Component(&'a Callee<'a>),
    Subscription(Subscribed),
}

impl Sent<'_> {
    /// Like [`call`](Self::call), where calls are traced or panics are caught.
    #[inline(never)]
    pub(super) fn call_instrumented(
        &self,
        callee: &Callee<'_>,
        message: &mut dyn AnyMessage,
        replies: &mut Replies<'_>,
    ) -> Verdict {
        let receiver = Called::Component(callee);
        let run = || callee.call(self, message, replies);
        let returned = if !self.is_traced() {
            self.catch(receiver, run)
        } else if callee.pool.is_busy(callee.at(), callee.route.row.shared) {
            // The trace does not have the call of a component that is busy.
            Some(Verdict::NotCalled)
        } else {
            self.instrument(receiver, run)
        };
        if returned.is_none() {
            self.deliver_kept(callee);
        }
        returned.unwrap_or(Verdict::Failed(()))
    }

    /// Ends the component in a slot after a panic that was caught around its call.
    #[cold]
    pub(super) fn end_panicked_at(&self, at: ReceiverSlot, panic: Panic) -> Verdict {
        if let Some(callee) = self.callee(at) {
            self.end_panicked(Called::Component(&callee), panic);
            self.deliver_kept(&callee);
        }
        Verdict::Failed(())
    }

    /// Runs `run`, which calls the closure of a subscriber.
    #[cold]
    pub(crate) fn call_listener(
        &self,
        subscribed: Subscribed,
        run: impl FnOnce() -> Verdict,
    ) -> Verdict {
        let returned = self.instrument(Called::Subscription(subscribed), run);
        returned.unwrap_or(Verdict::Received)
    }

    /// Runs `run`, which calls the predicate of a subscription. If it panics, ends the subscription and returns `false`.
    pub(crate) fn ask_predicate(&self, subscribed: Subscribed, run: impl FnOnce() -> bool) -> bool {
        let asked = self.catch(Called::Subscription(subscribed), run);
        asked.unwrap_or(false)
    }

    /// Runs `run`, which calls a receiver, and traces it if the manager is traced. Returns `None` after a panic that is caught.
    fn instrument(&self, called: Called<'_>, run: impl FnOnce() -> Verdict) -> Option<Verdict> {
        let trace = &self.world.trace;
        if self.is_traced()
            && let Some(table) = self.facts.table()
        {
            trace
                .free_sinks()
                .for_each(|mut sink| sink.called(table.index));
        }
        let traced = trace.is_on().then(|| {
            let (receiver, hook, handler) = self.describe(called);
            let structure = &self.world.structure;
            trace.called(structure, self.subject(), receiver, hook, handler)
        });
        // The consequences of a panic are still part of the delivery.
        let returned = self.catch(called, run);
        if let (Some(traced), Some(verdict)) = (traced, returned) {
            traced.returned(verdict.into());
        }
        returned
    }

    /// Calls `run` for a receiver. If that panics and the policy is to catch it, ends the receiver and returns `None`.
    fn catch<T>(&self, called: Called<'_>, run: impl FnOnce() -> T) -> Option<T> {
        match self.world.common.config.panic_policy {
            PanicPolicy::Propagate => Some(run()),
            PanicPolicy::Unhook => {
                let end_panicked = |panic| self.end_panicked(called, panic);
                catch(run).map_err(end_panicked).ok()
            }
        }
    }

    /// Counts a panic, and ends the receiver. A separate function, so that a call without a panic needs less stack.
    #[cold]
    fn end_panicked(&self, called: Called<'_>, panic: Panic) {
        let (receiver, hook, handler) = self.describe(called);
        let panicked = HandlerPanicked {
            receiver,
            hook,
            handler,
            message: self.message(),
            place: self.place,
            chain: self.chain(),
            panic: panic.text(),
        };
        let failures = self.world.waiting.count_failure();
        let error: HandlerError = Box::new(panicked.clone());
        failures.set_last(error.into());
        match called {
            Called::Component(it) => {
                let (owner, hook) = (it.pool.owner(it.at()), self.hook_of(it));
                self.unhook_panicked(owner, hook, panicked);
            }
            Called::Subscription(it) => self.unsubscribe_panicked(it, panicked),
        }
    }

    /// Returns the receiver, and of a component its hook and the name of its handler.
    fn describe(&self, called: Called<'_>) -> (Receiver, Option<HookId>, Option<&'static str>) {
        match called {
            Called::Component(it) => {
                let (hook, method) = (self.hook_of(it), it.route.row.spec.method);
                (it.receiver(), Some(hook), Some(method))
            }
            Called::Subscription(it) => (it.receiver(), None, None),
        }
    }

    /// Stops deliveries to a component that has panicked. It is unhooked when the outermost send returns,
    /// and its messagee is notified.
    fn unhook_panicked(&self, messagee: MessageeId, hook: HookId, mut panicked: HandlerPanicked) {
        let structure = &self.world.structure;
        structure.mark_unhooking(hook);
        structure.expected.panicked.borrow_mut().push(hook);
        self.world.later(move |world| {
            let place = panicked.place;
            let is_there = world.structure.find_hook(hook).is_some();
            let notice = Notice::new(messagee, place);
            world.changes().next(move |world| {
                let component = world.changes().detach(hook);
                drop_panicked(component, &mut panicked);
                notice.tell_or_report(world, panicked, Report::HandlerPanicked);
            });
            if is_there {
                Notice::about::<Unhooking>(world, hook, None, place);
            }
        });
    }

    /// Ends a subscription that has panicked. Its owner is notified, or everyone if it has none.
    fn unsubscribe_panicked(&self, it: Subscribed, mut panicked: HandlerPanicked) {
        let Subscribed { id, owner } = it;
        self.world.listen.subscriptions.end(id);
        self.world.later(move |world| {
            let place = panicked.place;
            let closure = world.listen.subscriptions.remove(id);
            drop_panicked(closure, &mut panicked);
            let to = owner.map_or(Recipient::Everyone, Recipient::Id);
            Notice::new(to, place).tell_or_report(world, panicked, Report::HandlerPanicked);
        });
    }
}

/// Drops a component or a closure that has panicked. It may be in no state to be dropped; a second panic is added to
/// the report.
fn drop_panicked<T>(what: T, panicked: &mut HandlerPanicked) {
    if let Err(panic) = caught(|| drop(what)) {
        panicked.panic += "; and when it was dropped: ";
        panicked.panic += &panic;
    }
}
