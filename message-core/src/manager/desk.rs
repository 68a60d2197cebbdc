//! Reading mail, writing mail and changing components side by side, from outside.

use std::cell::{Ref, RefMut};
use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::component::Component;
use crate::error::{MessageeError, SendError};
use crate::mailbox::{AnyInbox, Choice, Inbox, Pending};
use crate::manager::MessageManager;
use crate::message::{AnyMessage, Message};
use crate::mnemonic::Mnemonic;
use crate::time::Clock;
use crate::world::World;

/// Where mail is read and written, from [`MessageManager::desk`]: what a program in pull style works
/// at. While it reads its mail it can publish and change components, as a handler can; the manager
/// itself has to be left alone for as long as mail is in hand.
///
/// No handler runs meanwhile, so nothing happens behind the reader's back. It can be copied. Messagees
/// come and go between frames, by the manager.
///
/// ```
/// use std::time::Duration;
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
///             desk.as_messagee(id)?.publish(EveryoneElse, Scream)?;
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
    world: &'m World,
    sender: Sender,
}

impl<'m> Desk<'m> {
    /// Publishes a message, as [`MessageManager::publish`] does.
    ///
    /// While a [`Pending`] of the same type is in hand, the message is not yet among the pending ones,
    /// which stand still. It is as soon as that has been put away, in the order published.
    ///
    /// # Errors
    ///
    /// Those of [`MessageManager::publish`].
    #[track_caller]
    pub fn publish<M: Message>(
        &self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<(), SendError> {
        let place = Location::caller();
        self.world.publish(to.into(), self.sender, place, message)
    }

    /// Publishes a message whose type is not known here, as [`MessageManager::publish_any`] does.
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
    /// assert_eq!(desk.pending::<Echo>().count(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`MessageManager::publish`].
    #[track_caller]
    pub fn publish_any(
        &self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<(), SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.world.publish_any(to, self.sender, place, message)
    }

    /// Returns the desk of a messagee: what is published there has that messagee as its sender, and
    /// `Me` stands for it, in what is read too.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    pub fn as_messagee(self, id: MessageeId) -> Result<Self, MessageeError> {
        self.world.check_alive(id)?;
        let sender = Sender::Messagee(id);
        Ok(Self { sender, ..self })
    }

    /// Returns the messages of one type that were published in the last frame, as
    /// [`MessageManager::inbox`] finds them.
    pub fn inbox<M: Message>(&self) -> Inbox<'m, M> {
        Inbox::new(self.all_mail())
    }

    /// Returns the messages of all types that were published in the last frame, as
    /// [`MessageManager::inbox_any`] finds them.
    pub fn inbox_any(&self) -> AnyInbox<'m> {
        AnyInbox::new(self.all_mail())
    }

    /// Returns the messages of one type that have been published in this frame so far, as
    /// [`MessageManager::pending`] finds them.
    pub fn pending<M: Message>(&self) -> Pending<'m, M> {
        Pending::new(self.all_mail())
    }

    fn all_mail(&self) -> Choice<'m> {
        Choice::all(self.world, self.sender.id())
    }

    /// Returns a reading of the clock.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.world.time.reading()
    }

    /// Borrows the first component of type `C` of a messagee.
    ///
    /// # Errors
    ///
    /// As [`MessageManager::get`]; [`MessageeError::Busy`] while it is borrowed to be changed.
    pub fn get<C: Component>(&self, id: MessageeId) -> Result<Ref<'m, C>, MessageeError> {
        self.world.get(id)
    }

    /// Borrows the first component of type `C` of a messagee, to change it.
    ///
    /// # Errors
    ///
    /// As [`MessageManager::get`]; [`MessageeError::Busy`] while it is borrowed already. Of a type with
    /// handlers none of which takes a [`Context`](crate::Context), all components are borrowed with
    /// it.
    pub fn get_mut<C: Component>(&self, id: MessageeId) -> Result<RefMut<'m, C>, MessageeError> {
        self.world.get_mut(id)
    }

    /// Returns every component of type `C` that is not borrowed to be changed, with its messagee,
    /// in storage order, the disabled ones last.
    pub fn iter<C: Component>(
        &self,
    ) -> impl Iterator<Item = (MessageeId, Ref<'m, C>)> + use<'m, C> {
        self.world.iter()
    }

    /// Returns every component of type `C` that is not borrowed, with its messagee, in storage
    /// order, to change them one after the other: each has to be put away before the next is taken,
    /// or that is passed over, if its type is [borrowed as a whole](Self::get_mut).
    pub fn iter_mut<C: Component>(
        &self,
    ) -> impl Iterator<Item = (MessageeId, RefMut<'m, C>)> + use<'m, C> {
        self.world.iter_mut()
    }

    /// Returns the messagee that a mnemonic is bound to, if it is.
    #[must_use]
    pub fn bound(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
        self.world.addresses.bound(mnemonic)
    }

    /// Returns `true` if a messagee is alive.
    #[must_use]
    pub fn is_alive(&self, id: MessageeId) -> bool {
        self.world.messagees.is_alive(id)
    }
}

impl MessageManager {
    /// Where mail is read and written at the same time, from outside: see [`Desk`].
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn desk(&mut self) -> Desk<'_> {
        self.settle();
        Desk {
            world: &self.world,
            sender: Sender::Outside,
        }
    }
}
