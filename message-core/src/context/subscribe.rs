//! Subscribing from a handler or a subscriber.
//!
//! The comments next to the bounds are part of what a user reads: the compiler quotes these lines when a
//! subscriber does not satisfy the bounds.

use crate::address::{MessageeId, SubscriptionId};
use crate::context::Context;
use crate::error::MessageeError;
use crate::subscription::WorldAccess;
use crate::subscription::{Listen, Overhear};
use crate::world::later;

impl<R> Context<'_, R> {
    /// Makes a subscription, as
    /// [`MessageManager::subscribe`](crate::MessageManager::subscribe) does. It takes effect when
    /// the outermost send returns.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// #[derive(Message)]
    /// struct Watch;
    ///
    /// #[derive(Message)]
    /// struct Order;
    ///
    /// #[derive(Default)]
    /// struct Spy { orders: Arc<AtomicU32> }
    ///
    /// #[handlers]
    /// impl Spy {
    ///     #[on_receive]
    ///     fn watch(&mut self, _: &Watch, cx: &mut Context<'_>) {
    ///         let orders = Arc::clone(&self.orders);
    ///         cx.subscribe(Filter::of::<Order>(), move |_, _| {
    ///             orders.fetch_add(1, Ordering::Relaxed);
    ///         });
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (spy, general) = (manager.spawn((Spy::default(),)), manager.spawn(()));
    /// manager.send(spy, Watch)?;
    /// manager.send(general, Order)?;
    /// assert_eq!(manager.get::<Spy>(spy)?.orders.load(Ordering::Relaxed), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// The outermost send, when the [registry](crate::registry()) does not know the message type.
    pub fn subscribe<F>(
        &mut self,
        filter: impl Listen<F>, // a subscriber is `|message, cx| { .. }`
        subscriber: F,
    ) -> SubscriptionId
    where
        F: Send + 'static, // a subscriber is `move`, and shares by an `Arc` or a channel
    {
        self.enter_later(None, move |world| {
            filter.enter(subscriber, world);
        })
    }

    /// Makes a subscription that ends with a messagee, like
    /// [`MessageManager::subscribe_for`](crate::MessageManager::subscribe_for). It takes effect when the
    /// outermost send returns.
    ///
    /// Messages that the closure sends come from its owner. The owner must therefore be the messagee that the
    /// running receiver sends as, or one that was spawned in this dispatch. No handler can send in the name
    /// of another messagee.
    ///
    /// ```
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
    /// manager.despawn(spy)?;
    /// assert_eq!(manager.send(general, Order)?.received, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotOneself`] for every other messagee, [`MessageeError::Gone`],
    /// [`MessageeError::Leaving`], [`MessageeError::OtherManager`].
    pub fn subscribe_for<F>(
        &mut self,
        owner: MessageeId,
        filter: impl Listen<F>, // a subscriber is `|message, cx| { .. }`
        subscriber: F,
    ) -> Result<SubscriptionId, MessageeError>
    where
        F: Send + 'static, // a subscriber is `move`, and shares by an `Arc` or a channel
    {
        self.check_owner(owner)?;
        Ok(self.enter_later(Some(owner), move |world| {
            filter.enter(subscriber, world);
        }))
    }

    /// Lets a messagee overhear what is sent to others, as
    /// [`MessageManager::overhear`](crate::MessageManager::overhear) does. It takes effect when the
    /// outermost send returns.
    ///
    /// The messagee is the one that the running receiver sends as, or one that was spawned in this
    /// dispatch, as for [`subscribe_for`](Self::subscribe_for).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Watch(MessageeId);
    ///
    /// #[derive(Message)]
    /// struct Order;
    ///
    /// #[derive(Default)]
    /// struct Spy { overheard: u32 }
    ///
    /// #[handlers]
    /// impl Spy {
    ///     #[on_receive]
    ///     fn watch(&mut self, watch: &Watch, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.overhear(cx.me(), Filter::of::<Order>().to(watch.0))?;
    ///         Ok(())
    ///     }
    ///
    ///     #[on_receive]
    ///     fn overhear(&mut self, _: &Order) { self.overheard += 1; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (spy, general) = (manager.spawn((Spy::default(),)), manager.spawn(()));
    /// manager.send(spy, Watch(general))?;
    /// manager.send(general, Order)?;
    /// assert_eq!(manager.get::<Spy>(spy)?.overheard, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::NotOneself`] for every other messagee, [`MessageeError::Gone`],
    /// [`MessageeError::Leaving`], [`MessageeError::OtherManager`].
    pub fn overhear(
        &mut self,
        id: MessageeId,
        filter: impl Overhear,
    ) -> Result<SubscriptionId, MessageeError> {
        self.check_owner(id)?;
        Ok(self.enter_later(Some(id), move |world| {
            filter.enter_overhearing(world);
        }))
    }

    /// Checks that a subscription made here may belong to the messagee, because what it leads to comes from
    /// that messagee.
    fn check_owner(&self, owner: MessageeId) -> Result<(), MessageeError> {
        let (world, me) = (self.world(), self.frame.me);
        world.structure.check_stays(owner)?;
        if me != Some(owner) && !world.structure.expected.is_unborn(owner) {
            return Err(MessageeError::NotOneself { id: owner, me });
        }
        Ok(())
    }

    /// Makes a subscription when the outermost send returns, if its owner stays.
    fn enter_later(
        &mut self,
        owner: Option<MessageeId>,
        enter: impl FnOnce(&mut WorldAccess<'_>) + Send + 'static,
    ) -> SubscriptionId {
        let world = self.world();
        let id = world.listen.subscriptions.reserve();
        world.listen.subscriptions.announce(id, owner);
        world.later(move |world| {
            let stays = owner.is_none_or(|owner| world.structure.check_stays(owner).is_ok());
            let listens = world.listen.subscriptions.take_announced(id, stays);
            let Some(listens) = listens else { return };
            enter(&mut WorldAccess::of(world, id, owner));
            if !listens {
                later::set_listening(world, id, false);
            }
        });
        id
    }

    /// Ends a subscription; from now on it receives nothing. Returns `true` if it had not ended before;
    /// one that is [`once`](crate::Filter::once) has ended as soon as it is called.
    ///
    /// ```
    /// use message_core::SubscriptionId;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Order;
    ///
    /// #[derive(Message)]
    /// struct Stop;
    ///
    /// struct Spy { orders: SubscriptionId }
    ///
    /// #[handlers]
    /// impl Spy {
    ///     #[on_receive]
    ///     fn stop(&mut self, _: &Stop, cx: &mut Context<'_>) -> bool { cx.unsubscribe(self.orders) }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orders = manager.subscribe(Filter::of::<Order>(), |_, _| ());
    /// let spy = manager.spawn((Spy { orders },));
    /// assert_eq!(manager.send(spy, Stop)?.received, 1);
    /// assert_eq!(manager.send(spy, Stop)?.received, 0); // It has ended already.
    /// assert_eq!(manager.send(Everyone, Order)?.received, 0);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn unsubscribe(&mut self, id: SubscriptionId) -> bool {
        let world = self.world();
        let ended = world.listen.subscriptions.end(id);
        if ended {
            world.later(move |world| drop(world.listen.subscriptions.remove(id)));
        }
        ended
    }

    /// Pauses a subscription, or resumes it, as
    /// [`MessageManager::set_listening`](crate::MessageManager::set_listening) does; at once, also for
    /// the message that is being delivered: one that is paused does not receive it any more, and one
    /// that is resumed not yet. What was retained while it was paused, and it asks for, it receives when the
    /// outermost send returns. Returns `true` if the subscription has not ended.
    ///
    /// ```
    /// use message_core::SubscriptionId;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Order;
    ///
    /// #[derive(Message)]
    /// struct Sleep { deeply: bool }
    ///
    /// struct Spy { orders: SubscriptionId }
    ///
    /// #[handlers]
    /// impl Spy {
    ///     #[on_receive]
    ///     fn sleep(&mut self, sleep: &Sleep, cx: &mut Context<'_>) {
    ///         cx.set_listening(self.orders, !sleep.deeply);
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orders = manager.subscribe(Filter::of::<Order>(), |_, _| ());
    /// let spy = manager.spawn((Spy { orders },));
    /// manager.send(spy, Sleep { deeply: true })?;
    /// assert_eq!(manager.send(Everyone, Order)?.received, 0);
    /// manager.send(spy, Sleep { deeply: false })?;
    /// assert_eq!(manager.send(Everyone, Order)?.received, 1);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn set_listening(&mut self, id: SubscriptionId, listening: bool) -> bool {
        later::set_listening(self.world(), id, listening)
    }

    /// Returns `true` if the subscription has taken effect, and is neither paused nor ended.
    ///
    /// ```
    /// use message_core::SubscriptionId;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Order;
    ///
    /// #[derive(Message)]
    /// #[message(reply = bool)]
    /// struct IsWatching;
    ///
    /// struct Spy { orders: SubscriptionId }
    ///
    /// #[handlers]
    /// impl Spy {
    ///     #[on_receive]
    ///     fn is_watching(&self, _: &IsWatching, cx: &mut Context<'_>) -> bool {
    ///         cx.is_listening(self.orders)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orders = manager.subscribe(Filter::of::<Order>(), |_, _| ());
    /// let spy = manager.spawn((Spy { orders },));
    /// assert!(manager.request(spy, IsWatching)?);
    /// manager.set_listening(orders, false);
    /// assert!(!manager.request(spy, IsWatching)?);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn is_listening(&self, id: SubscriptionId) -> bool {
        self.world().listen.subscriptions.is_listening(id)
    }
}
