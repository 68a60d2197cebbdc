//! The closures that subscriptions hand their messages to.

use std::any::Any;
use std::cell::RefCell;
use std::marker::PhantomData;

use crate::context::SubscriberContext;
use crate::message::{AnyMessage, Message, MessageIndex, index_of};
use crate::send::{Sent, Subscribed, Verdict};
use crate::subscription::terms::Predicate;
use crate::tag::TagSet;

/// The messages that a filter is about: those of one type, or all as `dyn AnyMessage`.
pub(super) trait Subject: 'static {
    /// Returns the index and the tags of the type, if it is one.
    fn of() -> Option<(MessageIndex, TagSet)>;

    fn read(message: &dyn AnyMessage) -> &Self;

    fn change(message: &mut dyn AnyMessage) -> &mut Self;
}

const OF_TYPE: &str = "listeners are listed by the type of their messages";

impl<M: Message> Subject for M {
    fn of() -> Option<(MessageIndex, TagSet)> {
        let Some(of) = index_of::<M>() else {
            panic!(
                "nobody can subscribe to `{}`: its type is not in the registry; register it with \
                 `Registry::builder()` before the first manager is made",
                M::NAME
            );
        };
        Some((of, M::FACTS.tags()))
    }

    #[inline]
    fn read(message: &dyn AnyMessage) -> &Self {
        message.downcast_ref().expect(OF_TYPE)
    }

    #[inline]
    fn change(message: &mut dyn AnyMessage) -> &mut Self {
        message.downcast_mut().expect(OF_TYPE)
    }
}

impl Subject for dyn AnyMessage {
    fn of() -> Option<(MessageIndex, TagSet)> {
        None
    }

    fn read(message: &dyn AnyMessage) -> &Self {
        message
    }

    fn change(message: &mut dyn AnyMessage) -> &mut Self {
        message
    }
}

/// A closure with the predicate of its filter.
pub(crate) trait Listener: Any + Send {
    /// Calls the closure, unless it is running.
    fn call(
        &self,
        message: &mut dyn AnyMessage,
        sent: &Sent<'_>,
        subscribed: Subscribed,
    ) -> Verdict;

    /// Asks the predicate.
    fn passes(&self, message: &dyn AnyMessage) -> bool;

    fn is_running(&self) -> bool;
}

struct Closure<S: ?Sized, P, F> {
    when: P,
    closure: RefCell<F>,
    subject: PhantomData<fn(&S)>,
}

impl<S, P, F> Listener for Closure<S, P, F>
where
    S: Subject + ?Sized,
    P: Predicate<S>,
    F: FnMut(&mut S, &mut SubscriberContext<'_>) -> Verdict + Send + 'static,
{
    fn call(
        &self,
        message: &mut dyn AnyMessage,
        sent: &Sent<'_>,
        subscribed: Subscribed,
    ) -> Verdict {
        let Ok(mut closure) = self.closure.try_borrow_mut() else {
            return Verdict::Busy;
        };
        closure(
            S::change(message),
            &mut SubscriberContext::of(sent, subscribed),
        )
    }

    fn passes(&self, message: &dyn AnyMessage) -> bool {
        self.when.passes(S::read(message))
    }

    fn is_running(&self) -> bool {
        self.closure.try_borrow_mut().is_err()
    }
}

/// Makes a listener of a closure and a predicate.
pub(super) fn listener<S: Subject + ?Sized, P: Predicate<S>>(
    when: P,
    closure: impl FnMut(&mut S, &mut SubscriberContext<'_>) -> Verdict + Send + 'static,
) -> Box<dyn Listener> {
    Box::new(Closure {
        when,
        closure: RefCell::new(closure),
        subject: PhantomData,
    })
}

/// Makes the listener of a messagee that overhears. It is never called: the messagee's components are.
pub(super) fn overhearer<S: Subject + ?Sized>(when: impl Predicate<S>) -> Box<dyn Listener> {
    listener(when, |_: &mut S, _| Verdict::NotReceived)
}
