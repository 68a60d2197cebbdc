//! What a subscription listens to, and on what terms.

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use crate::address::{MessageeId, Recipient, Sender, SubscriptionId};
use crate::component::WorldAccess;
use crate::dispatch::Subscribed;
use crate::dispatch::{Sent, SubscriberContext};
use crate::message::{AnyMessage, Message, MessageIndex};
use crate::subscription::head::Head;
use crate::subscription::list::{Listeners, Part};
use crate::subscription::{Listed, Subscriptions};
use crate::tag::TagSet;
use crate::time::Stage;
use crate::world::World;

/// Which messages have to be heard of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Conditions {
    from: Option<Sender>,
    to: Option<Recipient>,
    tags: Option<TagSet>,
}

impl Conditions {
    pub(super) fn is_empty(&self) -> bool {
        self.from.is_none() && self.to.is_none() && self.tags.is_none()
    }

    /// Takes out the recipient by which a message that passes is found, if there is one: not where it
    /// stands for another from send to send.
    fn take_recipient(&mut self) -> Option<Recipient> {
        match self.to {
            None | Some(Recipient::Me | Recipient::Mnemonic(_)) => None,
            Some(_) => self.to.take(),
        }
    }

    pub(super) fn hold(&self, sent: &Sent<'_>) -> bool {
        self.from.is_none_or(|from| sent.sender == from)
            && self.to.is_none_or(|to| {
                let to = sent.world.resolve_mnemonic(to);
                sent.resolved_to() == to.own(sent.sender)
            })
            && self.tags.is_none_or(|tags| {
                tags.intersects(sent.facts.tags()) || tags.intersects(sent.own_tags())
            })
    }
}

/// On what terms a subscription listens.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    pub(super) hidden: bool,
    pub(super) once: bool,
    pub(super) stage: Stage,
    pub(super) retained: bool,
}

impl Options {
    pub(super) fn is_plain(self) -> bool {
        !self.hidden && !self.once && self.stage == Stage::Immediate
    }
}

/// Which messages a subscription receives, and on what terms; for
/// [`subscribe`](crate::MessageManager::subscribe).
///
/// [`of`](Filter::of) listens to one message type, [`any`](Filter::any) to all. The conditions
/// `from`, `to` and `tags` must all hold; of one that is set twice the last counts.
///
/// ```
/// use message_core::prelude::*;
///
/// tag!(RADIO);
///
/// #[derive(Message)]
/// #[message(tags(RADIO))]
/// struct Shout;
///
/// let mut manager = MessageManager::new();
/// let [orc, elf] = [(); 2].map(|()| manager.spawn(()));
/// manager.subscribe(Filter::of::<Shout>().from(orc), |_, _| {});
/// manager.subscribe(Filter::any().tags(RADIO).hidden(), |_, _| {});
/// assert_eq!(manager.as_messagee(orc)?.send(elf, Shout)?.received, 1);
/// assert_eq!(manager.as_messagee(elf)?.send(orc, Shout)?.received, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Filter<S: ?Sized> {
    conditions: Conditions,
    options: Options,
    subject: PhantomData<fn(&S)>,
}

/// As a [`Filter`], for a subscription that receives its messages first; from
/// [`Filter::before`].
///
/// ```
/// use message_core::prelude::*;
/// use std::ops::ControlFlow;
///
/// #[derive(Message)]
/// struct Damage { amount: u32 }
///
/// let mut manager = MessageManager::new();
/// let halved = Filter::of::<Damage>().before();
/// manager.subscribe(halved, |damage: &mut Damage, _| {
///     damage.amount /= 2;
///     ControlFlow::Continue(())
/// });
/// let mut damage = Damage { amount: 6 };
/// manager.send_mut(Everyone, &mut damage)?;
/// assert_eq!(damage.amount, 3);
/// # Ok::<(), SendError>(())
/// ```
pub struct Interceptor<S: ?Sized>(Filter<S>);

impl Filter<()> {
    /// Every message of that type.
    #[must_use]
    pub fn of<M: Message>() -> Filter<M> {
        Filter::new()
    }

    /// Every message of every type, the manager's own included.
    #[must_use]
    pub fn any() -> Filter<dyn AnyMessage> {
        Filter::new()
    }
}

impl<S: ?Sized> Filter<S> {
    fn new() -> Self {
        Self {
            conditions: Conditions::default(),
            options: Options::default(),
            subject: PhantomData,
        }
    }

