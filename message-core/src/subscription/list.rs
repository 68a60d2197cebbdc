//! The closures that listen to one message type, or to all.
//!
//! Each list holds its closures apart from what else is known of the subscriptions
//! ([`Head`]): most often all of them hear everything, and then a message goes from closure to
//! closure with nothing else to read. Each closure is called by a function of its own type, so that one
//! that asks nothing of its context is not given one.
//!
//! Where a subscription was taken out stands a closure that is never free until the list is compacted
//! (see [`Heads`]): so the walk over the closures need not ask which places are empty.

use std::any::Any;
use std::cell::RefCell;
use std::ops::ControlFlow;

use crate::address::SubscriptionId;
use crate::dispatch::{Sent, Subscribed, SubscriberContext};
use crate::message::{AnyMessage, Message};
use crate::subscription::head::Head;
use crate::subscription::heads::Heads;

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
pub(crate) trait Closure: Any + Send {
    fn is_running(&self) -> bool;
}

/// A closure that hears of a message when the addressed have received it.
pub(crate) trait After<S: ?Sized>: Closure {
    /// Calls it. Returns `true` if it was free.
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

impl<F: Send + 'static> Closure for RefCell<F> {
    fn is_running(&self) -> bool {
        self.try_borrow_mut().is_err()
    }
}

impl<S: ?Sized, F> After<S> for RefCell<F>
where
    F: FnMut(&S, &mut SubscriberContext<'_>) + Send + 'static,
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
    F: FnMut(&mut S, &mut SubscriberContext<'_>) -> ControlFlow<()> + Send + 'static,
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

/// Stands in an empty place: a closure that is never free, and never running.
struct Vacant;

impl Closure for Vacant {
    fn is_running(&self) -> bool {
        false
    }
}

impl<S: ?Sized> After<S> for Vacant {
    fn hear(&self, _: &S, _: &Sent<'_>, _: &Subscribed) -> bool {
        false
    }
}

impl<S: ?Sized> Before<S> for Vacant {
    fn intercept(&self, _: &mut S, _: &Sent<'_>, _: &Subscribed) -> Option<ControlFlow<()>> {
        None
    }
}

/// By which interface the closures of a list are called.
pub(super) trait Interface: Closure {
    /// What stands in an empty place; takes no memory.
    fn vacant() -> Box<Self>;

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send>;
}

impl<S: ?Sized + 'static> Interface for dyn After<S> {
    fn vacant() -> Box<Self> {
        Box::new(Vacant)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }
}

impl<S: ?Sized + 'static> Interface for dyn Before<S> {
    fn vacant() -> Box<Self> {
        Box::new(Vacant)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }
}

/// Is told of a subscription that has another place in its list now, and of that place.
pub(super) type Moved<'m> = &'m mut dyn FnMut(SubscriptionId, usize);

/// Subscriptions in the order subscribed.
pub(super) struct List<F: ?Sized> {
    closures: Vec<Box<F>>,
    heads: Heads,
}

impl<F: ?Sized> Default for List<F> {
    fn default() -> Self {
        Self {
            closures: Vec::new(),
            heads: Heads::default(),
        }
    }
}

impl<F: Interface + ?Sized> List<F> {
    /// Adds a subscription behind those that were made before. Returns its place.
    pub(super) fn push(&mut self, head: Head, closure: Box<F>) -> usize {
        if self.closures.is_empty() {
            self.closures.reserve_exact(1);
        }
        self.closures.push(closure);
        self.heads.push(head)
    }

    fn remove(&mut self, at: usize, moved: Moved<'_>) -> Box<dyn Any + Send> {
        self.heads.vacate(at);
        let closure = std::mem::replace(&mut self.closures[at], F::vacant());
        self.heads.compact_with(&mut self.closures, moved);
        closure.into_any()
    }

