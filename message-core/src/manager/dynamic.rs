//! Sends of messages whose type is not known where they are sent.

use std::any::Any;
use std::borrow::Borrow;
use std::panic::Location;

use crate::address::Recipient;
#[cfg(feature = "data")]
use crate::address::Sender;
#[cfg(feature = "data")]
use crate::data::How;
use crate::error::SendError;
use crate::header::{Header, IntoHeader, header_of};
use crate::manager::MessageManager;
use crate::message::AnyMessage;
use crate::post::Ticket;
use crate::receipt::Receipt;
use crate::send::{Program, post_any, request_any, send_any};

impl MessageManager {
    /// Sends a message whose type is not known here. It does the same as [`send`](Self::send) with the
    /// message itself.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Damage(u32);
    ///
    /// #[derive(Message)]
    /// struct Heal(u32);
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn hurt(&mut self, damage: &Damage) { self.hp -= damage.0; }
    ///
    ///     #[on_receive]
    ///     fn heal(&mut self, heal: &Heal) { self.hp += heal.0; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Health { hp: 10 },));
    /// let script: Vec<Box<dyn AnyMessage>> = vec![Box::new(Damage(7)), Box::new(Heal(2))];
    /// for message in script {
    ///     manager.send_any(orc, message)?;
    /// }
    /// assert_eq!(manager.get::<Health>(orc)?.hp, 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send). The message is dropped then, as it is there.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`send`](Self::send).
    #[track_caller]
    pub fn send_any(
        &mut self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<Receipt, SendError> {
        let (to, place) = (to.into(), Location::caller());
        #[cfg(feature = "data")]
        self.world
            .log_send(How::Send, to, Sender::Outside, &*message, place);
        self.outermost_send(|world| send_any(Program(world), to, place, message))
    }

    /// Sends a request whose type is not known here, like [`request`](Self::request). The answer is in a box;
    /// its type is the reply type of the message.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(reply = u32)]
    /// struct GetHp;
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn hp(&self, _: &GetHp) -> u32 { self.hp }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Health { hp: 10 },));
    /// let question: Box<dyn AnyMessage> = Box::new(GetHp);
    /// let answer = manager.request_any(orc, question)?;
    /// assert_eq!(answer.downcast_ref::<u32>(), Some(&10));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`NoReplyType`](crate::SendErrorKind::NoReplyType) if the type of the message has no reply,
    /// and otherwise the same errors as [`request`](Self::request).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`send`](Self::send).
    #[track_caller]
    pub fn request_any(
        &mut self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<Box<dyn Any>, SendError> {
        let (to, place) = (to.into(), Location::caller());
        #[cfg(feature = "data")]
        self.world
            .log_send(How::Request, to, Sender::Outside, &*message, place);
        self.outermost(|world| request_any(Program(world), to, place, message))
    }

    /// Posts a message whose type is not known here. It does the same as [`post`](Self::post) with the
    /// message itself.
    ///
    /// The message of a dead letter can be posted or sent again:
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::lifecycle::DeadLetter;
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    /// use std::time::Duration;
    ///
    /// #[derive(Message, Clone)]
    /// struct Reload { rounds: u32 }
    ///
    /// #[derive(Default)]
    /// struct Gun { rounds: u32 }
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn reload(&mut self, reload: &Reload) { self.rounds += reload.rounds; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (gun, spare) = (manager.spawn((Gun::default(),)), manager.spawn((Gun::default(),)));
    /// let (undelivered, dead) = mpsc::channel::<Box<dyn AnyMessage>>();
    /// manager.subscribe(Filter::of::<DeadLetter>().before(), move |letter, _| {
    ///     if let Some(message) = letter.message.take() {
    ///         let _ = undelivered.send(message);
    ///     }
    ///     std::ops::ControlFlow::Continue(())
    /// });
    /// manager.post(&Header::to(gun).after_frames(1).build()?, Reload { rounds: 6 })?;
    /// manager.despawn(gun)?;
    /// manager.tick(Duration::ZERO);
    ///
    /// let again = Header::to(spare).after_frames(1).build()?;
    /// for message in dead.try_iter() {
    ///     manager.post_any(&again, message)?;
    /// }
    /// manager.tick(Duration::ZERO);
    /// assert_eq!(manager.get::<Gun>(spare)?.rounds, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`post`](Self::post). The message is dropped then, as it is there.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`post`](Self::post).
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
        self.world
            .log_post(header, Sender::Outside, &*message, place);
        self.outermost(|world| post_any(Program(world), header, place, message))
    }

    /// Publishes a message whose type is not known here. It does the same as [`publish`](Self::publish) with
    /// the message itself: the message can be found by its type, too.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Fog { density: u32 }
    ///
    /// #[derive(Message)]
    /// struct Rain;
    ///
    /// let mut manager = MessageManager::new();
    /// let weather: Vec<Box<dyn AnyMessage>> = vec![Box::new(Fog { density: 3 }), Box::new(Rain)];
    /// for message in weather {
    ///     manager.publish_any(Everyone, message)?;
    /// }
    /// manager.publish(Everyone, Fog { density: 4 })?;
    ///
    /// manager.tick(Duration::from_millis(16));
    /// let fog = manager.inbox::<Fog>().iter().map(|mail| mail.density);
    /// assert!(fog.eq([3, 4]));
    /// assert_eq!(manager.inbox_any().count(), 3);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`publish`](Self::publish). The message is dropped then, as it is there.
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
        self.publisher(to, place).publish_any(message)
    }
}
