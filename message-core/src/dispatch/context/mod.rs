//! What a handler or a subscriber is given besides the message: what it sees of the delivery, and
//! through which it acts.
//!
//! One type for both, so that both do everything alike; a marker tells them apart, since only a
//! handler knows whose component is receiving.

mod addresses;
mod cause;
mod components;
mod dynamic;
mod hooks;
mod inlet;
mod mail;
mod messagees;
mod naming;
mod posting;
mod send;
mod subscribe;
#[cfg(feature = "trace")]
mod tracing;

use std::marker::PhantomData;
use std::panic::Location;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::dispatch::Envelope;
use crate::dispatch::call::{Frame, Sent};
use crate::message::Message;
use crate::trace::TraceId;
use crate::world::World;

/// Gives a receiver access to the delivery it was called for, and to the manager: the optional
/// third parameter of an `#[on_receive]` method, and, as [`SubscriberContext`], the second one of
/// a [subscriber](crate::MessageManager::subscribe).
///
/// Messages sent through it are delivered at once, before the call returns. Addresses change at once:
/// mnemonics, groups, parents, names, and which components are enabled. What comes and goes (spawn,
/// hook, unhook, despawn, subscriptions) has its ids and errors at once, and takes effect when the
/// outermost send returns, in the order asked for; what is going to be unhooked or despawned
/// receives nothing from then on but the manager's own farewell.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Knock;
///
/// #[derive(Message)]
/// struct ComeIn;
///
/// #[derive(Default)]
/// struct Host { guests: Vec<MessageeId> }
///
/// #[handlers]
/// impl Host {
///     #[on_receive]
///     fn knock(&mut self, _: &Knock, cx: &mut Context<'_>) -> Result<(), SendError> {
///         self.guests.extend(cx.sender().id());
///         cx.reply(ComeIn)?;
///         Ok(())
///     }
/// }
///
/// let mut manager = MessageManager::new();
/// let host = manager.spawn((Host::default(),));
/// let guest = manager.spawn(());
/// manager.as_messagee(guest)?.send(host, Knock)?;
/// assert_eq!(manager.get::<Host>(host)?.guests, [guest]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Other components are borrowed from the context, and a send needs the context for itself: so no
/// borrow can be held across a send.
///
/// ```compile_fail,E0502
/// use message_core::prelude::*;
///
/// # #[derive(Message)] struct Poke;
/// # struct Health { hp: u32 }
/// fn poke(cx: &mut Context<'_>, who: MessageeId) -> Result<u32, Box<dyn std::error::Error>> {
///     let health = cx.get::<Health>(who)?;
///     cx.send(who, Poke)?; // error: `health` is still in use below
///     Ok(health.hp)
/// }
/// ```
#[derive(Debug)]
pub struct Context<'a, R = ForHandler> {
    frame: Frame<'a>,
    receiver: PhantomData<R>,
}

/// The context of a subscriber: a [`Context`] that belongs to no component. A function for handlers
/// and subscribers alike takes a `&mut Context<'_, R>` with any `R`.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Fire;
///
/// #[derive(Message)]
/// struct Alarm;
///
/// fn raise_alarm(_: &Fire, cx: &mut SubscriberContext<'_>) {
///     let _ = cx.send(Everyone, Alarm);
/// }
///
/// let mut manager = MessageManager::new();
/// manager.subscribe(Filter::of::<Fire>(), raise_alarm);
/// manager.subscribe(Filter::of::<Alarm>().once(), |_, _| {});
/// manager.send(Everyone, Fire)?;
/// assert_eq!(manager.send(Everyone, Alarm)?.received, 0); // The one alarm was received.
/// # Ok::<(), SendError>(())
/// ```
pub type SubscriberContext<'a> = Context<'a, ForSubscriber>;

/// Marks the [`Context`] of a handler.
///
/// ```
/// use message_core::handler::ForHandler;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// struct Ears;
///
/// #[handlers]
/// impl Ears {
///     #[on_receive]
///     fn hear(&self, _: &Ping, cx: &mut Context<'_>) { answer(cx); }
/// }
///
/// // `Context<'_>` is short for this.
/// fn answer(cx: &mut Context<'_, ForHandler>) { assert!(!cx.is_from_me()); }
///
/// let mut manager = MessageManager::new();
/// let id = manager.spawn((Ears,));
/// assert_eq!(manager.send(id, Ping)?.received, 1);
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum ForHandler {}

