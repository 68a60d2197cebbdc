//! Sending messages whose type is not known, from a handler or a subscriber.

use std::any::Any;
use std::borrow::Borrow;
use std::panic::Location;

use crate::address::Recipient;
use crate::context::Context;
use crate::error::SendError;
use crate::header::{Header, IntoHeader, header_of};
use crate::message::AnyMessage;
use crate::post::Ticket;
use crate::receipt::Receipt;
use crate::send::Publisher;
use crate::send::dynamic;

impl<R> Context<'_, R> {
    /// Sends a message whose type is not known here, like
    /// [`MessageManager::send_any`](crate::MessageManager::send_any). It does the same as
    /// [`send`](Self::send) with the message itself.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Press;
    ///
    /// #[derive(Message)]
    /// struct Quit;
    ///
    /// struct Button { action: Option<Box<dyn AnyMessage>> }
    ///
    /// #[handlers]
    /// impl Button {
    ///     #[on_receive]
    ///     fn press(&mut self, _: &Press, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         if let Some(action) = self.action.take() {
    ///             cx.send_any(Everyone, action)?;
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// #[derive(Default)]
    /// struct Program { over: bool }
    ///
    /// #[handlers]
    /// impl Program {
    ///     #[on_receive]
    ///     fn quit(&mut self, _: &Quit) { self.over = true; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let program = manager.spawn((Program::default(),));
    /// let button = manager.spawn((Button { action: Some(Box::new(Quit)) },));
    /// manager.send(button, Press)?;
    /// assert!(manager.get::<Program>(program)?.over);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send). The message is dropped then, as it is there.
    #[track_caller]
    pub fn send_any(
        &mut self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<Receipt, SendError> {
        dynamic::send_any(self.frame(), to.into(), Location::caller(), message)
    }

    /// Asks with a message whose type is not known here, as
    /// [`MessageManager::request_any`](crate::MessageManager::request_any) does. The answer comes in a
    /// box; it is of the message's reply type.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(reply = u32)]
    /// struct GetHp;
    ///
    /// #[derive(Message)]
    /// #[message(reply = bool)]
    /// struct IsAnsweredBy(MessageeId);
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn hp(&self, _: &GetHp) -> u32 { self.hp }
    /// }
    ///
    /// struct Probe;
    ///
    /// #[handlers]
    /// impl Probe {
    ///     #[on_receive]
    ///     fn probe(&mut self, probe: &IsAnsweredBy, cx: &mut Context<'_>) -> bool {
    ///         let answer = cx.request_any(probe.0, Box::new(GetHp));
    ///         answer.is_ok_and(|answer| answer.is::<u32>())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (probe, orc) = (manager.spawn((Probe,)), manager.spawn((Health { hp: 1 },)));
    /// assert!(manager.request(probe, IsAnsweredBy(orc))?);
    /// assert!(!manager.request(probe, IsAnsweredBy(probe))?);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NoReplyType`](crate::SendErrorKind::NoReplyType) when the message's type has no reply, otherwise
    /// those of [`request`](Self::request).
    #[track_caller]
    pub fn request_any(
        &mut self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<Box<dyn Any>, SendError> {
        dynamic::request_any(self.frame(), to.into(), Location::caller(), message)
    }

    /// Posts a message whose type is not known here, like
    /// [`MessageManager::post_any`](crate::MessageManager::post_any). It does the same as
    /// [`post`](Self::post) with the message itself.
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
    /// struct Ring;
    ///
    /// struct Timer { then: Option<Box<dyn AnyMessage>> }
    ///
    /// #[handlers]
    /// impl Timer {
    ///     #[on_receive]
    ///     fn begin(
    ///         &mut self,
    ///         _: &Begin,
    ///         cx: &mut Context<'_>,
    ///     ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    ///         let later = Header::to(cx.me()).after(Duration::from_secs(1)).build()?;
    ///         if let Some(then) = self.then.take() {
    ///             cx.post_any(&later, then)?;
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let timer = manager.spawn((Timer { then: Some(Box::new(Ring)) },));
    /// manager.send(timer, Begin)?;
    /// assert!(manager.has_pending(Posts::of::<Ring>().to(timer)));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`post`](Self::post). The message is dropped then, as it is there.
    #[track_caller]
    pub fn post_any(
        &mut self,
        header: impl IntoHeader,
        message: Box<dyn AnyMessage>,
    ) -> Result<Ticket, SendError> {
        let place = Location::caller();
        let held = header_of(header, message.name())?;
        let header: &Header = held.borrow();
        dynamic::post_any(self.frame(), header, place, message)
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
        let (sender, place) = (self.frame_sender(), Location::caller());
        Publisher::inside(self.world(), to.into(), sender, place).publish_any(message)
    }
}
