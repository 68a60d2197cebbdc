//! The closures that listen to one message type, or to all.
//!
//! Each list holds its closures apart from what else is known of the subscriptions
//! ([`Head`]): most often all of them hear everything, and then a message goes from closure to
//! closure with nothing else to read. Each closure is called by a function of its own type, so that one
//! that asks nothing of its context is not given one.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use crate::address::SubscriptionId;
use crate::caught::FirstPanic;
use crate::dispatch::{Sent, Subscribed, SubscriberContext};
use crate::message::{AnyMessage, Message};
use crate::subscription::head::Head;

/// What a closure can listen to: messages of one type, or `dyn AnyMessage`.
pub(crate) trait Audible: 'static {
    fn of(message: &dyn AnyMessage) -> &Self;
    fn of_mut(message: &mut dyn AnyMessage) -> &mut Self;
}

const OF_TYPE: &str = "listeners stand at the index of their message type";

impl<M: Message> Audible for M {
    #[inline]
    fn of(message: &dyn AnyMessage) -> &Self {
        message.downcast_ref().expect(OF_TYPE)
    }

    #[inline]
    fn of_mut(message: &mut dyn AnyMessage) -> &mut Self {
        message.downcast_mut().expect(OF_TYPE)
    }
}

impl Audible for dyn AnyMessage {
    fn of(message: &dyn AnyMessage) -> &Self {
        message
    }

    fn of_mut(message: &mut dyn AnyMessage) -> &mut Self {
        message
    }
}

/// A closure, unless it is running.
pub(crate) trait Closure: Send {
    fn is_running(&self) -> bool;
}