/// Marks the [`Context`] of a subscriber.
///
/// ```
/// use message_core::handler::ForSubscriber;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// // For handlers and subscribers alike.
/// fn ping<R>(cx: &mut Context<'_, R>) -> Result<Receipt, SendError> { cx.send(Everyone, Ping) }
///
/// #[derive(Message)]
/// struct Start;
///
/// let mut manager = MessageManager::new();
/// manager.subscribe(Filter::of::<Start>(), |_, cx: &mut Context<'_, ForSubscriber>| {
///     assert_eq!(ping(cx).map(|receipt| receipt.received), Ok(0));
/// });
/// assert_eq!(manager.send(Everyone, Start)?.received, 1);
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum ForSubscriber {}

impl Context<'_, ForHandler> {
    /// Returns the messagee whose component is receiving.
    #[must_use]
    pub fn me(&self) -> MessageeId {
        match self.frame.me {
            Some(me) => me,
            None => unreachable!("the context of a handler is made for a messagee's component"),
        }
    }

    /// Returns the component that is receiving.
    #[must_use]
    pub fn my_hook(&self) -> HookId {
        let spot = self.frame.spot;
        self.world()
            .pool(spot.component)
            .meta(spot.slot as usize)
            .hook
    }

    /// Returns `true` if the message was sent by the messagee that is receiving it.
    #[must_use]
    pub fn is_from_me(&self) -> bool {
        self.sender() == Sender::Messagee(self.me())
    }
}

impl<'a, R> Context<'a, R> {
    #[inline]
    pub(super) fn new(frame: Frame<'a>) -> Self {
        Self {
            frame,
            receiver: PhantomData,
        }
    }

    #[inline]
    pub(super) fn world(&self) -> &'a World {
        self.frame.sent.world
    }

    /// The delivery that is running.
    #[inline]
    pub(super) fn frame(&self) -> &Frame<'a> {
        &self.frame
    }

    /// Who the running receiver sends as.
    #[inline]
    pub(super) fn frame_sender(&self) -> Sender {
        self.frame.sender()
    }

    /// A message that the running receiver sends.
    #[inline]
    pub(super) fn sent<'b, M: Message>(
        &'b self,
        to: &'b Recipient,
        place: &'static Location<'static>,
    ) -> Sent<'b> {
        self.frame.sent_of(M::FACTS, to, place)
    }

    /// Who sent the message. Stamped by the manager, so it can be trusted.
    #[must_use]
    pub fn sender(&self) -> Sender {
        self.frame.sent.sender
    }

    /// Where the message was sent to, as the sender wrote it.
    #[must_use]
    pub fn recipient(&self) -> Recipient {
        *self.frame.sent.to
    }

    /// Returns `true` if the message was sent to others and is
    /// [overheard](crate::MessageManager::overhear). Its sender, recipient and envelope are those that
    /// the addressed see.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Secret;
    ///
    /// #[derive(Default)]
    /// struct Ears { overheard: u32, told: u32 }
    ///
    /// #[handlers]
    /// impl Ears {
    ///     #[on_receive]
    ///     fn hear(&mut self, _: &Secret, cx: &mut Context<'_>) {
    ///         if cx.is_overheard() { self.overheard += 1 } else { self.told += 1 }
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (spy, friend) = (manager.spawn((Ears::default(),)), manager.spawn(()));
    /// manager.overhear(spy, Filter::of::<Secret>())?;
    /// manager.send(friend, Secret)?;
    /// manager.send(spy, Secret)?;
    /// let ears = manager.get::<Ears>(spy)?;
    /// assert_eq!((ears.overheard, ears.told), (1, 1));
    /// # drop(ears);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_overheard(&self) -> bool {
        let resumed = self.frame.sent.resumed;
        resumed.is_some_and(|resumed| resumed.overhearer.is_some())
    }

    /// Where in the source the message was sent.
    #[must_use]
    pub fn place(&self) -> &'static Location<'static> {
        self.frame.sent.place
    }

    /// Returns the number of this delivery, while the manager is traced: what
    /// [`explain`](crate::MessageManager::explain) is asked about.
    #[must_use]
    pub fn trace_id(&self) -> Option<TraceId> {
        self.world().trace.running()
    }

    /// Returns all that the envelope says.
    #[must_use]
    pub fn envelope(&self) -> Envelope {
        Envelope::of(self.frame.sent)
    }
}
