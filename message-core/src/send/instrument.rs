//! Instrumented calls: they are traced, or a panic is caught and its component unhooked.

use crate::address::{HookId, MessageeId, Recipient};
use crate::caught::{Panic, caught};
use crate::config::PanicPolicy;
use crate::error::HandlerError;
use crate::error::Receiver;
use crate::handler::Route;
use crate::lifecycle::{HandlerPanicked, Unhooking};
use crate::send::erased::ErasedMessage;
use crate::send::step::settle;
use crate::send::verdict::Verdict;
use crate::send::{Delivery, Sent, Subscribed, receiver_at};
use crate::storage::Pool;
use crate::trace::TraceOutcome;
use crate::world::{Notice, World};

impl Delivery<'_> {
    /// Calls a component whose deliveries are traced.
    #[cold]
    pub(super) fn hand_to_traced(
        &mut self,
        route: &Route,
        pool: &Pool,
        slot: u32,
        message: &mut dyn ErasedMessage,
    ) -> Verdict {
        let sent = self.sent;
        if pool.is_busy(slot as usize, route.shared) {
            return Verdict::Busy;
        }
        let (called, owner, hook) = Called::component(pool, slot, route, sent);
        let run = || {
            let (verdict, error) =
                message.call_one(route.number, pool, slot, sent, &mut self.replies);
            settle(route, pool, slot, error, sent);
            verdict.unwrap_or(Verdict::Busy)
        };
        called.instrumented(sent, run, |panicked| {
            sent.world.unhook_panicked(owner, hook, panicked);
            Verdict::Failed
        })
    }
}

/// The receiver that is called.
#[derive(Clone, Copy)]
struct Called {
    receiver: Receiver,
    hook: Option<HookId>,
    handler: Option<&'static str>,
}

impl Called {
    /// Returns the component in a slot, with its messagee and its hook.
    fn component(
        pool: &Pool,
        slot: u32,
        route: &Route,
        sent: &Sent<'_>,
    ) -> (Self, MessageeId, HookId) {
        let hook = sent.world.structure.keys.hook_in(pool, slot as usize);
        let called = Self {
            receiver: receiver_at(pool, slot as usize),
            hook: Some(hook),
            handler: Some(route.method),
        };
        (called, pool.roster().owner(slot as usize), hook)
    }

    /// Calls `run`, and traces it if the manager is traced. If it panics and the panic is caught, calls
    /// `fall`. Whatever that does is still part of this delivery.
    fn instrumented(
        self,
        sent: &Sent<'_>,
        run: impl FnOnce() -> Verdict,
        fall: impl FnOnce(HandlerPanicked) -> Verdict,
    ) -> Verdict {
        let Self {
            receiver,
            hook,
            handler,
        } = self;
        let world = sent.world;
        if world.listen.subscriptions.are_traced()
            && let Some(table) = sent.facts.table()
        {
            world.trace.count(table.index);
        }
        let traced = world.trace.is_on();
        let traced = traced.then(|| world.trace.called(sent.subject(), receiver, hook, handler));
        let returned = match world.common.config.panic_policy {
            PanicPolicy::Propagate => Ok(run()),
            PanicPolicy::Unhook => caught(run),
        };
        let (returned, outcome) = match returned {
            Ok(returned) => {
                let outcome = returned.into();
                (returned, outcome)
            }
            Err(panic) => (self.fallen(sent, panic, fall), TraceOutcome::Panicked),
        };
        if let Some(traced) = traced {
            traced.returned(outcome);
        }
        returned
    }

    /// Handles a panic. A separate function, so that a call without a panic needs less stack.
    #[cold]
    #[inline(never)]
    fn fallen<T>(
        self,
        sent: &Sent<'_>,
        panic: String,
        fall: impl FnOnce(HandlerPanicked) -> T,
    ) -> T {
        let panicked = HandlerPanicked {
            receiver: self.receiver,
            hook: self.hook,
            handler: self.handler,
            message: sent.message(),
            place: sent.place,
            chain: sent.chain(),
            panic,
        };
        let failures = sent.world.waiting.count_failure();
        let error: HandlerError = Box::new(panicked.clone());
        failures.set_last(error.into());
        fall(panicked)
    }
}