    /// Only from this sender: a [`MessageeId`], or a [`Sender`].
    #[must_use]
    pub fn from(mut self, sender: impl Into<Sender>) -> Self {
        self.conditions.from = Some(sender.into());
        self
    }

    /// Only what is sent to this recipient. An id stands for that messagee however it is written
    /// to alone: by its id, by `Me`, or by a mnemonic that is bound to it; and a mnemonic for the
    /// messagee that is bound to it when the message is sent. What is sent to `Everyone`, a group or
    /// a family that it belongs to is not sent to it alone. `Me` is what anybody sends to itself.
    /// For what was retained, a mnemonic stands for whom it is bound to when the subscription is
    /// made.
    #[must_use]
    pub fn to(mut self, recipient: impl Into<Recipient>) -> Self {
        self.conditions.to = Some(recipient.into());
        self
    }

    /// Only what has one of these tags at least, by its type or its header; nothing, if there are
    /// none.
    #[must_use]
    pub fn tags(mut self, tags: impl Into<TagSet>) -> Self {
        self.conditions.tags = Some(tags.into());
        self
    }

    /// The subscription does not count as a receiver: not in a [`Receipt`](crate::Receipt), and
    /// not for a header that [requires](crate::HeaderBuilder::require) receivers.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.options.hidden = true;
        self
    }

    /// The subscription ends with the first message that it receives.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.options.once = true;
        self
    }

    /// The subscription receives its messages in the next pass of this stage, behind the posted
    /// ones, and not when they are sent. `Immediate`, which is what it is without this, is when
    /// they are sent.
    ///
    /// The message is kept until then. One that stays with its sender (an in–out message) or will
    /// be delivered again is copied, and becomes a dead letter for this subscription if its type is
    /// not `Clone`. As many may wait in a stage as
    /// [`max_pending`](crate::ManagerConfig::max_pending) allows; one more is a dead letter.
    #[must_use]
    pub fn stage(mut self, stage: Stage) -> Self {
        self.options.stage = stage;
        self
    }

    /// The subscription receives at once the messages that were
    /// [retained](crate::HeaderBuilder::retain) before it was made, and that pass the filter, in
    /// the order in which they were retained; at once also if it has a [stage](Self::stage).
    #[must_use]
    pub fn with_retained(mut self) -> Self {
        self.options.retained = true;
        self
    }

    /// The subscription is an interceptor: it runs before everybody else, receives the message as
    /// `&mut`, and its closure returns a [`ControlFlow`]: `Break` consumes the message, so that
    /// nobody receives it.
    ///
    /// Several run in the order subscribed. An interceptor counts as a receiver of what it
    /// consumes, unless it is hidden. While one is running, a message that it would receive waits,
    /// for everybody, until it is free.
    ///
    /// # Panics
    ///
    /// When a [stage](Self::stage) or [retained](Self::with_retained) messages were asked for: an
    /// interceptor comes before the delivery or not at all.
    #[must_use]
    pub fn before(self) -> Interceptor<S> {
        assert!(
            self.options.stage == Stage::Immediate && !self.options.retained,
            "an interceptor runs before the delivery: expected `before()` without `stage()` and \
             `with_retained()`"
        );
        Interceptor(self)
    }
}

impl<S: ?Sized> Clone for Filter<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized> Copy for Filter<S> {}

impl<S: ?Sized> Clone for Interceptor<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized> Copy for Interceptor<S> {}

impl<S: ?Sized> fmt::Debug for Filter<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter")
            .field("message", &std::any::type_name::<S>())
            .field("conditions", &self.conditions)
            .field("options", &self.options)
            .finish()
    }
}

impl<S: ?Sized> fmt::Debug for Interceptor<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Interceptor").field(&self.0).finish()
    }
}

/// A filter together with a closure that can receive what passes it. Implemented for every fitting
/// pair; not to be implemented elsewhere.
///
/// | filter | closure |
/// |---|---|
/// | `Filter::of::<M>()` | <code>\|message: &M, cx: &mut [SubscriberContext]<'_>\|</code> |
/// | `Filter::any()` | <code>\|message: &dyn [AnyMessage], cx: &mut [SubscriberContext]<'_>\|</code> |
/// | `Filter::of::<M>().before()` | <code>\|message: &mut M, cx: &mut [SubscriberContext]<'_>\| -> [ControlFlow]<()></code> |
/// | `Filter::any().before()` | <code>\|message: &mut dyn [AnyMessage], cx: &mut [SubscriberContext]<'_>\| -> [ControlFlow]<()></code> |
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
    note = "with `before()` it takes `&mut` and returns `ControlFlow<()>`",
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
    impl<S: ?Sized> Sealed for super::Filter<S> {}
    impl<S: ?Sized> Sealed for super::Interceptor<S> {}
}

