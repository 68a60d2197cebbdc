//! Publishing: a message is put into its type's mailbox, where it is found from the next frame on.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::dispatch::Context;
use crate::error::SendError;
use crate::mailbox::{AnyInbox, Choice, Inbox, Letter, Mark, Pending};
use crate::message::{Message, MessageIndex};
use crate::world::World;

impl World {
    /// Publishes a message while others may be looking at mail.
    pub(crate) fn publish<M: Message>(
        &self,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(), SendError> {
        let (of, letter) = self.letter(to, sender, place, message)?;
        if self.mailboxes.open(of).put(letter) {
            // Somebody looks at the pending ones, from a desk or by a guard that was leaked. At the
            // latest it is written when nobody can look any more.
            self.later(move |world| {
                world.mailboxes.open_mut::<M>(of).write();
            });
        }
        Ok(())
    }

    /// Publishes a message, from outside.
    #[inline]
    pub(crate) fn publish_outside<M: Message>(
        &mut self,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(), SendError> {
        let (of, letter) = self.letter(to, sender, place, message)?;
        self.mailboxes.open_mut(of).write().push(letter);
        Ok(())
    }

    /// The letter that a message becomes, and the index of its type. It has its number then.
    #[inline]
    fn letter<M: Message>(
        &self,
        to: Recipient,
        sender: Sender,
        place: &'static Location<'static>,
        message: M,
    ) -> Result<(MessageIndex, Letter<M>), SendError> {
        let trace = if self.trace.is_on() {
            self.trace_publishing(to, sender, place, &message)
        } else {
            None
        };
        let (of, address) = match self.accept_mail::<M>(to, sender) {
            Ok(accepted) => accepted,
            Err(error) => {
                if self.trace.is_on() {
                    self.trace_unpublished::<M>(to, sender, trace, &error);
                }
                return Err(error);
            }
        };
        let mark = Mark {
            sender,
            place,
            time: self.time.now(),
            number: self.mailboxes.number_next(),
            trace,
        };
        let letter = Letter {
            message,
            to,
            address,
            mark,
            frame: self.time.frame,
        };
        Ok((of, letter))
    }

    /// Whether a message can be published. The index of its type, and the messagee that it is for, if
    /// it is for one alone.
    #[inline]
    fn accept_mail<M: Message>(
        &self,
        to: Recipient,
        sender: Sender,
    ) -> Result<(MessageIndex, Option<MessageeId>), SendError> {
        let Some(of) = M::index() else {
            return Err(SendError::Unregistered { message: M::NAME });
        };
        let address = match to {
            Recipient::Id(id) if self.messagees.is_alive(id) => Some(id),
            _ => self.mail_address(to, sender, M::NAME)?,
        };
        let limit = self.config.max_published;
        if self.mailboxes.published() >= u64::from(limit) {
            return Err(SendError::MailboxFull {
                to,
                message: M::NAME,
                limit,
            });
        }
        Ok((of, address))
    }

    /// The messagee that mail to a recipient is for, if it is for one alone.
    #[cold]
    fn mail_address(
        &self,
        to: Recipient,
        sender: Sender,
        message: &'static str,
    ) -> Result<Option<MessageeId>, SendError> {
        self.check_recipient(to, sender, message)?;
        match self.resolve_mnemonic(to) {
            Recipient::Id(id) => Ok(Some(id)),
            Recipient::Me => Ok(sender.id()),
            Recipient::Mnemonic(mnemonic) => Err(SendError::Unbound {
                mnemonic: mnemonic.name(),
                message,
            }),
            _ => Ok(None),
        }
    }
}

impl<'a, R> Context<'a, R> {
    /// Publishes a message, as [`MessageManager::publish`](crate::MessageManager::publish) does,
    /// with the same sender as [`send`](Self::send).
    ///
    /// # Errors
    ///
    /// Those of [`MessageManager::publish`](crate::MessageManager::publish).
    #[track_caller]
    pub fn publish<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<(), SendError> {
        let place = Location::caller();
        let sender = self.frame_sender();
        self.world().publish(to.into(), sender, place, message)
    }

    /// The messages of one type that were published in the last frame, as
    /// [`MessageManager::inbox`](crate::MessageManager::inbox) finds them. `Me` stands for the
    /// messagee that is receiving, or the owner of the subscription.
    ///
    /// It does not borrow the context, so that a handler can send while it reads:
    ///
    /// ```
    /// use std::time::Duration;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Hit { damage: u32 }
    ///
    /// #[derive(Message)]
    /// struct Ouch;
    ///
    /// #[derive(Message)]
    /// struct Think;
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn think(&mut self, _: &Think, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         for hit in cx.inbox::<Hit>().to(Me) {
    ///             self.hp -= hit.damage;
    ///             cx.send(Everyone, Ouch)?;
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Health { hp: 10 },));
    /// manager.publish(orc, Hit { damage: 3 })?;
    /// manager.tick(Duration::from_millis(16));
    /// manager.send(orc, Think)?;
    /// assert_eq!(manager.get::<Health>(orc)?.hp, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inbox<M: Message>(&self) -> Inbox<'a, M> {
        Inbox::new(self.all_mail())
    }

    /// The messages of all types that were published in the last frame, in the order sent, as
    /// [`MessageManager::inbox_any`](crate::MessageManager::inbox_any) finds them. Like
    /// [`inbox`](Self::inbox), it does not borrow the context.
    pub fn inbox_any(&self) -> AnyInbox<'a> {
        AnyInbox::new(self.all_mail())
    }

    /// The messages of one type that have been published in this frame, as
    /// [`MessageManager::pending`](crate::MessageManager::pending) finds them.
    pub fn pending<M: Message>(&self) -> Pending<'_, M> {
        Pending::new(self.all_mail())
    }

    fn all_mail(&self) -> Choice<'a> {
        Choice::all(self.world(), self.frame_sender().id())
    }
}
