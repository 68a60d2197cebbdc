//! Subscribing.
//!
//! The comments next to the bounds are part of what a user reads: the compiler quotes these lines when a
//! subscriber does not satisfy the bounds.

use std::panic::Location;

use crate::address::{MessageeId, SubscriptionId};
use crate::caught::FirstPanic;
use crate::error::MessageeError;
use crate::input::Input;
use crate::subscription::{Listen, Overhear};
use crate::world::later;

verbs_without_sender! {
    /// Subscribes a closure: it receives every message that passes the filter, whatever its recipient. It is called
    /// after the addressed components, and subscribers are called in the order subscribed. A
    /// [`before`](crate::Filter::before) filter makes it an interceptor. In a handler, the subscription takes
    /// effect when the outermost send returns.
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
    /// manager.subscribe(Filter::all().tagged(AI).hidden(), move |message, cx| {
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
    /// Panics if the [registry](crate::registry()) does not know the message type, since there could never be a
    /// message of it; in a handler, the outermost send does. From outside, also panics if a handler panics while
    /// this call settles what an earlier panic left pending; see [`settle`](crate::MessageManager::settle).
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
        self.listen(|| Input::Subscribe(place), None, move |world| filter.enter(subscriber, world))
            .expect("only an owner can be gone")
    }

    /// Like [`subscribe`](Self::subscribe), but with an owner: the subscription ends with that messagee,
    /// which is the sender of the messages that the closure sends.
    ///
    /// In a handler, the owner must be the messagee that the running receiver sends as, or one that was spawned in
    /// this dispatch, since no handler can send in the name of another messagee.
    ///
    /// ```
    /// use message_core::Recipient::{EveryoneElse, Me};
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Watch;
    ///
    /// #[derive(Message)]
    /// struct Order;
    ///
    /// #[derive(Message)]
    /// struct Overheard;
    ///
    /// #[derive(Default)]
    /// struct Spy { overheard: u32 }
    ///
    /// #[handlers]
    /// impl Spy {
    ///     #[on_receive]
    ///     fn watch(&mut self, _: &Watch, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.subscribe_for(cx.me(), Filter::of::<Order>(), |_, cx| {
    ///             let _ = cx.send(Me, Overheard);
    ///         })?;
    ///         Ok(())
    ///     }
    ///
    ///     #[on_receive]
    ///     fn note(&mut self, _: &Overheard) { self.overheard += 1; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (spy, general) = (manager.spawn((Spy::default(),)), manager.spawn(()));
    /// manager.send(spy, Watch)?;
    /// assert_eq!(manager.send(general, Order)?.received, 1);
    /// assert_eq!(manager.get::<Spy>(spy)?.overheard, 1);
    ///
    /// let guard = manager.spawn(());
    /// manager.subscribe_for(guard, Filter::of::<Overheard>(), |_, cx| {
    ///     let _ = cx.send(EveryoneElse, Order); // From the guard.
    /// })?;
    /// manager.despawn(guard)?;
    /// manager.despawn(spy)?;
    /// assert_eq!(manager.send(general, Order)?.received, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Gone`](crate::Absence::Gone), [`OtherManager`](crate::Absence::OtherManager); in a handler,
    /// [`MessageeError::NotOneself`] for
    /// every other messagee, and [`Leaving`](crate::Absence::Leaving).
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
        self.listen(|| Input::Subscribe(place), Some(owner), move |world| filter.enter(subscriber, world))
    }

    /// Lets a messagee overhear messages that are sent to others: a message that passes the filter is also
    /// delivered to the messagee's own handlers, after the addressed components, among the subscribers in the
    /// order subscribed. Sender, recipient and envelope are those of the message;
    /// [`Context::is_overheard`](crate::Context::is_overheard) returns `true`.
    ///
    /// In a handler, this takes effect when the outermost send returns, and the messagee must be one that could own
    /// a [subscription](Self::subscribe_for) made there.
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
    /// manager.speak_for(baron)?.send(base, UnderAttack)?;
    /// assert_eq!(manager.get::<Wingman>(wingman)?.to_help, Some(baron));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`subscribe_for`](Self::subscribe_for).
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
        self.listen(|| Input::Overhear(place), Some(id), move |world| filter.enter_overhearing(world))
    }

    /// Ends a subscription and drops its closure. From now on it receives nothing. Returns `true` if it had not
    /// ended before. A subscription that is [`once`](crate::Filter::once) has ended as soon as it is called.
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
    /// From outside, panics if the `Drop` of the closure panics, or if a handler panics while this call settles what
    /// an earlier panic left pending; see [`settle`](crate::MessageManager::settle). In a handler, the outermost send
    /// does.
    pub fn unsubscribe(&mut self, id: SubscriptionId) -> bool {
        self.end_subscription(|| Input::Unsubscribe(id), id)
    }

    /// Ends all subscriptions that a messagee owns, those by which it [overhears](Self::overhear) included. Each is ended as
    /// by [`unsubscribe`](Self::unsubscribe). Returns how many that were.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Tick;
    ///
    /// let mut manager = MessageManager::new();
    /// let clock = manager.spawn(());
    /// for _ in 0..3 {
    ///     manager.subscribe_for(clock, Filter::of::<Tick>(), |_, _| {})?;
    /// }
    /// assert_eq!(manager.send(Everyone, Tick)?.received, 3);
    /// assert_eq!(manager.unsubscribe_all(clock), 3);
    /// assert_eq!(manager.send(Everyone, Tick)?.received, 0);
    /// assert!(manager.is_alive(clock));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If the `Drop` of a closure panics, all subscriptions are ended before the first panic goes on. From outside, panics
    /// under the same conditions as [`unsubscribe`](Self::unsubscribe).
    pub fn unsubscribe_all(&mut self, owner: MessageeId) -> usize {
        let (mut ended, mut panics) = (0, FirstPanic::default());
        for id in self.world().listen.subscriptions.of_owner(owner) {
            panics.catch(|| ended += usize::from(self.unsubscribe(id)));
        }
        panics.resume();
        ended
    }

    /// Pauses or resumes a subscription. A paused subscription keeps its place in the order, and receives
    /// nothing until it is resumed. Messages that it misses are not delivered later. A message that waits for
    /// it, because it was busy or has a [stage](crate::Filter::stage), is not delivered if the subscription
    /// is paused when the turn of the message comes. If its filter has
    /// [`with_retained`](crate::Filter::with_retained), resuming it delivers the messages that were retained
    /// during the pause.
    ///
    /// In a handler, this takes effect at once, also for the message that is being delivered: a subscription that
    /// is paused does not receive it any more, and one that is resumed does not yet. Retained messages are
    /// delivered when the outermost send returns.
    ///
    /// Returns `true` if the subscription has not ended.
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
    /// From outside, panics if the subscription panics when it receives a retained message, or if a handler panics
    /// while this call settles what an earlier panic left pending; see [`settle`](crate::MessageManager::settle). In a
    /// handler, the outermost send does.
    pub fn set_listening(&mut self, id: SubscriptionId, listening: bool) -> bool {
        let input = || Input::SetListening(id, listening);
        self.at_once(input, |world| later::set_listening(world, id, listening))
    }

    /// Returns `true` if the subscription has taken effect, and is neither paused nor ended.
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
        self.world().listen.subscriptions.is_listening(id)
    }
}
