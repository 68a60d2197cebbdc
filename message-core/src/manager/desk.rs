//! Reading mail, writing mail and changing components side by side, from outside.

use std::any::TypeId;
use std::cell::{Ref, RefMut};
use std::ops::Deref;
use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::component::Component;
use crate::error::{MessageeError, SendError};
use crate::input::{Input, Way};
use crate::mailbox::{AnyInbox, Choice, Inbox, Published, Unpublished};
use crate::manager::MessageManager;
use crate::message::{AnyMessage, Message};
use crate::send::Sent;
use crate::storage::{Exclusive, Shared};
use crate::structure::Structure;
use crate::time::Clock;

/// The place where mail is read and written, from [`MessageManager::desk`], for programs in pull style. While
/// a program reads its mail, it can publish and change components, as a handler can. The manager itself
/// cannot be used while mail is borrowed.
///
/// No handler runs in the meantime, so nothing changes behind the reader's back. A desk can be copied. The
/// manager spawns and despawns messagees between frames. A desk publishes, but does not send. To send
/// messages about what was read, collect them and use the manager afterwards, or read the inbox in a handler.
///
/// Each component is borrowed on its own, whatever its handlers are. Components whose handlers take no
/// [`Context`](crate::Context) are stored packed, so they are given cells of their own when one of their type
/// is first borrowed at a desk. From then on, a broadcast takes as long for them as for components whose
/// handlers take a context.
///
/// ```
/// use std::time::Duration;
/// use message_core::Recipient::EveryoneElse;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Blast { power: u32 }
///
/// #[derive(Message)]
/// struct Scream;
///
/// struct Walker { hp: u32 }
///
/// fn feel_blasts(desk: Desk<'_>) -> Result<(), Box<dyn std::error::Error>> {
///     for (id, mut walker) in desk.iter_mut::<Walker>() {
///         for blast in desk.inbox::<Blast>().reaching(id) {
///             walker.hp = walker.hp.saturating_sub(blast.power);
///             desk.speak_for(id)?.publish(EveryoneElse, Scream)?;
///         }
///     }
///     Ok(())
/// }
///
/// let mut manager = MessageManager::new();
/// let walker = manager.spawn((Walker { hp: 10 },));
/// manager.publish(Everyone, Blast { power: 3 })?;
/// manager.tick(Duration::from_millis(16));
/// feel_blasts(manager.desk())?;
/// manager.tick(Duration::from_millis(16));
/// assert_eq!(manager.get::<Walker>(walker)?.hp, 7);
/// assert_eq!(manager.inbox::<Scream>().from(walker).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Desk<'m> {
    manager: &'m MessageManager,
    sender: Sender,
}

impl Deref for Desk<'_> {
    type Target = Structure;

    fn deref(&self) -> &Structure {
        self.manager
    }
}

impl<'m> Desk<'m> {
    /// Publishes a message, like [`MessageManager::publish`].
    ///
    /// While a [`Published`] of the same type is held, the message is not yet among the pending ones, which do
    /// not change. It is added when the [`Published`] is dropped, in the order published.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Scream;
    ///
    /// let mut manager = MessageManager::new();
    /// let desk = manager.desk();
    /// desk.publish(Everyone, Scream)?;
    /// assert_eq!(desk.published::<Scream>().count(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`MessageManager::publish`].
    #[track_caller]
    pub fn publish<M: Message>(
        &self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<(), SendError> {
        let (manager, place) = (self.manager, Location::caller());
        manager.publish_as(self.sender, to.into(), place, &mut Some(message))
    }

    /// Publishes a message whose type is not known here, like [`MessageManager::publish_any`].
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Echo;
    ///
    /// let mut manager = MessageManager::new();
    /// let desk = manager.desk();
    /// desk.publish_any(Everyone, Box::new(Echo))?;
    /// assert_eq!(desk.published::<Echo>().count(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`MessageManager::publish`].
    #[track_caller]
    pub fn publish_any(
        &self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<(), SendError> {
        let (manager, place) = (self.manager, Location::caller());
        manager.publish_as(self.sender, to.into(), place, &mut Some(message))
    }

    /// Returns the desk of a messagee. Messages published there have the messagee as their sender, and `Me`
    /// refers to it, for reading too.
    ///
    /// ```
    /// use message_core::Recipient::Me;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Scream;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// let own = manager.desk().speak_for(orc)?;
    /// own.publish(Me, Scream)?;
    /// assert_eq!(own.published::<Scream>().to(Me).from(orc).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Gone`](crate::Absence::Gone), [`OtherManager`](crate::Absence::OtherManager).
    pub fn speak_for(self, id: MessageeId) -> Result<Self, MessageeError> {
        self.check_alive(id)?;
        let sender = Sender::Messagee(id);
        Ok(Self { sender, ..self })
    }

    /// Returns the messages of one type that were published in the last frame, as
    /// [`MessageManager::inbox`] finds them.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Scream;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.publish(Everyone, Scream)?;
    /// manager.tick(std::time::Duration::ZERO);
    /// assert_eq!(manager.desk().inbox::<Scream>().count(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn inbox<M: Message>(&self) -> Inbox<'m, M> {
        Inbox::new(self.mail())
    }

    /// Returns the messages of all types that were published in the last frame, as
    /// [`MessageManager::inbox_any`] finds them.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Scream;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.publish(Everyone, Scream)?;
    /// manager.tick(std::time::Duration::ZERO);
    /// assert!(manager.desk().inbox_any().iter().all(|mail| mail.is::<Scream>()));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn inbox_any(&self) -> AnyInbox<'m> {
        AnyInbox::new(self.mail())
    }

