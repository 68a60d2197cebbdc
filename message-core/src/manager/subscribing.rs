//! The manager's subscriptions.
//!
//! The comments next to the bounds are part of what a user reads: the compiler quotes these lines when a
//! subscriber does not satisfy the bounds.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, SubscriptionId};
use crate::error::MessageeError;
use crate::input::Input;
use crate::manager::MessageManager;
use crate::message::Message;
use crate::subscription::WorldAccess;
use crate::subscription::{Listen, Overhear};
use crate::world::{World, later};

impl MessageManager {
    /// Subscribes a closure: it receives every message that passes the filter, whatever its recipient. It is
    /// called after the addressed components, and subscribers are called in the order subscribed. A
    /// [`before`](crate::Filter::before) filter makes it an interceptor.
    ///
    /// Messages that the closure sends come from [`Sender::Outside`](crate::Sender::Outside). While the
    /// closure is running, it is busy like a component: a message that it would receive is kept until it is
    /// free, and a request or an in–out message fails with
    /// [`SendErrorKind::Busy`](crate::SendErrorKind::Busy). It counts as a receiver,
    /// unless it is [hidden](crate::Filter::hidden).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// tag!(AI);
    ///
    /// #[derive(Message, Debug)]
    /// #[message(tags(AI))]
    /// struct Spotted { distance: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// let (log, lines) = mpsc::channel();
    /// manager.subscribe(Filter::any().tags(AI).hidden(), move |message, cx| {
    ///     let _ = log.send(format!("{} to {}: {message:?}", cx.sender(), cx.recipient()));
    /// });
    ///
    /// manager.send(orc, Spotted { distance: 7 })?;
    /// assert_eq!(lines.recv()?, "outside to messagee 0v0: Spotted { distance: 7 }");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Common compile errors
    ///
    /// - *closure is expected to take 2 arguments* (E0593): a subscriber always takes two parameters, the
    ///   message and the context. Write `|message, cx|`, with `_` for a parameter that is not used.
    /// - *type mismatch in closure arguments* (E0631): omit the parameter types so that they are inferred
    ///   from the filter, or compare them with the table at [`Listen`].
    /// - *closure may outlive the current function* (E0373): the manager keeps the closure, so it cannot
    ///   borrow a local variable. With `move` alone, it counts in its own copy. To read the result
    ///   afterwards, use an `Arc`, a channel or a component: see [the guide](crate::guide::subscriber_state).
    /// - *borrowed value does not live long enough* (E0597), *borrowed data escapes* (E0521): a
    ///   reference was moved into the closure. Move an `Arc` or a clone instead.
    /// - *cannot be sent between threads safely* (E0277): a manager can move to another thread, and its
    ///   closures move with it. Use `Arc` and `Mutex` instead of `Rc` and `RefCell`.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// // Not `let mut count = 0;` and `|_| count += 1`.
    /// let count = Arc::new(AtomicU32::new(0));
    /// let counter = Arc::clone(&count);
    /// manager.subscribe(Filter::of::<Ping>(), move |_, _| {
    ///     counter.fetch_add(1, Ordering::Relaxed);
    /// });
    ///
    /// manager.send(Everyone, Ping)?;
    /// assert_eq!(count.load(Ordering::Relaxed), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the [registry](crate::registry()) does not know the message type, since there could never be
    /// a message of it. Also panics if a handler panics while this call settles what an earlier panic left
    /// pending; see [`settle`](Self::settle).
    #[track_caller]
    pub fn subscribe<F>(
        &mut self,
        filter: impl Listen<F>, // a subscriber is `|message, cx| { .. }`
        subscriber: F,
    ) -> SubscriptionId
    where
        F: Send + 'static, // a subscriber is `move`, and shares by an `Arc` or a channel
    {
        let place = Location::caller();
        self.input(|| Input::Subscribe(place)).change(|world| {
            let id = world.listen.subscriptions.reserve();
            filter.enter(subscriber, &mut WorldAccess::of(world, id, None));
            id
        })
    }

