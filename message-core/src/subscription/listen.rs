//! Filters and closures that fit each other, and their entry among the subscriptions.

use crate::address::{MessageeId, SubscriptionId};
use crate::component::WorldAccess;
use crate::dispatch::{Subscribed, SubscriberContext};
use crate::message::{AnyMessage, Message, MessageIndex};
use crate::subscription::conditions::Predicate;
use crate::subscription::filter::Filter;
use crate::subscription::head::Head;
use crate::subscription::interceptor::Interceptor;
use crate::subscription::list::{Listener, Listeners, Part};
use crate::subscription::returned::{InterceptorReturn, SubscriberReturn};
use crate::subscription::{Listed, Subscriptions};
use crate::world::World;

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
/// What it may return is listed at [`SubscriberReturn`], and for `before()` at [`InterceptorReturn`].
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
    fn enter(
        self,
        closure: F,
        id: SubscriptionId,
        owner: Option<MessageeId>,
        world: &mut WorldAccess<'_>,
    );
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
    fn enter(
        self,
        closure: F,
        id: SubscriptionId,
        owner: Option<MessageeId>,
        WorldAccess(world): &mut WorldAccess<'_>,
    ) {
        let (retained, subscribed) = (self.options.retained, Subscribed { id, owner });
        let (head, list, when) = self.enter_typed(world, subscribed, Part::After);
        let at = list.after.push(head, Listener::boxed(when, closure));
        world.subscriptions.table.set_place(id, at);
        if retained {
            world.next(Box::new(move |world| world.tell_retained(id, M::index())));
        }
    }
}

impl<P, F, R> Listen<F> for Filter<dyn AnyMessage, P>
where
    P: Predicate<dyn AnyMessage>,
    F: FnMut(&dyn AnyMessage, &mut SubscriberContext<'_>) -> R + Send + 'static,
    R: SubscriberReturn,
{
    fn enter(
        self,
        closure: F,
        id: SubscriptionId,
        owner: Option<MessageeId>,
        WorldAccess(world): &mut WorldAccess<'_>,
    ) {
        let (retained, subscribed) = (self.options.retained, Subscribed { id, owner });
        let subscriptions = &mut world.subscriptions;
        let (head, list, when) = self.enter_any(subscriptions, subscribed, Part::After);
        let at = list.after.push(head, Listener::boxed(when, closure));
        world.subscriptions.table.set_place(id, at);
        if retained {
            world.next(Box::new(move |world| world.tell_retained(id, None)));
        }
    }
}

impl<M, P, F, R> Listen<F> for Interceptor<M, P>
where
    M: Message,
    P: Predicate<M>,
    F: FnMut(&mut M, &mut SubscriberContext<'_>) -> R + Send + 'static,
    R: InterceptorReturn,
{
    fn enter(
        self,
        closure: F,
        id: SubscriptionId,
        owner: Option<MessageeId>,
        WorldAccess(world): &mut WorldAccess<'_>,
    ) {
        let subscribed = Subscribed { id, owner };
        let (head, list, when) = self.0.enter_typed(world, subscribed, Part::Before);
        let at = list.before.push(head, Listener::boxed(when, closure));
        world.subscriptions.table.set_place(id, at);
    }
}

impl<P, F, R> Listen<F> for Interceptor<dyn AnyMessage, P>
where
    P: Predicate<dyn AnyMessage>,
    F: FnMut(&mut dyn AnyMessage, &mut SubscriberContext<'_>) -> R + Send + 'static,
    R: InterceptorReturn,
{
    fn enter(
        self,
        closure: F,
        id: SubscriptionId,
        owner: Option<MessageeId>,
        WorldAccess(world): &mut WorldAccess<'_>,
    ) {
        let (subscriptions, subscribed) = (&mut world.subscriptions, Subscribed { id, owner });
        let (head, list, when) = self.0.enter_any(subscriptions, subscribed, Part::Before);
        let at = list.before.push(head, Listener::boxed(when, closure));
        world.subscriptions.table.set_place(id, at);
    }
}

impl<S: ?Sized, P> Filter<S, P> {
    /// Enters a subscription in the table, and makes its head.
    fn enter_table(
        &mut self,
        subscriptions: &mut Subscriptions,
        subscribed: Subscribed,
        part: Part,
        message: Option<MessageIndex>,
    ) -> (Listed, Head) {
        let Subscribed { id, owner } = subscribed;
        let number = subscriptions.count();
        let to = self.conditions.take_recipient();
        let listed = Listed::new(id, owner, message, to, (part, self.options.hidden));
        subscriptions.table.insert(listed);
        let head = Head::new(subscribed, number, self.options, self.conditions);
        (listed, head)
    }
}

impl<M: Message, P> Filter<M, P> {
    /// Enters a subscription to one type. Returns its head, where to add it, and its
    /// predicate.
    fn enter_typed(
        mut self,
        world: &mut World,
        subscribed: Subscribed,
        part: Part,
    ) -> (Head, &mut Listeners<M>, P) {
        let Some(of) = M::index() else {
            panic!(
                "nobody can subscribe to `{}`: its type is not in the registry; register it with \
                 `Registry::builder()` before the first manager is made",
                M::NAME
            );
        };
        let subscriptions = &mut world.subscriptions;
        let (listed, head) = self.enter_table(subscriptions, subscribed, part, Some(of));
        let topic = subscriptions.to_type_mut(of);
        (head, topic.listeners_for(&listed), self.when)
    }
}

impl<P> Filter<dyn AnyMessage, P> {
    /// Enters a subscription to every type. Returns its head, where to add it, and its
    /// predicate.
    fn enter_any(
        mut self,
        subscriptions: &mut Subscriptions,
        subscribed: Subscribed,
        part: Part,
    ) -> (Head, &mut Listeners<dyn AnyMessage>, P) {
        let (listed, head) = self.enter_table(subscriptions, subscribed, part, None);
        subscriptions.set_to_all(true);
        (head, subscriptions.any.listeners_for(&listed), self.when)
    }
}