    /// Returns the messages of one type that have been published in this frame so far, as
    /// [`MessageManager::published`] finds them.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Scream;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.publish(Everyone, Scream)?;
    /// assert_eq!(manager.desk().published::<Scream>().count(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn published<M: Message>(&self) -> Published<'m, M> {
        Published::new(self.mail())
    }

    fn mail(&self) -> Choice<'m> {
        let world = self.manager.world();
        Choice::all(&world.mail, &world.structure, self.sender.id())
    }

    /// Returns a reading of the clock.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.desk().clock().now(), Duration::from_millis(16));
    /// ```
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.manager.clock()
    }

    /// Borrows the first component of type `C` of a messagee.
    ///
    /// The first borrow of a type at any desk of a manager changes how all components of that type are stored there, for
    /// good: each gets a cell of its own, a word larger, and a broadcast to them takes about twice as long. Types whose
    /// handlers take a context are stored like that from the beginning. Where one component is needed at a time, use
    /// [`MessageManager::get_mut`].
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Hp(u32);
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Hp(10),));
    /// let desk = manager.desk();
    /// let (one, again) = (desk.get::<Hp>(orc)?, desk.get::<Hp>(orc)?);
    /// assert_eq!((one.0, again.0), (10, 10));
    /// # drop((one, again));
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`get`](crate::Structure::get), and [`MessageeError::Busy`] while the component is
    /// mutably borrowed.
    pub fn get<C: Component>(&self, id: MessageeId) -> Result<Ref<'m, C>, MessageeError> {
        self.part::<C>();
        self.manager.get(id)
    }

    /// Mutably borrows the first component of type `C` of a messagee. Other components, of the same type or
    /// of other types, can be borrowed at the same time. The first such borrow changes how the type is stored; see
    /// [`get`](Self::get).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Purse(u32);
    ///
    /// let mut manager = MessageManager::new();
    /// let (rich, poor) = (manager.spawn((Purse(9),)), manager.spawn((Purse(1),)));
    /// let desk = manager.desk();
    /// let (mut from, mut to) = (desk.get_mut::<Purse>(rich)?, desk.get_mut::<Purse>(poor)?);
    /// from.0 -= 4;
    /// to.0 += 4;
    /// assert!(matches!(desk.get::<Purse>(rich), Err(MessageeError::Busy { .. })));
    /// # drop((from, to));
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`get`](crate::Structure::get), and [`MessageeError::Busy`] while the component is
    /// already borrowed.
    #[track_caller]
    pub fn get_mut<C: Component>(&self, id: MessageeId) -> Result<RefMut<'m, C>, MessageeError> {
        let (component, place) = (TypeId::of::<C>(), Location::caller());
        self.manager.note(|| Input::GetMut(id, component, place));
        self.part::<C>();
        self.manager
            .world()
            .structure
            .borrow_first::<C, Exclusive>(id)
    }

    /// Returns every component of type `C` with its messagee, in storage order, the disabled ones
    /// last.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Hp(u32);
    ///
    /// let mut manager = MessageManager::new();
    /// manager.spawn((Hp(10),));
    /// manager.spawn((Hp(20),));
    /// let total: u32 = manager.desk().iter::<Hp>().map(|(_, hp)| hp.0).sum();
    /// assert_eq!(total, 30);
    /// ```
    ///
    /// # Panics
    ///
    /// The iterator, when it comes to a component that is borrowed to be changed. None is passed over.
    pub fn iter<C: Component>(
        &self,
    ) -> impl Iterator<Item = (MessageeId, Ref<'m, C>)> + use<'m, C> {
        self.manager.iter_at_desk::<C, Shared>()
    }

    /// Returns every component of type `C` with its messagee, in storage order, the disabled ones
    /// last, to change them. All of them can be held at once.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Purse(u32);
    ///
    /// let mut manager = MessageManager::new();
    /// let (rich, poor) = (manager.spawn((Purse(9),)), manager.spawn((Purse(1),)));
    /// for (id, mut purse) in manager.desk().iter_mut::<Purse>().filter(|(id, _)| *id == rich) {
    ///     assert_eq!(id, rich);
    ///     purse.0 -= 4;
    /// }
    /// assert_eq!(manager.get::<Purse>(rich)?.0, 5);
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// The iterator, when it comes to a component that is borrowed. None is passed over.
    #[track_caller]
    pub fn iter_mut<C: Component>(
        &self,
    ) -> impl Iterator<Item = (MessageeId, RefMut<'m, C>)> + use<'m, C> {
        let (component, place) = (TypeId::of::<C>(), Location::caller());
        self.manager.note(|| Input::IterMut(component, place));
        self.manager.iter_at_desk::<C, Exclusive>()
    }
}

impl MessageManager {
    /// Publishes one message, in the name of a sender that was checked.
    pub(super) fn publish_as(
        &self,
        sender: Sender,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut dyn Unpublished,
    ) -> Result<(), SendError> {
        let way = Way::Published(to);
        self.note(|| Input::Arrived(way, sender, message.get(), place));
        let facts = message.get().facts();
        Sent::of_type(facts, self.world(), sender, to, place).publish(message)
    }

    /// Returns the place where mail is read and written, and components are changed, at the same time,
    /// from outside: see [`Desk`].
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Hp(u32);
    ///
    /// let mut manager = MessageManager::new();
    /// manager.spawn((Hp(10),));
    /// let desk = manager.desk();
    /// for (_, mut hp) in desk.iter_mut::<Hp>() {
    ///     hp.0 -= 1;
    /// }
    /// assert_eq!(desk.iter::<Hp>().map(|(_, hp)| hp.0).sum::<u32>(), 9);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    pub fn desk(&mut self) -> Desk<'_> {
        self.settle();
        Desk {
            manager: self,
            sender: Sender::Outside,
        }
    }
}
