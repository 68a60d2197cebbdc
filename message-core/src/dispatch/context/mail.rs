//! Mail from a handler or a subscriber: publishing, and reading.

use std::panic::Location;

use crate::address::Recipient;
use crate::dispatch::Context;
use crate::error::SendError;
use crate::mailbox::{AnyInbox, Choice, Inbox, Pending};
use crate::message::Message;

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

    /// Returns the messages of one type that were published in the last frame, as
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

    /// Returns the messages of all types that were published in the last frame, in the order sent,
    /// as [`MessageManager::inbox_any`](crate::MessageManager::inbox_any) finds them. Like
    /// [`inbox`](Self::inbox), it does not borrow the context.
    pub fn inbox_any(&self) -> AnyInbox<'a> {
        AnyInbox::new(self.all_mail())
    }

    /// Returns the messages of one type that have been published in this frame, as
    /// [`MessageManager::pending`](crate::MessageManager::pending) finds them.
    pub fn pending<M: Message>(&self) -> Pending<'_, M> {
        Pending::new(self.all_mail())
    }

    fn all_mail(&self) -> Choice<'a> {
        Choice::all(self.world(), self.frame_sender().id())
    }
}
