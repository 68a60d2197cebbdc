//! The context that a handler or a subscriber gets along with the message: its view of the delivery, and the
//! operations through which it acts.
//!
//! Handlers and subscribers share one type, so that both have the same operations. A marker tells them apart,
//! since only a handler knows whose component is receiving.

mod actor;
mod components;
mod mail;
mod send;
mod tracing;

use std::marker::PhantomData;
use std::ops::Deref;
use std::panic::Location;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::envelope::Envelope;
use crate::send::{Frame, ReceiverSlot};
use crate::storage::HookRef;
use crate::structure::Structure;
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
/// manager.speak_for(guest)?.send(host, Knock)?;
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
    pub(super) frame: Frame<'a>,
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

impl<R> Deref for Context<'_, R> {
    type Target = Structure;

    fn deref(&self) -> &Structure {
        &self.world().structure
    }
}

impl Context<'_, ForHandler> {
    /// Returns the messagee whose component is receiving.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// group!(GUARDS);
    ///
    /// #[derive(Message)]
    /// struct Enlist;
    ///
    /// struct Soldier;
    ///
    /// #[handlers]
    /// impl Soldier {
    ///     #[on_receive]
    ///     fn enlist(&mut self, _: &Enlist, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         cx.join(GUARDS, cx.me())?;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let soldier = manager.spawn((Soldier,));
    /// manager.send(soldier, Enlist)?;
    /// assert!(manager.members(GUARDS).eq([soldier]));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn me(&self) -> MessageeId {
        match self.frame.me {
            Some(me) => me,
            None => unreachable!("the context of a handler is made for a messagee's component"),
        }
    }

    /// Returns the component that is receiving.
    ///
    /// A component that removes itself:
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Hit;
    ///
    /// struct Shield { charge: u32 }
    ///
    /// #[handlers]
    /// impl Shield {
    ///     #[on_receive]
    ///     fn hit(&mut self, _: &Hit, cx: &mut Context<'_>) -> Result<(), MessageeError> {
    ///         self.charge -= 1;
    ///         if self.charge == 0 { cx.unhook(cx.my_hook()) } else { Ok(()) }
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Shield { charge: 2 }, Shield { charge: 1 }));
    /// manager.send(tank, Hit)?;
    /// assert_eq!(manager.hooks(tank).count(), 1);
    /// assert_eq!(manager.get::<Shield>(tank)?.charge, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn my_hook(&self) -> HookId {
        let ReceiverSlot { component, slot } = self.frame.spot;
        self.hook_at(HookRef { component, slot })
    }

    /// Returns `true` if the message was sent by the messagee that is receiving it.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Scream;
    ///
    /// #[derive(Default)]
    /// struct Ears { frightened: bool }
    ///
    /// #[handlers]
    /// impl Ears {
    ///     #[on_receive]
    ///     fn hear(&mut self, _: &Scream, cx: &mut Context<'_>) {
    ///         self.frightened |= !cx.is_from_me();
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Ears::default(),));
    /// let elf = manager.spawn((Ears::default(),));
    /// manager.speak_for(orc)?.send(Everyone, Scream)?;
    /// assert!(!manager.get::<Ears>(orc)?.frightened);
    /// assert!(manager.get::<Ears>(elf)?.frightened);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_from_me(&self) -> bool {
        self.sender() == Sender::Messagee(self.me())
    }
}

impl<'a, R> Context<'a, R> {
    #[inline]
    pub(super) fn new(frame: Frame<'a>) -> Self {
        let receiver = PhantomData;
        Self { frame, receiver }
    }

