//! Deliveries that are attended to: because they are traced, or because a panic shall end with the
//! component.
//!
//! Both ask for something to be done around a call, so they share one flag. While it is set every
//! message takes the long way, as if somebody listened to it, and only there is the flag asked for: the
//! short way knows nothing of it.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::config::PanicPolicy;
use crate::dispatch::call::{Sent, receiver_at};
use crate::dispatch::routes::Route;
use crate::dispatch::run::{RunOne, why_passed_over};
use crate::dispatch::verdict::Verdict;
use crate::error::Receiver;
use crate::lifecycle::HandlerPanicked;
use crate::message::Message;
use crate::storage::AnyPool;
use crate::subscription::Subscriber;
use crate::trace::TraceOutcome;
use crate::world::World;

/// Delivers a message to one component by `run`.
#[cold]
#[inline(never)]
pub(super) fn attend<M: Message>(
    run: RunOne<M>,
    (pool, slot): (&dyn AnyPool, u32),
    (handler, shared): (&'static str, bool),
    message: &mut M,
    sent: &Sent<'_>,
    reply: &mut Option<M::Reply>,
) -> Verdict {
    let world = sent.world;
    let meta = pool.meta(slot as usize);
    let receiver = receiver_at(pool, slot as usize);
    if let Some(why) = why_passed_over(pool, slot as usize, sent) {
        if world.trace.is_on() {
            world.trace.passed_over(sent.subject(), receiver, why);
        }
        return Verdict::NotReceived;
    }
    if pool.is_busy(slot as usize, shared) {
        return Verdict::Busy;
    }
    let called = world.trace.is_on().then(|| {
        let hook = Some(meta.hook);
        world
            .trace
            .called(sent.subject(), receiver, hook, Some(handler))
    });
    let called = called.flatten();
    let mut run = || run(pool, slot, message, sent, reply);
    let verdict = match world.config.panic_policy {
        PanicPolicy::Propagate => Ok(run()),
        // What a panic leaves half done is the component's own, which is not called again, and the
        // message, which those behind it may see half written. What is ours is put right by guards.
        PanicPolicy::Unhook => catch_unwind(AssertUnwindSafe(run)),
    };
    let (verdict, outcome) = match verdict {
        Ok(verdict) => (verdict, verdict.into()),
        Err(panic) => {
            let panicked = HandlerPanicked {
                receiver,
                hook: Some(meta.hook),
                handler: Some(handler),
                message: sent.message(),
                place: sent.place,
                panic: text_of(&*panic),
            };
            world.unhook_panicked(meta.owner, meta.hook, panicked);
            (Verdict::Failed, TraceOutcome::Panicked)
        }
    };
    if let Some(called) = called {
        called.returned(outcome);
    }
    verdict
}

/// What the closure of a subscriber returns.
pub(super) trait Heard {
    /// What it counts as when it has panicked.
    const PANICKED: Self;

    fn outcome(&self) -> TraceOutcome;
}

impl Heard for () {
    const PANICKED: Self = ();

    fn outcome(&self) -> TraceOutcome {
        TraceOutcome::Received
    }
}

impl Heard for ControlFlow<()> {
    const PANICKED: Self = Self::Continue(());

    fn outcome(&self) -> TraceOutcome {
        match self {
            Self::Continue(()) => TraceOutcome::Received,
            Self::Break(()) => TraceOutcome::Consumed,
        }
    }
}

/// Calls the closure of a subscriber by `run`.
#[cold]
pub(super) fn attend_listener<F: ?Sized, T: Heard>(
    subscriber: &Subscriber<F>,
    sent: &Sent<'_>,
    run: impl FnOnce() -> T,
) -> T {
    let world = sent.world;
    let receiver = Receiver::Subscription(subscriber.id());
    let called = world.trace.is_on();
    let called = called.then(|| world.trace.called(sent.subject(), receiver, None, None));
    let called = called.flatten();
    let returned = match world.config.panic_policy {
        PanicPolicy::Propagate => Ok(run()),
        PanicPolicy::Unhook => catch_unwind(AssertUnwindSafe(run)),
    };
    let (returned, outcome) = match returned {
        Ok(returned) => {
            let outcome = returned.outcome();
            (returned, outcome)
        }
        Err(panic) => {
            let panicked = HandlerPanicked {
                receiver,
                hook: None,
                handler: None,
                message: sent.message(),
                place: sent.place,
                panic: text_of(&*panic),
            };
            world.unsubscribe_panicked(subscriber, panicked);
            (T::PANICKED, TraceOutcome::Panicked)
        }
    };
    if let Some(called) = called {
        called.returned(outcome);
    }
    returned
}

/// What a panic said.
fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic that is no text".to_owned())
}

impl World {
    /// Delivers a message to one component by its route, attended to if need be.
    #[inline]
    pub(super) fn run_route<M: Message>(
        &self,
        route: &Route<M>,
        (pool, slot): (&dyn AnyPool, u32),
        message: &mut M,
        sent: &Sent<'_>,
        reply: &mut Option<M::Reply>,
    ) -> Verdict {
        if self.is_attended() {
            let handler = (route.method, route.shared);
            return attend(route.one, (pool, slot), handler, message, sent, reply);
        }
        (route.one)(pool, slot, message, sent, reply)
    }

    /// From now on a component receives nothing; it is unhooked when the outermost send returns,
    /// and its messagee is told.
    fn unhook_panicked(&self, messagee: MessageeId, hook: HookId, mut panicked: HandlerPanicked) {
        self.mark_unhooking(hook);
        self.pending.mark_panicked(hook);
        self.pending.forget_hook(hook);
        self.later(move |world| {
            let place = panicked.place;
            let is_there = world.hooks.get(hook).is_some();
            world.next(Box::new(move |world| {
                let component = world.detach(hook);
                // It may be in no state to be dropped.
                let dropped = catch_unwind(AssertUnwindSafe(|| drop(component)));
                if let Err(panic) = dropped {
                    panicked.panic += "; and when it was dropped: ";
                    panicked.panic += &text_of(&*panic);
                }
                world.tell(messagee, panicked, None, place);
            }));
            if is_there {
                world.announce_unhooking(messagee, hook, None, place);
            }
        });
    }

    /// From now on a subscriber receives nothing; its owner is told, or everyone if it has none.
    fn unsubscribe_panicked<F: ?Sized>(
        &self,
        subscriber: &Subscriber<F>,
        mut panicked: HandlerPanicked,
    ) {
        let (id, owner) = (subscriber.id(), subscriber.subscribed.owner);
        self.subscriptions.end(id);
        self.later(move |world| {
            let place = panicked.place;
            let closure = world.subscriptions.remove(id);
            let dropped = catch_unwind(AssertUnwindSafe(|| drop(closure)));
            if let Err(panic) = dropped {
                panicked.panic += "; and when it was dropped: ";
                panicked.panic += &text_of(&*panic);
            }
            let to = owner.map_or(Recipient::Everyone, Recipient::Id);
            let sent = Sent::outside::<HandlerPanicked>(world, Sender::Manager, &to, place);
            // An owner that is gone needs to be told nothing.
            let _ = world.send(&sent, panicked);
        });
    }
}
