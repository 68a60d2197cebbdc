//! Filters and closures that fit each other.

use crate::address::{MessageeId, SubscriptionId};
use crate::context::SubscriberContext;
use crate::message::{AnyMessage, Message};
use crate::send::{Missed, Subscribed};
use crate::subscription::filter::Filter;
use crate::subscription::interceptor::Interceptor;
use crate::subscription::listener::{Closure, Hear, Subject};
use crate::subscription::returned::{InterceptorReturn, SubscriberReturn};
use crate::subscription::terms::Predicate;
use crate::world::World;

/// The access of a filter to a manager; opaque outside this crate.
#[doc(hidden)]
#[derive(Debug)]
pub struct WorldAccess<'w> {
    world: &'w mut World,
    subscribed: Subscribed,
}

impl<'w> WorldAccess<'w> {
    /// Gives access for a subscription with that id and that owner.
    pub(crate) fn of(world: &'w mut World, id: SubscriptionId, owner: Option<MessageeId>) -> Self {
        let subscribed = Subscribed { id, owner };
        Self { world, subscribed }
    }

    /// Adds the subscription.
    pub(super) fn enter<S: Subject + ?Sized, P>(
        &mut self,
        filter: Filter<S, P>,
        closure: impl FnOnce(P) -> Box<dyn Hear<S>>,
    ) {
        // Before anything is changed: it panics if the type is not in the registry.
        let of = S::of();
        let Filter {
            conditions,
            options,
            when,
            ..
        } = filter;
        let subscriptions = &mut self.world.listen.subscriptions;
        let list = subscriptions.enter(self.subscribed, of, (options, conditions));
        list.push_closure(closure(when));
        if options.retained {
            let id = self.subscribed.id;
            subscriptions.miss_all(id);
            self.world
                .changes()
                .next(move |world| Missed::by(id, world).tell());
        }
    }
}

/// A filter together with a closure that can receive what passes it. Implemented for every fitting
/// pair; not to be implemented elsewhere.
///
/// | filter | closure |
/// |---|---|
/// | `Filter::of::<M>()` | <code>\|message: &M, cx: &mut [SubscriberContext]<'_>\|</code> |
/// | `Filter::any()` | <code>\|message: &dyn [AnyMessage], cx: &mut [SubscriberContext]<'_>\|</code> |
/// | `Filter::of::<M>().before()` | <code>\|message: &mut M, cx: &mut [SubscriberContext]<'_>\|</code> |
/// | `Filter::any().before()` | <code>\|message: &mut dyn [AnyMessage], cx: &mut [SubscriberContext]<'_>\|</code> |
///
/// [`SubscriberReturn`] lists what it may return, and [`InterceptorReturn`] for `before()`.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// manager.subscribe(Filter::of::<Ping>(), |_: &Ping, _| {});
/// manager.subscribe(Filter::any(), |message, _| assert!(message.is::<Ping>()));
/// assert_eq!(manager.send(Everyone, Ping)?.received, 2);
/// # Ok::<(), SendError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this is no filter, or its subscriber does not fit it",
    label = "no filter for this subscriber",
    note = "with `Filter::of::<M>()` a subscriber is `|message: &M, cx| {{ .. }}`, with \
            `Filter::any()` it is `|message: &dyn AnyMessage, cx| {{ .. }}`",
    note = "it returns nothing, `bool` or `ControlFlow<()>`",
    note = "with `before()` it takes `&mut` and returns nothing or `ControlFlow<()>`",
    note = "a closure that is kept is `move`, and what it captures is `Send + 'static`"
)]
pub trait Listen<F>: sealed::Sealed + Send + 'static {
    #[doc(hidden)]
    fn enter(self, closure: F, world: &mut WorldAccess<'_>);
}

mod sealed {
    pub trait Sealed {}
    impl<S: ?Sized, P> Sealed for super::Filter<S, P> {}
    impl<S: ?Sized, P> Sealed for super::Interceptor<S, P> {}
}

impl<M, P, F, R> Listen<F> for Filter<M, P>
where
    M: Message,
    P: Predicate<M>,
    F: FnMut(&M, &mut SubscriberContext<'_>) -> R + Send + 'static,
    R: SubscriberReturn,
{
    fn enter(self, mut closure: F, world: &mut WorldAccess<'_>) {
        world.enter(self, |when| {
            Closure::boxed(
                when,
                move |message: &mut M, context: &mut SubscriberContext<'_>| {
                    closure(message, context).verdict().0
                },
            )
        });
    }
}

impl<P, F, R> Listen<F> for Filter<dyn AnyMessage, P>
where
    P: Predicate<dyn AnyMessage>,
    F: FnMut(&dyn AnyMessage, &mut SubscriberContext<'_>) -> R + Send + 'static,
    R: SubscriberReturn,
{
    fn enter(self, mut closure: F, world: &mut WorldAccess<'_>) {
        world.enter(self, |when| {
            Closure::boxed(
                when,
                move |message: &mut (dyn AnyMessage + 'static),
                      context: &mut SubscriberContext<'_>| {
                    closure(message, context).verdict().0
                },
            )
        });
    }
}

impl<M, P, F, R> Listen<F> for Interceptor<M, P>
where
    M: Message,
    P: Predicate<M>,
    F: FnMut(&mut M, &mut SubscriberContext<'_>) -> R + Send + 'static,
    R: InterceptorReturn,
{
    fn enter(self, mut closure: F, world: &mut WorldAccess<'_>) {
        let Self(mut filter) = self;
        filter.options.intercepts = true;
        world.enter(filter, |when| {
            Closure::boxed(
                when,
                move |message: &mut M, context: &mut SubscriberContext<'_>| {
                    closure(message, context).verdict().0
                },
            )
        });
    }
}

impl<P, F, R> Listen<F> for Interceptor<dyn AnyMessage, P>
where
    P: Predicate<dyn AnyMessage>,
    F: FnMut(&mut dyn AnyMessage, &mut SubscriberContext<'_>) -> R + Send + 'static,
    R: InterceptorReturn,
{
    fn enter(self, mut closure: F, world: &mut WorldAccess<'_>) {
        let Self(mut filter) = self;
        filter.options.intercepts = true;
        world.enter(filter, |when| {
            Closure::boxed(
                when,
                move |message: &mut (dyn AnyMessage + 'static),
                      context: &mut SubscriberContext<'_>| {
                    closure(message, context).verdict().0
                },
            )
        });
    }
}