/// A closure that hears of a message when the addressed have received it.
pub(crate) trait After<S: ?Sized>: Closure {
    /// Calls it. Whether it was free.
    fn hear(&self, message: &S, sent: &Sent<'_>, subscribed: &Subscribed) -> bool;
}

/// A closure that receives a message before the addressed do.
pub(crate) trait Before<S: ?Sized>: Closure {
    /// Calls it, if it is free.
    fn intercept(
        &self,
        message: &mut S,
        sent: &Sent<'_>,
        subscribed: &Subscribed,
    ) -> Option<ControlFlow<()>>;
}

impl<F: Send> Closure for RefCell<F> {
    fn is_running(&self) -> bool {
        self.try_borrow_mut().is_err()
    }
}

impl<S: ?Sized, F> After<S> for RefCell<F>
where
    F: FnMut(&S, &mut SubscriberContext<'_>) + Send,
{
    fn hear(&self, message: &S, sent: &Sent<'_>, subscribed: &Subscribed) -> bool {
        let Ok(mut closure) = self.try_borrow_mut() else {
            return false;
        };
        closure(message, &mut SubscriberContext::of(sent, *subscribed));
        true
    }
}

impl<S: ?Sized, F> Before<S> for RefCell<F>
where
    F: FnMut(&mut S, &mut SubscriberContext<'_>) -> ControlFlow<()> + Send,
{
    fn intercept(
        &self,
        message: &mut S,
        sent: &Sent<'_>,
        subscribed: &Subscribed,
    ) -> Option<ControlFlow<()>> {
        let mut closure = self.try_borrow_mut().ok()?;
        Some(closure(
            message,
            &mut SubscriberContext::of(sent, *subscribed),
        ))
    }
}

/// Subscriptions in the order subscribed.
pub(super) struct List<F: ?Sized> {
    closures: Vec<Box<F>>,
    heads: Vec<Head>,
    /// Whether all are plain.
    plain: Cell<bool>,
}

impl<F: ?Sized> Default for List<F> {
    fn default() -> Self {
        Self {
            closures: Vec::new(),
            heads: Vec::new(),
            plain: Cell::new(true),
        }
    }
}

impl<F: Closure + ?Sized> List<F> {
    pub(super) fn push(&mut self, head: Head, closure: Box<F>) {
        self.closures.push(closure);
        self.heads.push(head);
        self.find_plain();
    }

    fn position(&self, id: SubscriptionId) -> Option<usize> {
        self.heads.iter().position(|head| head.id() == id)
    }

    fn head(&self, id: SubscriptionId) -> Option<&Head> {
        self.heads.iter().find(|head| head.id() == id)
    }

    fn end(&self, id: SubscriptionId) -> bool {
        let ended = self.head(id).is_some_and(Head::end);
        if ended {
            self.plain.set(false);
        }
        ended
    }

    fn is_running(&self, id: SubscriptionId) -> bool {
        self.position(id)
            .is_some_and(|at| self.closures[at].is_running())
    }

    fn remove(&mut self, id: SubscriptionId) -> Option<Box<F>> {
        let at = self.position(id)?;
        self.heads.remove(at);
        let closure = self.closures.remove(at);
        self.find_plain();
        Some(closure)
    }

    fn find_plain(&self) {
        self.plain.set(self.heads.iter().all(Head::is_plain));
    }
}

/// The closures that listen to messages of type `S`, or to `dyn AnyMessage`.
pub(super) struct Listeners<S: ?Sized> {
    pub(super) before: List<dyn Before<S>>,
    pub(super) after: List<dyn After<S>>,
}

impl<S: ?Sized> Default for Listeners<S> {
    fn default() -> Self {
        Self {
            before: List::default(),
            after: List::default(),
        }
    }
}

/// The listeners of a message type that is not known here, or those to all types.
pub(crate) trait AnyListeners: Any + Send {
    /// The interceptors.
    fn before(&self) -> &[Head];

    /// Those that hear of a message when the addressed have received it.
    fn after(&self) -> &[Head];

    /// Whether the interceptor at that place is running.
    fn is_running_before(&self, at: usize) -> bool;

    /// Whether the subscriber at that place is running.
    fn is_running_after(&self, at: usize) -> bool;

    /// Calls the interceptor at that place, if it is free.
    fn intercept(
        &self,
        at: usize,
        message: &mut dyn AnyMessage,
        sent: &Sent<'_>,
    ) -> Option<ControlFlow<()>>;

    /// Calls the subscriber at that place. Whether it was free.
    fn hear(&self, at: usize, message: &dyn AnyMessage, sent: &Sent<'_>) -> bool;

    /// Calls the subscribers from that place on, as long as all of the list are plain, they are free,
    /// and no message is kept. How many have been called.
    fn hear_plainly(&self, from: usize, message: &dyn AnyMessage, sent: &Sent<'_>) -> usize;

    /// From now on a subscription receives nothing. Whether it did up to now.
    fn end(&self, id: SubscriptionId) -> bool;

    /// Whether a subscription receives nothing more.
    fn has_ended(&self, id: SubscriptionId) -> bool;

    /// Whether a subscription's closure is running.
    fn is_running(&self, id: SubscriptionId) -> bool;

    /// A message is kept for a subscription, or is not any more. Whether that can be.
    fn set_reserved(&self, id: SubscriptionId, reserved: bool) -> bool;

    /// Takes a subscription out.
    fn remove(&mut self, id: SubscriptionId) -> Option<Box<dyn Any + Send>>;

    /// Drops every closure, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);

    fn is_empty(&self) -> bool {
        self.before().is_empty() && self.after().is_empty()
    }
}

impl<S: Audible + ?Sized> AnyListeners for Listeners<S> {
    fn before(&self) -> &[Head] {
        &self.before.heads
    }

    fn after(&self) -> &[Head] {
        &self.after.heads
    }

    fn is_running_before(&self, at: usize) -> bool {
        self.before.closures[at].is_running()
    }

    fn is_running_after(&self, at: usize) -> bool {
        self.after.closures[at].is_running()
    }

    fn intercept(
        &self,
        at: usize,
        message: &mut dyn AnyMessage,
        sent: &Sent<'_>,
    ) -> Option<ControlFlow<()>> {
        let subscribed = &self.before.heads[at].subscribed;
        self.before.closures[at].intercept(S::of_mut(message), sent, subscribed)
    }

    fn hear(&self, at: usize, message: &dyn AnyMessage, sent: &Sent<'_>) -> bool {
        let subscribed = &self.after.heads[at].subscribed;
        self.after.closures[at].hear(S::of(message), sent, subscribed)
    }

    fn hear_plainly(&self, from: usize, message: &dyn AnyMessage, sent: &Sent<'_>) -> usize {
        let message = S::of(message);
        let (closures, heads) = (&self.after.closures[from..], &self.after.heads[from..]);
        let mut heard = 0;
        for (closure, head) in closures.iter().zip(heads) {
            if !self.after.plain.get() || !closure.hear(message, sent, &head.subscribed) {
                break;
            }
            heard += 1;
            if sent.world.kept.any() {
                break;
            }
        }
        heard
    }

    fn end(&self, id: SubscriptionId) -> bool {
        self.before.end(id) || self.after.end(id)
    }

    fn has_ended(&self, id: SubscriptionId) -> bool {
        let head = self.before.head(id).or_else(|| self.after.head(id));
        head.is_some_and(|head| !head.still_hears())
    }

    fn is_running(&self, id: SubscriptionId) -> bool {
        self.before.is_running(id) || self.after.is_running(id)
    }

    fn set_reserved(&self, id: SubscriptionId, reserved: bool) -> bool {
        let head = self.after.head(id);
        head.is_some_and(|head| head.set_reserved(reserved))
    }

    fn remove(&mut self, id: SubscriptionId) -> Option<Box<dyn Any + Send>> {
        if let Some(closure) = self.before.remove(id) {
            return Some(Box::new(closure));
        }
        Some(Box::new(self.after.remove(id)?))
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        panics.drop_each(self.before.closures.drain(..));
        panics.drop_each(self.after.closures.drain(..));
    }
}