    /// Like [`subscribe`](Self::subscribe), but with an owner: the subscription ends with that messagee,
    /// which is the sender of the messages that the closure sends.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Shot;
    ///
    /// #[derive(Message)]
    /// struct Alarm;
    ///
    /// let mut manager = MessageManager::new();
    /// let guard = manager.spawn(());
    /// manager.subscribe_for(guard, Filter::of::<Shot>(), |_, cx| {
    ///     let _ = cx.send(EveryoneElse, Alarm);
    /// })?;
    /// let (log, alarms) = mpsc::channel();
    /// manager.subscribe(Filter::of::<Alarm>(), move |_, cx| {
    ///     let _ = log.send(cx.sender());
    /// });
    /// manager.send(Everyone, Shot)?;
    /// assert_eq!(alarms.try_recv()?, Sender::Messagee(guard));
    ///
    /// manager.despawn(guard)?;
    /// assert_eq!(manager.send(Everyone, Shot)?.received, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`subscribe`](Self::subscribe).
    #[track_caller]
    pub fn subscribe_for<F>(
        &mut self,
        owner: MessageeId,
        filter: impl Listen<F>, // a subscriber is `|message, cx| { .. }`
        subscriber: F,
    ) -> Result<SubscriptionId, MessageeError>
    where
        F: Send + 'static, // a subscriber is `move`, and shares by an `Arc` or a channel
    {
        let place = Location::caller();
        self.input(|| Input::Subscribe(place)).change(|world| {
            world.structure.check_stays(owner)?;
            let id = world.listen.subscriptions.reserve();
            filter.enter(subscriber, &mut WorldAccess::of(world, id, Some(owner)));
            Ok(id)
        })
    }

    /// Lets a messagee overhear messages that are sent to others: a message that passes the filter is also
    /// delivered to the messagee's own handlers, after the addressed components, among the subscribers in the
    /// order subscribed. Sender, recipient and envelope are those of the message;
    /// [`Context::is_overheard`](crate::Context::is_overheard) returns `true`.
    ///
    /// The recipients of a message are determined when it is sent. A messagee does not overhear messages that
    /// reach it anyway, that it sends itself, or that its own overhearing leads to, so there are no loops. A
    /// component that overhears counts as a receiver, unless the filter is [hidden](crate::Filter::hidden); what
    /// it answers is dropped. It receives nothing while it is disabled. Overhearing ends with the messagee, or by
    /// [`unsubscribe`](Self::unsubscribe); [`set_listening`](Self::set_listening) pauses it.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct UnderAttack;
    ///
    /// #[derive(Default)]
    /// struct Wingman { to_help: Option<MessageeId> }
    ///
    /// #[handlers]
    /// impl Wingman {
    ///     #[on_receive]
    ///     fn help(&mut self, _: &UnderAttack, cx: &mut Context<'_>) {
    ///         if cx.is_overheard() {
    ///             self.to_help = cx.sender().id();
    ///         }
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (baron, base) = (manager.spawn(()), manager.spawn(()));
    /// let wingman = manager.spawn((Wingman::default(),));
    /// manager.overhear(wingman, Filter::of::<UnderAttack>().from(baron))?;
    /// manager.as_messagee(baron)?.send(base, UnderAttack)?;
    /// assert_eq!(manager.get::<Wingman>(wingman)?.to_help, Some(baron));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`subscribe`](Self::subscribe).
    #[track_caller]
    pub fn overhear(
        &mut self,
        id: MessageeId,
        filter: impl Overhear,
    ) -> Result<SubscriptionId, MessageeError> {
        let place = Location::caller();
        self.input(|| Input::Overhear(place)).change(|world| {
            world.structure.check_stays(id)?;
            let subscription = world.listen.subscriptions.reserve();
            filter.enter_overhearing(&mut WorldAccess::of(world, subscription, Some(id)));
            Ok(subscription)
        })
    }

