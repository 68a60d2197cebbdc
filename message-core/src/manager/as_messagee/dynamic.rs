//! Sending messages whose type is not known, in the name of a messagee.

use std::any::Any;
use std::borrow::Borrow;
use std::panic::Location;

use crate::address::Recipient;
#[cfg(feature = "data")]
use crate::data::How;
use crate::error::SendError;
use crate::header::{Header, IntoHeader, header_of};
use crate::manager::AsMessagee;
use crate::message::AnyMessage;
use crate::post::Ticket;
use crate::receipt::Receipt;
use crate::send::{post_any, request_any, send_any};

impl AsMessagee<'_> {
    /// Like [`MessageManager::send_any`](crate::MessageManager::send_any), but with the messagee as the
    /// sender.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Knock;
    ///
    /// let mut manager = MessageManager::new();
    /// let guest = manager.spawn(());
    /// let receipt = manager.as_messagee(guest)?.send_any(Me, Box::new(Knock))?;
    /// assert_eq!(receipt.received, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`MessageManager::send`](crate::MessageManager::send).
    #[track_caller]
    pub fn send_any(
        &mut self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<Receipt, SendError> {
        let (to, place) = (to.into(), Location::caller());
        #[cfg(feature = "data")]
        self.log_send(How::Send, to, &*message, place);
        self.speak_to(message.name(), |outside| {
            send_any(outside, to, place, message)
        })
    }

    /// Like [`MessageManager::request_any`](crate::MessageManager::request_any), but with the messagee as the
    /// sender.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(reply = MessageeId)]
    /// struct WhoAsks;
    ///
    /// struct Porter;
    ///
    /// #[handlers]
    /// impl Porter {
    ///     #[on_receive]
    ///     fn who(&self, _: &WhoAsks, cx: &mut Context<'_>) -> Option<MessageeId> { cx.sender().id() }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (door, guest) = (manager.spawn((Porter,)), manager.spawn(()));
    /// let answer = manager.as_messagee(guest)?.request_any(door, Box::new(WhoAsks))?;
    /// assert_eq!(answer.downcast_ref(), Some(&guest));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`MessageManager::request_any`](crate::MessageManager::request_any), and
    /// [`Gone`](crate::SendErrorKind::Gone) as [`send`](Self::send) does.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`MessageManager::send`](crate::MessageManager::send).
    #[track_caller]
    pub fn request_any(
        &mut self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<Box<dyn Any>, SendError> {
        let (to, place) = (to.into(), Location::caller());
        #[cfg(feature = "data")]
        self.log_send(How::Request, to, &*message, place);
        self.speak(message.name(), |outside| {
            request_any(outside, to, place, message)
        })
    }

    /// Like [`MessageManager::post_any`](crate::MessageManager::post_any), but with the messagee as the
    /// sender.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Knock;
    ///
    /// let mut manager = MessageManager::new();
    /// let guest = manager.spawn(());
    /// let later = Header::to(Me).after_frames(1).build()?;
    /// let ticket = manager.as_messagee(guest)?.post_any(&later, Box::new(Knock))?;
    /// assert!(manager.has_pending(Posts::from(ticket).sent_by(guest)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`post`](Self::post).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`MessageManager::post`](crate::MessageManager::post).
    #[track_caller]
    pub fn post_any(
        &mut self,
        header: impl IntoHeader,
        message: Box<dyn AnyMessage>,
    ) -> Result<Ticket, SendError> {
        let place = Location::caller();
        let held = header_of(header, message.name())?;
        let header: &Header = held.borrow();
        #[cfg(feature = "data")]
        self.log_post(header, &*message, place);
        self.speak(message.name(), |outside| {
            post_any(outside, header, place, message)
        })
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
        let (to, place) = (to.into(), Location::caller());
        self.publisher(to, message.name(), place)?
            .publish_any(message)
    }
}
