//! The closures that subscriptions hand their messages to, as long as their types are known.

use std::any::Any;
use std::cell::RefCell;

use crate::context::SubscriberContext;
use crate::message::{AnyMessage, Message, MessageIndex};
use crate::send::{Frame, Sent, Subscribed, Verdict};
use crate::subscription::filter::When;
use crate::tag::TagSet;

/// The messages that a filter is about: those of one type, or all as `dyn AnyMessage`.
pub(crate) trait Subject: 'static {
    /// `true` for `dyn AnyMessage`.
    const IS_ANY: bool;

    /// Returns the index and the tags of the type, if it is one.
    fn of() -> Option<(MessageIndex, TagSet)>;

    fn read(message: &dyn AnyMessage) -> &Self;

    fn change(message: &mut dyn AnyMessage) -> &mut Self;
}

const OF_TYPE: &str = "listeners are listed by the type of their messages";

impl<M: Message> Subject for M {
    const IS_ANY: bool = false;

    fn of() -> Option<(MessageIndex, TagSet)> {
        let Some(of) = M::FACTS.index() else {
            panic!(
                "cannot subscribe to `{}`: its type is not in the registry; register it with \
                 `Registry::builder()` before the first manager is made",
                M::NAME
            );
        };
        Some((of, M::FACTS.tags()))
    }

    fn read(message: &dyn AnyMessage) -> &Self {
        message.downcast_ref().expect(OF_TYPE)
    }

    fn change(message: &mut dyn AnyMessage) -> &mut Self {
        message.downcast_mut().expect(OF_TYPE)
    }
}

impl Subject for dyn AnyMessage {
    const IS_ANY: bool = true;

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

/// A closure with the predicate of its filter, for messages of type `S` or for `dyn AnyMessage`.
pub trait Hear<S: ?Sized>: Any + Send {
    /// Calls the closure, unless it is running.
    fn call(&self, message: &mut S, sent: &Sent<'_>, subscribed: &Subscribed) -> Verdict;

    /// Returns `true` if there is a predicate.
    fn asks(&self) -> bool {
        false
    }

    /// Asks the predicate.
    fn passes(&self, _message: &S) -> bool {
        true
    }

    fn is_running(&self) -> bool {
        false
    }
}

pub(super) struct Closure<S: ?Sized, F> {
    when: Vec<When<S>>,
    closure: RefCell<F>,
}

impl<S: ?Sized, F> Closure<S, F> {
    pub(super) fn boxed(when: Vec<When<S>>, closure: F) -> Box<Self> {
        let closure = RefCell::new(closure);
        Box::new(Self { when, closure })
    }
}

impl<S, F> Hear<S> for Closure<S, F>
where
    S: ?Sized + 'static,
    F: FnMut(&mut S, &mut SubscriberContext<'_>) -> Verdict + Send + 'static,
{
    fn call(&self, message: &mut S, sent: &Sent<'_>, subscribed: &Subscribed) -> Verdict {
        let Ok(mut closure) = self.closure.try_borrow_mut() else {
            return Verdict::NotCalled;
        };
        let frame = Frame::of_subscription(sent, *subscribed);
        closure(message, &mut SubscriberContext::new(frame))
    }

    fn asks(&self) -> bool {
        !self.when.is_empty()
    }

    fn passes(&self, message: &S) -> bool {
        self.when.iter().all(|when| when(message))
    }

    fn is_running(&self) -> bool {
        self.closure.try_borrow_mut().is_err()
    }
}

/// Makes the closure of a messagee that overhears what passes a predicate. Its components are called instead.
pub fn overhearer(when: Vec<When<dyn AnyMessage>>) -> Box<dyn Hear<dyn AnyMessage>> {
    let nobody = |_: &mut dyn AnyMessage, _: &mut SubscriberContext<'_>| Verdict::NotReceived;
    Closure::boxed(when, nobody)
}