    /// Ends a subscription and drops its closure. Returns `true` if it had not ended before. A subscription
    /// that is [`once`](crate::Filter::once) has ended when it has received its message.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Shot;
    ///
    /// let mut manager = MessageManager::new();
    /// let log = manager.subscribe(Filter::of::<Shot>(), |_, _| ());
    /// assert_eq!(manager.send(Everyone, Shot)?.received, 1);
    /// assert!(manager.unsubscribe(log));
    /// assert!(!manager.unsubscribe(log)); // It has ended already.
    /// assert_eq!(manager.send(Everyone, Shot)?.received, 0);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the `Drop` of the closure panics, or if a handler panics while this call settles what an
    /// earlier panic left pending; see [`settle`](Self::settle).
    pub fn unsubscribe(&mut self, id: SubscriptionId) -> bool {
        let closure = self.input(|| Input::Unsubscribe(id)).change(|world| {
            let ended = world.listen.subscriptions.end(id);
            ended.then(|| world.listen.subscriptions.remove(id))
        });
        closure.is_some()
    }

    /// Pauses or resumes a subscription. A paused subscription keeps its place in the order, and receives
    /// nothing until it is resumed. Messages that it misses are not delivered later. A message that waits for
    /// it, because it was busy or has a [stage](crate::Filter::stage), is not delivered if the subscription
    /// is paused when the turn of the message comes. If its filter has
    /// [`with_retained`](crate::Filter::with_retained), resuming it delivers the messages that were retained
    /// during the pause. Returns `true` if the subscription has not ended.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Tick;
    ///
    /// let mut manager = MessageManager::new();
    /// let log = manager.subscribe(Filter::of::<Tick>(), |_, _| ());
    /// assert!(manager.set_listening(log, false));
    /// assert_eq!(manager.send(Everyone, Tick)?.received, 0);
    /// assert!(!manager.is_listening(log));
    ///
    /// manager.set_listening(log, true);
    /// assert_eq!(manager.send(Everyone, Tick)?.received, 1);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the subscription panics when it receives a retained message, or if a handler panics while this
    /// call settles what an earlier panic left pending; see [`settle`](Self::settle).
    pub fn set_listening(&mut self, id: SubscriptionId, listening: bool) -> bool {
        let outermost = self.input(|| Input::SetListening(id, listening));
        outermost.change(|world| later::set_listening(world, id, listening))
    }

    /// Returns `true` if the subscription is neither paused nor ended.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Shot;
    ///
    /// let mut manager = MessageManager::new();
    /// let first = manager.subscribe(Filter::of::<Shot>().once(), |_, _| ());
    /// assert!(manager.is_listening(first));
    /// manager.send(Everyone, Shot)?;
    /// assert!(!manager.is_listening(first));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn is_listening(&self, id: SubscriptionId) -> bool {
        self.world.listen.subscriptions.is_listening(id)
    }

    /// Forgets the message of that type that was [retained](crate::post::HeaderBuilder::retain) for the
    /// recipient. Returns `true` if there was one.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Weather(&'static str);
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).retain(), Weather("rain"))?;
    /// assert!(manager.forget_retained::<Weather>(Everyone));
    /// assert!(!manager.forget_retained::<Weather>(Everyone));
    ///
    /// manager.subscribe(Filter::of::<Weather>().with_retained(), |_, _| unreachable!());
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    pub fn forget_retained<M: Message>(&mut self, recipient: impl Into<Recipient>) -> bool {
        let to = recipient.into();
        let outermost = self.input(|| Input::ForgetRetained(M::ID, to));
        let forget =
            |world: &mut World| world.listen.retained.get_mut().take(M::FACTS.index()?, to);
        outermost.change(forget).is_some()
    }
}