/// Calls the closure of a subscriber by `run`.
#[cold]
pub(crate) fn instrument_listener(
    subscribed: Subscribed,
    sent: &Sent<'_>,
    run: impl FnOnce() -> Verdict,
) -> Verdict {
    let called = Called {
        receiver: Receiver::Subscription(subscribed.id),
        hook: None,
        handler: None,
    };
    called.instrumented(sent, run, |panicked| {
        sent.world.unsubscribe_panicked(subscribed, panicked);
        Verdict::Received
    })
}

/// Calls the predicate of a subscription by `run`. A predicate that panics ends its subscription and
/// returns `false`.
pub(crate) fn ask_predicate(
    subscribed: Subscribed,
    sent: &Sent<'_>,
    run: impl FnOnce() -> bool,
) -> bool {
    let world = sent.world;
    if world.common.config.panic_policy == PanicPolicy::Propagate {
        return run();
    }
    caught(run).unwrap_or_else(|panic| {
        let panicked = HandlerPanicked {
            receiver: Receiver::Subscription(subscribed.id),
            hook: None,
            handler: None,
            message: sent.message(),
            place: sent.place,
            chain: sent.chain(),
            panic,
        };
        world.waiting.count_failure();
        world.unsubscribe_panicked(subscribed, panicked);
        false
    })
}

impl World {
    /// Stops deliveries to a component that has panicked. It is unhooked when the outermost send returns,
    /// and its messagee is notified.
    fn unhook_panicked(&self, messagee: MessageeId, hook: HookId, mut panicked: HandlerPanicked) {
        self.structure.mark_unhooking(hook);
        self.structure.expected.mark_panicked(hook);
        self.later(move |world| {
            let place = panicked.place;
            let is_there = world.structure.find_hook(hook).is_some();
            let notice = Notice::new(messagee, place);
            world.changes().next(move |world| {
                let component = world.changes().detach(hook);
                drop_panicked(component, &mut panicked);
                notice.tell_or_report(world, panicked);
            });
            if is_there {
                Notice::about::<Unhooking>(world, hook, None, place);
            }
        });
    }

    /// Ends a subscription that has panicked. Its owner is notified, or everyone if it has none.
    fn unsubscribe_panicked(&self, subscribed: Subscribed, mut panicked: HandlerPanicked) {
        let Subscribed { id, owner } = subscribed;
        self.listen.subscriptions.end_panicked(id);
        self.later(move |world| {
            let place = panicked.place;
            let closure = world.listen.subscriptions.remove(id);
            drop_panicked(closure, &mut panicked);
            let to = owner.map_or(Recipient::Everyone, Recipient::Id);
            Notice::new(to, place).tell_or_report(world, panicked);
        });
    }
}

/// Drops a value that has panicked. It may be in no state to be dropped; a second panic is added to the
/// report.
fn drop_panicked<T>(what: T, panicked: &mut HandlerPanicked) {
    if let Err(panic) = caught(|| drop(what)) {
        panicked.panic += "; and when it was dropped: ";
        panicked.panic += &panic;
    }
}

impl Sent<'_> {
    /// Reports the caught panic of a component and unhooks it, while nothing is traced.
    #[cold]
    #[inline(never)]
    pub(crate) fn panicked(&self, pool: &Pool, slot: u32, route: &Route, panic: Panic) {
        let panic = panic.text();
        let (called, owner, hook) = Called::component(pool, slot, route, self);
        called.fallen(self, panic, |panicked| {
            self.world.unhook_panicked(owner, hook, panicked);
        });
    }
}
