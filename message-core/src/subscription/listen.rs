//! Filters and closures that fit each other, and filters by which a messagee overhears.

use std::sync::Arc;

use crate::address::{MessageeId, SubscriptionId};
use crate::context::SubscriberContext;
use crate::message::{AnyMessage, MessageIndex};
use crate::send::{Subscribed, tell_missed};
use crate::subscription::filter::When;
use crate::subscription::listener::{Closure, overhearer};
use crate::subscription::{
    Filter, Hear, Interceptor, InterceptorReturn, Part, Subject, SubscriberReturn, Terms,
};
use crate::tag::TagSet;
use crate::world::World;

/// The access of a filter to a manager. Other crates cannot name it, so they cannot implement [`Listen`] and
/// [`Overhear`].
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

    /// Adds a subscription to messages of a type, of which the tags are given, or to all.
    fn enter<S: Subject + ?Sized>(
        &mut self,
        of: Option<(MessageIndex, TagSet)>,
        terms: Terms,
        listener: Box<dyn Hear<S>>,
    ) {
        let subscriptions = &mut self.world.listen.subscriptions;
        subscriptions.enter(self.subscribed, of, terms, listener);
        if terms.with_retained {
            let id = self.subscribed.id;
            subscriptions.begin_missing(id, 0);
            let mut changes = self.world.changes();
            changes.next(move |world| tell_missed(world, id));
        }
    }
}

/// A filter together with a closure that can receive what passes it. Implemented for every fitting
/// pair; not to be implemented elsewhere.
///
/// | filter | closure |
/// |---|---|
/// | `Filter::of::<M>()` | <code>\|message: &M, cx: &mut [SubscriberContext]<'_>\|</code> |
/// | `Filter::all()`, `Filter::of_id(id)` | <code>\|message: &dyn [AnyMessage], cx: &mut [SubscriberContext]<'_>\|</code> |
/// | `Filter::of::<M>().before()` | <code>\|message: &mut M, cx: &mut [SubscriberContext]<'_>\|</code> |
/// | `Filter::all().before()` | <code>\|message: &mut dyn [AnyMessage], cx: &mut [SubscriberContext]<'_>\|</code> |
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
/// manager.subscribe(Filter::all(), |message, _| assert!(message.is::<Ping>()));
/// assert_eq!(manager.send(Everyone, Ping)?.received, 2);
/// # Ok::<(), SendError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a filter, or the subscriber does not fit it",
    label = "not a filter for this subscriber",
    note = "with `Filter::of::<M>()` a subscriber is `|message: &M, cx| {{ .. }}`, with \
            `Filter::all()` it is `|message: &dyn AnyMessage, cx| {{ .. }}`",
    note = "it returns nothing, `bool` or `ControlFlow<()>`",
    note = "with `before()` it takes `&mut` and returns nothing or `ControlFlow<()>`",
    note = "the closure has to own what it captures (`move`), and its captures have to be `Send + 'static`"
)]
pub trait Listen<F>: Send + 'static {
    #[doc(hidden)]
    fn enter(self, closure: F, world: &mut WorldAccess<'_>);
}

impl<S, F, R> Listen<F> for Filter<S>
where
    S: Subject + ?Sized,
    F: FnMut(&S, &mut SubscriberContext<'_>) -> R + Send + 'static,
    R: SubscriberReturn,
{
    fn enter(self, mut closure: F, world: &mut WorldAccess<'_>) {
        let closure = move |message: &mut S, context: &mut SubscriberContext<'_>| {
            closure(message, context).verdict().0
        };
        world.enter(
            self.subject(),
            self.terms,
            Closure::boxed(self.when, closure),
        );
    }
}

impl<S, F, R> Listen<F> for Interceptor<S>
where
    S: Subject + ?Sized,
    F: FnMut(&mut S, &mut SubscriberContext<'_>) -> R + Send + 'static,
    R: InterceptorReturn,
{
    fn enter(self, mut closure: F, world: &mut WorldAccess<'_>) {
        let closure = move |message: &mut S, context: &mut SubscriberContext<'_>| {
            closure(message, context).verdict().0
        };
        world.enter(
            self.subject(),
            self.terms,
            Closure::boxed(self.when, closure),
        );
    }
}

/// A filter by which a messagee can overhear messages: `Filter::of::<M>()` or `Filter::all()`. Not to
/// be implemented elsewhere.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::subscription::Overhear;
///
/// #[derive(Message)]
/// struct Shot;
///
/// fn spy(manager: &mut MessageManager, filter: impl Overhear) -> Result<(), MessageeError> {
///     let spy = manager.spawn(());
///     manager.overhear(spy, filter)?;
///     Ok(())
/// }
///
/// let mut manager = MessageManager::new();
/// spy(&mut manager, Filter::of::<Shot>())?;
/// spy(&mut manager, Filter::all().from(Sender::Outside))?;
/// # Ok::<(), MessageeError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a messagee cannot overhear by `{Self}`",
    label = "not a filter to overhear by",
    note = "write `overhear(id, Filter::of::<M>())` or `overhear(id, Filter::all())`, without `before()`"
)]
pub trait Overhear: Send + 'static {
    #[doc(hidden)]
    fn enter_overhearing(self, world: &mut WorldAccess<'_>);
}

impl<S: Subject + ?Sized> Overhear for Filter<S> {
    fn enter_overhearing(self, world: &mut WorldAccess<'_>) {
        let of = self.subject();
        let terms = Terms {
            part: Part::Apart,
            ..self.terms
        };
        let when = self.when.into_iter().map(|when| -> When<dyn AnyMessage> {
            Arc::new(move |message: &dyn AnyMessage| when(S::read(message)))
        });
        world.enter(of, terms, overhearer(when.collect()));
    }
}
