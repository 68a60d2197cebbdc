//! Mail from a handler or a subscriber: publishing, and reading.

use std::panic::Location;

use crate::address::Recipient;
use crate::context::Context;
use crate::error::SendError;
use crate::mailbox::{AnyInbox, Choice, Inbox, Pending};
use crate::message::{AnyMessage, Message};
use crate::send::Publisher;

impl<'a, R> Context<'a, R> {
    /// Publishes a message, like [`MessageManager::publish`](crate::MessageManager::publish), with the same
    /// sender as [`send`](Self::send).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Walk;
    ///
    /// #[derive(Message)]
    /// struct Footprint;
    ///
    /// struct Legs;
    ///
    /// #[handlers]
    /// impl Legs {
    ///     #[on_receive]
    ///     fn walk(&mut self, _: &Walk, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         cx.publish(Everyone, Footprint)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Legs,));
    /// manager.send(orc, Walk)?;
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.inbox::<Footprint>().from(orc).count(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`MessageManager::publish`](crate::MessageManager::publish).
    #[track_caller]
    pub fn publish<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<(), SendError> {
        self.publisher(to.into(), Location::caller())
            .publish(&mut Some(message))
    }

    /// Publishes a message whose type is not known here, like
    /// [`MessageManager::publish_any`](crate::MessageManager::publish_any). It does the same as
    /// [`publish`](Self::publish) with the message itself.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Begin;
    ///
    /// #[derive(Message)]
    /// struct Open { width: u32 }
    ///
    /// struct Herald { news: Vec<Box<dyn AnyMessage>> }
    ///
    /// #[handlers]
    /// impl Herald {
    ///     #[on_receive]
    ///     fn begin(&mut self, _: &Begin, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         for news in self.news.drain(..) {
    ///             cx.publish_any(Everyone, news)?;
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let herald = manager.spawn((Herald { news: vec![Box::new(Open { width: 7 })] },));
    /// manager.send(herald, Begin)?;
    /// manager.tick(Duration::from_millis(16));
    /// let open = manager.inbox::<Open>().from(herald).first().expect("it was published");
    /// assert_eq!(open.width, 7);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`publish`](Self::publish). The message is dropped then, as it is there.
    #[track_caller]
    pub fn publish_any(
        &mut self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<(), SendError> {
        self.publisher(to.into(), Location::caller())
            .publish(&mut Some(message))
    }

    /// Publishes messages to one recipient, one after another, like
    /// [`MessageManager::publish_each`](crate::MessageManager::publish_each), with the same sender as
    /// [`send`](Self::send).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Light;
    ///
    /// #[derive(Message)]
    /// struct Spark { angle: u32 }
    ///
    /// struct Fuse;
    ///
    /// #[handlers]
    /// impl Fuse {
    ///     #[on_receive]
    ///     fn light(&mut self, _: &Light, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         cx.publish_each(Everyone, (0..8).map(|at| Spark { angle: 45 * at }))
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let rocket = manager.spawn((Fuse,));
    /// manager.send(rocket, Light)?;
    /// assert_eq!(manager.pending::<Spark>().from(rocket).count(), 8);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`MessageManager::publish`](crate::MessageManager::publish).
    ///
    /// # Panics
    ///
    /// Panics if the iterator panics.
    #[track_caller]
    pub fn publish_each<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        messages: impl IntoIterator<Item = M>,
    ) -> Result<(), SendError> {
        self.publisher(to.into(), Location::caller())
            .publish_each(messages)
    }

    /// Returns the messages of one type that were published in the last frame, like
    /// [`MessageManager::inbox`](crate::MessageManager::inbox). `Me` refers to the messagee that is
    /// receiving, or to the owner of the subscription.
    ///
    /// It does not borrow the context, so a handler can send while it reads:
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
    ///
    /// ```
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
        AnyInbox::new(self.all_mail())
    }

    /// Returns the messages of one type that have been published in this frame, as
    /// [`MessageManager::pending`](crate::MessageManager::pending) finds them.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Shot;
    ///
    /// #[derive(Message)]
    /// struct Alarm;
    ///
    /// struct Guard;
    ///
    /// #[handlers]
    /// impl Guard {
    ///     #[on_receive]
    ///     fn shot(&mut self, _: &Shot, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         if cx.pending::<Alarm>().is_empty() {
    ///             cx.publish(Everyone, Alarm)?;
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// manager.spawn((Guard,));
    /// manager.spawn((Guard,));
    /// manager.send(Everyone, Shot)?;
    /// assert_eq!(manager.pending::<Alarm>().count(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn pending<M: Message>(&self) -> Pending<'_, M> {
        Pending::new(self.all_mail())
    }

    fn publisher(&self, to: Recipient, place: &'static Location<'static>) -> Publisher<'a> {
        Publisher::new(self.world(), to, self.frame.sender(), place)
    }

    fn all_mail(&self) -> Choice<'a> {
        Choice::all(
            &self.world().mail,
            &self.world().structure,
            self.frame.sender().id(),
        )
    }
}
