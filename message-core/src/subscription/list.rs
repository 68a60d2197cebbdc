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
use crate::context::SubscriberContext;
use crate::message::{AnyMessage, Message};
use crate::send::{Sent, Subscribed, Verdict};
use crate::subscription::conditions::Predicate;
use crate::subscription::head::Head;
use crate::subscription::heads::Heads;
use crate::subscription::returned::{InterceptorReturn, SubscriberReturn};
#[cfg(feature = "data")]
use crate::subscription::untyped::Untyped;

/// What a closure can listen to: messages of one type, or `dyn AnyMessage`.
pub(crate) trait Audible: 'static {
    fn of(message: &dyn AnyMessage) -> &Self;
    fn of_mut(message: &mut dyn AnyMessage) -> &mut Self;

    #[cfg(feature = "data")]
    fn as_any(&self) -> &dyn AnyMessage;
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

    #[cfg(feature = "data")]
    fn as_any(&self) -> &dyn AnyMessage {
        self
    }
}

impl Audible for dyn AnyMessage {
    fn of(message: &dyn AnyMessage) -> &Self {
        message
    }

    fn of_mut(message: &mut dyn AnyMessage) -> &mut Self {
        message
    }

    #[cfg(feature = "data")]
    fn as_any(&self) -> &dyn AnyMessage {
        self
    }
}

/// A closure, unless it is running.
pub(crate) trait Closure: Any + Send {
    fn is_running(&self) -> bool;
}

/// A closure with the predicate of its filter.
pub(crate) struct Listener<P, F> {
    when: P,
    closure: RefCell<F>,
}

impl<P, F> Listener<P, F> {
    pub(super) fn boxed(when: P, closure: F) -> Box<Self> {
        let closure = RefCell::new(closure);
        Box::new(Self { when, closure })
    }
}