impl<M, F> Listen<F> for Filter<M>
where
    M: Message,
    F: FnMut(&M, &mut SubscriberContext<'_>) + Send + 'static,
{
    fn enter(
        self,
        closure: F,
        id: SubscriptionId,
        owner: Option<MessageeId>,
        WorldAccess(world): &mut WorldAccess<'_>,
    ) {
        let (head, list) = self.enter_typed(world, Subscribed { id, owner }, Part::After);
        let at = list.after.push(head, Box::new(RefCell::new(closure)));
        world.subscriptions.table.set_place(id, at);
        self.tell_retained(id, M::index(), world);
    }
}

impl<F> Listen<F> for Filter<dyn AnyMessage>
where
    F: FnMut(&dyn AnyMessage, &mut SubscriberContext<'_>) + Send + 'static,
{
    fn enter(
        self,
        closure: F,
        id: SubscriptionId,
        owner: Option<MessageeId>,
        WorldAccess(world): &mut WorldAccess<'_>,
    ) {
        let subscriptions = &mut world.subscriptions;
        let (head, list) = self.enter_any(subscriptions, Subscribed { id, owner }, Part::After);
        let at = list.after.push(head, Box::new(RefCell::new(closure)));
        world.subscriptions.table.set_place(id, at);
        self.tell_retained(id, None, world);
    }
}

impl<M, F> Listen<F> for Interceptor<M>
where
    M: Message,
    F: FnMut(&mut M, &mut SubscriberContext<'_>) -> ControlFlow<()> + Send + 'static,
{
    fn enter(
        self,
        closure: F,
        id: SubscriptionId,
        owner: Option<MessageeId>,
        WorldAccess(world): &mut WorldAccess<'_>,
    ) {
        let filter = self.0;
        let (head, list) = filter.enter_typed(world, Subscribed { id, owner }, Part::Before);
        let at = list.before.push(head, Box::new(RefCell::new(closure)));
        world.subscriptions.table.set_place(id, at);
    }
}

impl<F> Listen<F> for Interceptor<dyn AnyMessage>
where
    F: FnMut(&mut dyn AnyMessage, &mut SubscriberContext<'_>) -> ControlFlow<()> + Send + 'static,
{
    fn enter(
        self,
        closure: F,
        id: SubscriptionId,
        owner: Option<MessageeId>,
        WorldAccess(world): &mut WorldAccess<'_>,
    ) {
        let (filter, subscriptions) = (self.0, &mut world.subscriptions);
        let (head, list) = filter.enter_any(subscriptions, Subscribed { id, owner }, Part::Before);
        let at = list.before.push(head, Box::new(RefCell::new(closure)));
        world.subscriptions.table.set_place(id, at);
    }
}

impl<S: ?Sized> Filter<S> {
    /// Enters a subscription in the table, and makes its head.
    fn enter_table(
        mut self,
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

    fn tell_retained(&self, id: SubscriptionId, of: Option<MessageIndex>, world: &mut World) {
        if self.options.retained {
            world.next(Box::new(move |world| world.tell_retained(id, of)));
        }
    }
}

impl<M: Message> Filter<M> {
    /// Enters a subscription to one type. Returns its head, and where to add it.
    fn enter_typed(
        self,
        world: &mut World,
        subscribed: Subscribed,
        part: Part,
    ) -> (Head, &mut Listeners<M>) {
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
        (head, topic.listeners_for(&listed))
    }
}

impl Filter<dyn AnyMessage> {
    /// Enters a subscription to every type. Returns its head, and where to add it.
    fn enter_any(
        self,
        subscriptions: &mut Subscriptions,
        subscribed: Subscribed,
        part: Part,
    ) -> (Head, &mut Listeners<dyn AnyMessage>) {
        let (listed, head) = self.enter_table(subscriptions, subscribed, part, None);
        subscriptions.set_to_all(true);
        (head, subscriptions.any.listeners_for(&listed))
    }
}