    /// Takes out all closures, each with its number.
    fn take_all(&mut self) -> impl Iterator<Item = (u64, Box<dyn Any + Send>)> {
        let Self { closures, heads } = std::mem::take(self);
        let places = heads.into_iter().zip(closures);
        let listed = places.filter(|(head, _)| !head.is_vacant());
        listed.map(|(head, closure)| (head.number, closure.into_any()))
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

/// The two lists of [`AnyListeners`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The interceptors.
    Before,
    /// Those that hear of a message when the addressed have received it.
    After,
}

/// The listeners of a message type that is not known here, or those to all types.
pub(crate) trait AnyListeners: Any + Send {
    fn heads(&self, part: Part) -> &Heads;

    /// Returns `true` if the closure at that place is running.
    fn is_running(&self, part: Part, at: usize) -> bool;

    /// Calls the interceptor at that place, if it is free.
    fn intercept(
        &self,
        at: usize,
        message: &mut dyn AnyMessage,
        sent: &Sent<'_>,
    ) -> Option<ControlFlow<()>>;

    /// Calls the subscriber at that place. Returns `true` if it was free.
    fn hear(&self, at: usize, message: &dyn AnyMessage, sent: &Sent<'_>) -> bool;

    /// Calls the subscribers from that place on, as long as all of the list are plain, they are
    /// free, no place is empty, and no message is kept. Returns how many have been called.
    fn hear_plainly(&self, from: usize, message: &dyn AnyMessage, sent: &Sent<'_>) -> usize;

    /// Takes out the subscription at that place.
    fn remove(&mut self, part: Part, at: usize, moved: Moved<'_>) -> Box<dyn Any + Send>;

    /// Takes out all subscriptions, and adds their closures with their numbers.
    fn take_all(&mut self, closures: &mut Vec<(u64, Box<dyn Any + Send>)>);

    fn is_empty(&self) -> bool {
        self.heads(Part::Before).is_empty() && self.heads(Part::After).is_empty()
    }
}

impl<S: Audible + ?Sized> AnyListeners for Listeners<S> {
    fn heads(&self, part: Part) -> &Heads {
        match part {
            Part::Before => &self.before.heads,
            Part::After => &self.after.heads,
        }
    }

    fn is_running(&self, part: Part, at: usize) -> bool {
        match part {
            Part::Before => self.before.closures[at].is_running(),
            Part::After => self.after.closures[at].is_running(),
        }
    }

    fn intercept(
        &self,
        at: usize,
        message: &mut dyn AnyMessage,
        sent: &Sent<'_>,
    ) -> Option<ControlFlow<()>> {
        let subscribed = &self.before.heads.places()[at].subscribed;
        self.before.closures[at].intercept(S::of_mut(message), sent, subscribed)
    }

    fn hear(&self, at: usize, message: &dyn AnyMessage, sent: &Sent<'_>) -> bool {
        let subscribed = &self.after.heads.places()[at].subscribed;
        self.after.closures[at].hear(S::of(message), sent, subscribed)
    }

    fn hear_plainly(&self, from: usize, message: &dyn AnyMessage, sent: &Sent<'_>) -> usize {
        let message = S::of(message);
        let List { closures, heads } = &self.after;
        let places = closures[from..].iter().zip(&heads.places()[from..]);
        let mut heard = 0;
        for (closure, head) in places {
            if !heads.are_plain() || !closure.hear(message, sent, &head.subscribed) {
                break;
            }
            heard += 1;
            if sent.world.kept.any() {
                break;
            }
        }
        heard
    }

    fn remove(&mut self, part: Part, at: usize, moved: Moved<'_>) -> Box<dyn Any + Send> {
        match part {
            Part::Before => self.before.remove(at, moved),
            Part::After => self.after.remove(at, moved),
        }
    }

    fn take_all(&mut self, closures: &mut Vec<(u64, Box<dyn Any + Send>)>) {
        closures.extend(self.before.take_all());
        closures.extend(self.after.take_all());
    }
}