/// A closure that hears of a message when the addressed have received it.
pub(crate) trait After<S: ?Sized>: Closure {
    /// Calls it, if it is free.
    fn hear(&self, message: &S, sent: &Sent<'_>, subscribed: &Subscribed) -> Verdict;

    /// Asks its predicate.
    fn passes(&self, message: &S) -> bool;
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

    /// Asks its predicate.
    fn passes(&self, message: &S) -> bool;
}

impl<P: Send + 'static, F: Send + 'static> Closure for Listener<P, F> {
    fn is_running(&self) -> bool {
        self.closure.try_borrow_mut().is_err()
    }
}

impl<S: ?Sized, P, F, R> After<S> for Listener<P, F>
where
    P: Predicate<S>,
    F: FnMut(&S, &mut SubscriberContext<'_>) -> R + Send + 'static,
    R: SubscriberReturn,
{
    fn hear(&self, message: &S, sent: &Sent<'_>, subscribed: &Subscribed) -> Verdict {
        let Ok(mut closure) = self.closure.try_borrow_mut() else {
            return Verdict::Busy;
        };
        let returned = closure(message, &mut SubscriberContext::of(sent, *subscribed));
        returned.verdict().0
    }

    fn passes(&self, message: &S) -> bool {
        self.when.passes(message)
    }
}

impl<S: ?Sized, P, F, R> Before<S> for Listener<P, F>
where
    P: Predicate<S>,
    F: FnMut(&mut S, &mut SubscriberContext<'_>) -> R + Send + 'static,
    R: InterceptorReturn,
{
    fn intercept(
        &self,
        message: &mut S,
        sent: &Sent<'_>,
        subscribed: &Subscribed,
    ) -> Option<ControlFlow<()>> {
        let mut closure = self.closure.try_borrow_mut().ok()?;
        let returned = closure(message, &mut SubscriberContext::of(sent, *subscribed));
        Some(returned.flow())
    }

    fn passes(&self, message: &S) -> bool {
        self.when.passes(message)
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
    fn hear(&self, _: &S, _: &Sent<'_>, _: &Subscribed) -> Verdict {
        Verdict::Busy
    }

    fn passes(&self, _: &S) -> bool {
        false
    }
}

impl<S: ?Sized> Before<S> for Vacant {
    fn intercept(&self, _: &mut S, _: &Sent<'_>, _: &Subscribed) -> Option<ControlFlow<()>> {
        None
    }

    fn passes(&self, _: &S) -> bool {
        false
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

impl<F: ?Sized> List<F> {
    fn shrink_to_fit(&mut self) {
        self.closures.shrink_to_fit();
        self.heads.shrink_to_fit();
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

#[cfg(feature = "data")]
impl Listeners<dyn AnyMessage> {
    /// The same listeners, in the same places, in a list of those to one type. None is an interceptor.
    pub(super) fn into_typed<M: Message>(self) -> Listeners<M> {
        let List { closures, heads } = self.after;
        let typed = |closure| Box::new(Untyped(closure)) as Box<dyn After<M>>;
        Listeners {
            before: List::default(),
            after: List {
                closures: closures.into_iter().map(typed).collect(),
                heads,
            },
        }
    }
}

impl<S: ?Sized> Listeners<S> {
    pub(super) fn shrink_to_fit(&mut self) {
        self.before.shrink_to_fit();
        self.after.shrink_to_fit();
    }
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

/// What became of a message at subscribers that were called one after the other.
#[derive(Default)]
pub(crate) struct Heard {
    /// How many were called.
    pub(crate) called: usize,
    /// How many of them declined.
    pub(crate) declined: usize,
    /// The last one has consumed it.
    pub(crate) consumed: bool,
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

    /// Calls the subscriber at that place, if it is free.
    fn hear(&self, at: usize, message: &dyn AnyMessage, sent: &Sent<'_>) -> Verdict;

    /// Asks the predicate of the subscription at that place.
    fn passes(&self, part: Part, at: usize, message: &dyn AnyMessage) -> bool;

    /// Calls the subscribers from that place on, as long as all of the list are plain, they are free,
    /// no place is empty, no message is kept, and none of them consumes the message.
    fn hear_plainly(&self, from: usize, message: &dyn AnyMessage, sent: &Sent<'_>) -> Heard;

    /// Takes out the subscription at that place.
    fn remove(&mut self, part: Part, at: usize, moved: Moved<'_>) -> Box<dyn Any + Send>;

    /// Takes out all subscriptions, and adds their closures with their numbers.
    fn take_all(&mut self, closures: &mut Vec<(u64, Box<dyn Any + Send>)>);

    /// Returns `true` if there are subscribers that hear a message after the addressed, all of them hear everything,
    /// and nobody intercepts it.
    fn are_plain(&self) -> bool;

    fn is_empty(&self) -> bool {
        self.heads(Part::Before).is_empty() && self.heads(Part::After).is_empty()
    }
}

impl<S: Audible + ?Sized> AnyListeners for Listeners<S> {
    fn are_plain(&self) -> bool {
        let after = &self.after.heads;
        after.are_plain() && !after.is_empty() && self.before.heads.is_empty()
    }

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

    fn hear(&self, at: usize, message: &dyn AnyMessage, sent: &Sent<'_>) -> Verdict {
        let subscribed = &self.after.heads.places()[at].subscribed;
        self.after.closures[at].hear(S::of(message), sent, subscribed)
    }

    fn passes(&self, part: Part, at: usize, message: &dyn AnyMessage) -> bool {
        match part {
            Part::Before => self.before.closures[at].passes(S::of(message)),
            Part::After => self.after.closures[at].passes(S::of(message)),
        }
    }

    fn hear_plainly(&self, from: usize, message: &dyn AnyMessage, sent: &Sent<'_>) -> Heard {
        let message = S::of(message);
        let List { closures, heads } = &self.after;
        let places = closures[from..].iter().zip(&heads.places()[from..]);
        let mut heard = Heard::default();
        for (closure, head) in places {
            if !heads.are_plain() {
                break;
            }
            match closure.hear(message, sent, &head.subscribed) {
                Verdict::Received => heard.declined += usize::from(head.is_hidden()),
                Verdict::Busy => break,
                Verdict::Consumed => {
                    heard.called += 1;
                    heard.declined += usize::from(head.is_hidden());
                    heard.consumed = true;
                    break;
                }
                _ => heard.declined += 1,
            }
            heard.called += 1;
            if sent.world.waiting.kept.any() {
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
