//! Mail in the name of a messagee.

use std::panic::Location;

use crate::address::Recipient;
use crate::error::{MessageeError, SendError};
use crate::mailbox::{AnyInbox, Choice, Inbox, Pending};
use crate::manager::as_messagee::alive;
use crate::manager::{AsMessagee, Desk};
use crate::message::Message;
use crate::send::{MailWriter, Publisher};

impl AsMessagee<'_> {
    /// As [`MessageManager::publish`](crate::MessageManager::publish), in the messagee's name.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Wish;
    ///
    /// let mut manager = MessageManager::new();
    /// let (santa, child) = (manager.spawn(()), manager.spawn(()));
    /// manager.as_messagee(child)?.publish(santa, Wish)?;
    /// manager.tick(Duration::from_millis(16));
    /// for wish in manager.inbox::<Wish>().to(santa) {
    ///     assert_eq!(wish.sender(), Sender::Messagee(child));
    /// }
    /// assert_eq!(manager.inbox::<Wish>().to(santa).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`MessageManager::publish`](crate::MessageManager::publish);
    /// [`Gone`](crate::SendErrorKind::Gone) as for [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](crate::MessageManager::settle).
    #[track_caller]
    pub fn publish<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<(), SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.publisher(to, M::NAME, place)?.publish(message)
    }

    /// As [`MessageManager::publish_each`](crate::MessageManager::publish_each), in the messagee's name.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Wish { toys: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let (santa, child) = (manager.spawn(()), manager.spawn(()));
    /// manager.as_messagee(child)?.publish_each(santa, [1, 5].map(|toys| Wish { toys }))?;
    /// let wishes = manager.pending::<Wish>();
    /// assert_eq!(wishes.from(child).iter().map(|wish| wish.toys).sum::<u32>(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`publish`](Self::publish).
    ///
    /// # Panics
    ///
    /// As [`MessageManager::publish_each`](crate::MessageManager::publish_each).
    #[track_caller]
    pub fn publish_each<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        messages: impl IntoIterator<Item = M>,
    ) -> Result<(), SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.publisher(to, M::NAME, place)?.publish_each(messages)
    }

    /// Makes a writer, as [`MessageManager::writer`](crate::MessageManager::writer) does, with the messagee as the sender.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Arrow;
    ///
    /// let mut manager = MessageManager::new();
    /// let (archer, target) = (manager.spawn(()), manager.spawn(()));
    /// let mut archer_speaks = manager.as_messagee(archer)?;
    /// let mut arrows = archer_speaks.writer::<Arrow>(target)?;
    /// for _ in 0..3 {
    ///     arrows.publish(Arrow)?;
    /// }
    /// assert_eq!(manager.pending::<Arrow>().to(target).from(archer).count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`MessageManager::writer`](crate::MessageManager::writer), and
    /// [`Gone`](crate::SendErrorKind::Gone) when the messagee itself is gone.
    ///
    /// # Panics
    ///
    /// As [`publish`](Self::publish).
    #[track_caller]
    pub fn writer<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
    ) -> Result<MailWriter<'_, M>, SendError> {
        let place = Location::caller();
        self.manager.world.changes().take_up();
        self.manager.settle();
        let world = &mut self.manager.world;
        let sender = alive(&world.structure.messagees, self.id, M::NAME)?;
        MailWriter::new(world, to.into(), sender, place)
    }

    /// Returns the messages of one type that were published in the last frame, as
    /// [`MessageManager::inbox`](crate::MessageManager::inbox) does. `Me` stands for the messagee.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Wish;
    ///
    /// let mut manager = MessageManager::new();
    /// let (santa, child) = (manager.spawn(()), manager.spawn(()));
    /// manager.as_messagee(child)?.publish(santa, Wish)?;
    /// manager.tick(Duration::ZERO);
    /// assert_eq!(manager.as_messagee(santa)?.inbox::<Wish>().to(Me).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inbox<M: Message>(&self) -> Inbox<'_, M> {
        Inbox::new(self.all_mail())
    }

    /// Returns the messages of all types that were published in the last frame, as
    /// [`MessageManager::inbox_any`](crate::MessageManager::inbox_any) does. `Me` stands for the
    /// messagee.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Wish;
    ///
    /// let mut manager = MessageManager::new();
    /// let santa = manager.spawn(());
    /// manager.publish(santa, Wish)?;
    /// manager.tick(Duration::ZERO);
    /// assert_eq!(manager.as_messagee(santa)?.inbox_any().to(Me).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inbox_any(&self) -> AnyInbox<'_> {
        AnyInbox::new(self.all_mail())
    }

    /// Returns the messages of one type that have been published in this frame so far, as
    /// [`MessageManager::pending`](crate::MessageManager::pending) does. `Me` stands for the
    /// messagee.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Wish;
    ///
    /// let mut manager = MessageManager::new();
    /// let santa = manager.spawn(());
    /// manager.publish(santa, Wish)?;
    /// assert_eq!(manager.as_messagee(santa)?.pending::<Wish>().to(Me).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pending<M: Message>(&self) -> Pending<'_, M> {
        Pending::new(self.all_mail())
    }

    /// Publishes from the messagee, if it is alive.
    pub(super) fn publisher(
        &mut self,
        to: Recipient,
        message: &'static str,
        place: &'static Location<'static>,
    ) -> Result<Publisher<'_>, SendError> {
        self.manager.world.changes().take_up();
        self.manager.settle();
        let world = &self.manager.world;
        let sender = alive(&world.structure.messagees, self.id, message)?;
        Ok(Publisher::outside(world, to, sender, place))
    }

    fn all_mail(&self) -> Choice<'_> {
        Choice::all(
            &self.manager.world.mail,
            &self.manager.world.structure,
            Some(self.id),
        )
    }

    /// Returns the messagee's desk: [`MessageManager::desk`](crate::MessageManager::desk), then
    /// [`Desk::as_messagee`](crate::Desk::as_messagee).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Wish;
    ///
    /// let mut manager = MessageManager::new();
    /// let (santa, child) = (manager.spawn(()), manager.spawn(()));
    /// manager.as_messagee(child)?.desk()?.publish(santa, Wish)?;
    /// assert_eq!(manager.pending::<Wish>().from(child).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`] if the messagee has gone meanwhile.
    ///
    /// # Panics
    ///
    /// As [`MessageManager::desk`](crate::MessageManager::desk).
    pub fn desk(&mut self) -> Result<Desk<'_>, MessageeError> {
        self.manager.desk().as_messagee(self.id)
    }
}