    #[inline]
    pub(crate) fn world(&self) -> &'a World {
        self.frame.sent.world
    }

    /// Returns who sent the message. It is stamped by the manager, so it can be trusted.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Open;
    ///
    /// struct Gate { owner: MessageeId, is_open: bool }
    ///
    /// #[handlers]
    /// impl Gate {
    ///     #[on_receive]
    ///     fn open(&mut self, _: &Open, cx: &mut Context<'_>) -> bool {
    ///         self.is_open |= cx.sender() == Sender::Messagee(self.owner);
    ///         self.is_open
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let owner = manager.spawn(());
    /// let gate = manager.spawn((Gate { owner, is_open: false },));
    /// assert_eq!(manager.send(gate, Open)?.received, 0); // From outside.
    /// assert_eq!(manager.speak_for(owner)?.send(gate, Open)?.received, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sender(&self) -> Sender {
        self.frame.sent.sender
    }

    /// Returns where the message was sent to, as the sender wrote it.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Greeting;
    ///
    /// #[derive(Default)]
    /// struct Ears { called: u32, greeted: u32 }
    ///
    /// #[handlers]
    /// impl Ears {
    ///     #[on_receive]
    ///     fn hear(&mut self, _: &Greeting, cx: &mut Context<'_>) {
    ///         match cx.recipient() {
    ///             Recipient::Id(_) => self.greeted += 1,
    ///             _ => self.called += 1,
    ///         }
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Ears::default(),));
    /// manager.send(orc, Greeting)?;
    /// manager.send(Everyone, Greeting)?;
    /// manager.send(Everyone, Greeting)?;
    /// assert_eq!(manager.get::<Ears>(orc)?.greeted, 1);
    /// assert_eq!(manager.get::<Ears>(orc)?.called, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn recipient(&self) -> Recipient {
        self.frame.sent.to
    }

    /// Returns the messagee that the message was sent to: what an id names, the sender for
    /// [`Me`](Recipient::Me), the messagee that a mnemonic was bound to when the message was sent, and
    /// the owner of a hook. `None` if it was sent to many: to everyone, a group, up or down a family.
    ///
    /// For a subscriber, and for a handler that
    /// [overhears](crate::MessageManager::overhear), it is the messagee that the message was meant
    /// for, also if others receive it, or if it was retained and the mnemonic is bound to another by now.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// mnemonic!(BOSS);
    ///
    /// #[derive(Message)]
    /// struct Greeting;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// manager.bind(BOSS, orc)?;
    /// let (log, addressees) = mpsc::channel();
    /// manager.subscribe(Filter::of::<Greeting>(), move |_, cx| {
    ///     let _ = log.send(cx.addressee());
    /// });
    /// manager.send(BOSS, Greeting)?;
    /// manager.send(orc, Greeting)?;
    /// manager.send(Everyone, Greeting)?;
    /// assert!(addressees.try_iter().eq([Some(orc), Some(orc), None]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn addressee(&self) -> Option<MessageeId> {
        let Frame { sent, me, spot } = self.frame;
        let is_handler = spot.as_subscription().is_none();
        // The mnemonic may be bound to another by now, but not the receiver.
        if is_handler && matches!(sent.to, Recipient::Mnemonic(_)) && !self.is_overheard() {
            return me;
        }
        sent.addressee()
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
        let resumed = self.frame.sent.extras.resumed;
        resumed.is_some_and(|resumed| resumed.overhearer.is_some())
    }

    /// Returns where in the source the message was sent or posted.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Note;
    ///
    /// #[derive(Default)]
    /// struct Log { lines: Vec<u32> }
    ///
    /// #[handlers]
    /// impl Log {
    ///     #[on_receive]
    ///     fn note(&mut self, _: &Note, cx: &mut Context<'_>) { self.lines.push(cx.place().line()); }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let log = manager.spawn((Log::default(),));
    /// let here = line!();
    /// manager.send(log, Note)?;
    /// assert_eq!(manager.get::<Log>(log)?.lines, [here + 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn place(&self) -> &'static Location<'static> {
        self.frame.sent.place
    }

    /// Returns all that the envelope says: besides sender, recipient and place, when the message was
    /// posted and due, its tags and its stage.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Letter;
    ///
    /// #[derive(Default)]
    /// struct Mailbox { longest: Duration }
    ///
    /// #[handlers]
    /// impl Mailbox {
    ///     #[on_receive]
    ///     fn letter(&mut self, _: &Letter, cx: &mut Context<'_>) {
    ///         let envelope = cx.envelope();
    ///         self.longest = self.longest.max(envelope.due.time - envelope.posted.time);
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let house = manager.spawn((Mailbox::default(),));
    /// manager.send(house, Letter)?;
    /// manager.post(Header::to(house).after(Duration::from_millis(20)), Letter)?;
    /// manager.tick(Duration::from_millis(50));
    /// assert_eq!(manager.get::<Mailbox>(house)?.longest, Duration::from_millis(20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn envelope(&self) -> Envelope {
        self.frame.sent.envelope()
    }
}
