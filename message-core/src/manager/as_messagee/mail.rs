//! Mail in the name of a messagee.

use std::panic::Location;

use crate::address::Recipient;
use crate::error::{MessageeError, SendError};
use crate::mailbox::{AnyInbox, Inbox, Pending, Unpublished};
use crate::manager::as_messagee::check_sender;
use crate::manager::{AsMessagee, Desk, MailWriter};
use crate::message::{AnyMessage, Message};
use crate::send::Publisher;

impl AsMessagee<'_> {
    /// Like [`MessageManager::publish`](crate::MessageManager::publish), but with the messagee as the sender.
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
    /// Returns the same errors as [`MessageManager::publish`](crate::MessageManager::publish), and
    /// [`Gone`](crate::SendErrorKind::Gone) as [`send`](Self::send) does.
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](crate::MessageManager::settle).
    #[track_caller]
    pub fn publish<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<(), SendError> {
        self.publish_one(to.into(), Location::caller(), &mut Some(message))
    }

    /// Like [`MessageManager::publish_any`](crate::MessageManager::publish_any), but with the messagee as the
    /// sender.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Knock;
    ///
    /// let mut manager = MessageManager::new();
    /// let (guest, door) = (manager.spawn(()), manager.spawn(()));
    /// manager.as_messagee(guest)?.publish_any(door, Box::new(Knock))?;
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.inbox::<Knock>().to(door).from(guest).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`publish`](Self::publish).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`publish`](Self::publish).
    #[track_caller]
    pub fn publish_any(
        &mut self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<(), SendError> {
        self.publish_one(to.into(), Location::caller(), &mut Some(message))
    }

    /// Like [`MessageManager::publish_each`](crate::MessageManager::publish_each), but with the messagee as
    /// the sender.
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
    /// Returns the same errors as [`publish`](Self::publish).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as
    /// [`MessageManager::publish_each`](crate::MessageManager::publish_each).
    #[track_caller]
    pub fn publish_each<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        messages: impl IntoIterator<Item = M>,
    ) -> Result<(), SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.begin_mail(M::NAME)?;
        let world = &self.manager.world;
        if world.waiting.pending.is_observed() {
            let mut messages = messages.into_iter();
            return messages
                .try_for_each(|message| self.publish_one(to, place, &mut Some(message)));
        }
        Publisher::new(world, to, self.sender, place).publish_each(messages)
    }

    /// Makes a writer, like [`MessageManager::writer`](crate::MessageManager::writer), but with the messagee
    /// as the sender.
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
    /// Returns the same errors as [`MessageManager::writer`](crate::MessageManager::writer), and
    /// [`Gone`](crate::SendErrorKind::Gone) if the messagee itself is gone.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`publish`](Self::publish).
    #[track_caller]
    pub fn writer<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
    ) -> Result<MailWriter<'_, M>, SendError> {
        let from = AsMessagee::new(self.manager, self.sender);
        MailWriter::new(from, to.into(), Location::caller())
    }

    /// Returns the messages of one type that were published in the last frame, like
    /// [`MessageManager::inbox`](crate::MessageManager::inbox). `Me` refers to the messagee.
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
        Inbox::new(self.manager.all_mail(self.sender.id()))
    }

    /// Returns the messages of all types that were published in the last frame, like
    /// [`MessageManager::inbox_any`](crate::MessageManager::inbox_any). `Me` refers to the messagee.
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
        AnyInbox::new(self.manager.all_mail(self.sender.id()))
    }

    /// Returns the messages of one type that have been published in this frame so far, like
    /// [`MessageManager::pending`](crate::MessageManager::pending). `Me` refers to the messagee.
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
        Pending::new(self.manager.all_mail(self.sender.id()))
    }

    /// Returns the messagee's desk. This is [`MessageManager::desk`](crate::MessageManager::desk) followed by
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
    /// Panics under the same conditions as [`MessageManager::desk`](crate::MessageManager::desk).
    pub fn desk(&mut self) -> Result<Desk<'_>, MessageeError> {
        let me = self.me();
        self.manager.desk().as_messagee(me)
    }

    pub(in crate::manager) fn publish_one(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut dyn Unpublished,
    ) -> Result<(), SendError> {
        self.begin_mail(message.get().name())?;
        self.manager.publish_as(self.sender, to, place, message)
    }

    /// Takes up the mailboxes of types that were registered meanwhile, and checks the sender.
    pub(super) fn begin_mail(&mut self, message: &'static str) -> Result<(), SendError> {
        self.manager.no_input().changes().take_up();
        self.manager.settle();
        check_sender(&self.manager.world.structure, self.sender, message)
    }
}
