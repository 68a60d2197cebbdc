//! Reading mail in a handler or a subscriber. It is lent for longer than the context is borrowed.

use crate::context::Context;
use crate::mailbox::{AnyInbox, Choice, Inbox};
use crate::message::Message;

impl<'a, R> Context<'a, R> {
    /// Returns the messages of one type that were published in the last frame, like
    /// [`MessageManager::inbox`](crate::MessageManager::inbox). `Me` refers to the messagee that is
    /// receiving, or to the owner of the subscription.
    ///
    /// In a pass of [`FixedUpdate`](crate::Stage::FixedUpdate), it returns what was published since the frame of the last
    /// pass: a reader that reads in every pass finds each message once, however many passes a frame has.
    ///
    /// It does not borrow the context, so a handler can send while it reads:
    ///
    /// ```
    /// use std::time::Duration;
    /// use message_core::Recipient::Me;
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
        let inbox = Inbox::new(self.all_mail());
        if let Some(passed) = self.reads_in_pass()
            && let Some(mailbox) = inbox.mailbox()
        {
            mailbox.read_in.set(passed);
        }
        inbox
    }

    /// Returns the messages of all types that were published in the last frame, in the order sent,
    /// as [`MessageManager::inbox_any`](crate::MessageManager::inbox_any) finds them. Like
    /// [`inbox`](Self::inbox), it does not borrow the context.
    ///
    /// ```
    /// use message_core::Recipient::Me;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Bill;
    ///
    /// #[derive(Message)]
    /// struct Postcard;
    ///
    /// #[derive(Message)]
    /// struct Look;
    ///
    /// #[derive(Default)]
    /// struct Flag { is_up: bool }
    ///
    /// #[handlers]
    /// impl Flag {
    ///     #[on_receive]
    ///     fn look(&mut self, _: &Look, cx: &mut Context<'_>) {
    ///         self.is_up = cx.inbox_any().to(Me).count() == 2;
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let house = manager.spawn((Flag::default(),));
    /// manager.publish(house, Bill)?;
    /// manager.publish(house, Postcard)?;
    /// manager.tick(Duration::from_millis(16));
    /// manager.send(house, Look)?;
    /// assert!(manager.get::<Flag>(house)?.is_up);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inbox_any(&self) -> AnyInbox<'a> {
        if let Some(passed) = self.reads_in_pass() {
            self.world().mail.read_in.set(passed);
        }
        AnyInbox::new(self.all_mail())
    }

    /// Returns the frame of the pass of `FixedUpdate` that is under way, if a handler reads in one. A subscriber is not
    /// in a replay, so what it reads changes nothing.
    fn reads_in_pass(&self) -> Option<u64> {
        let mail = &self.world().mail;
        let is_handler = self.frame.spot.as_subscription().is_none();
        (is_handler && mail.is_in_pass()).then_some(mail.passed)
    }

    fn all_mail(&self) -> Choice<'a> {
        let world = self.world();
        Choice::all(&world.mail, &world.structure, self.frame.sender().id())
    }
}
