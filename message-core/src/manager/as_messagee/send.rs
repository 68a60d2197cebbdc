//! Sending and asking in the name of a messagee.

use std::any::Any;
use std::panic::Location;

use crate::address::{MessageeId, Recipient};
use crate::error::{SendError, SharedError};
use crate::input::{Input, Way};
use crate::manager::AsMessagee;
use crate::manager::as_messagee::check_sender;
use crate::message::{AnyMessage, Facts, Message, Request};
use crate::receipt::Receipt;
use crate::send::erased::{OwnedMessage, Replies};
use crate::send::{Deliver, Delivered, OnBusy, Outside, entry};

impl Deliver for AsMessagee<'_> {
    fn deliver(
        &mut self,
        facts: &'static Facts,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut dyn OwnedMessage,
        replies: &mut Replies<'_>,
        on_busy: OnBusy,
    ) -> Delivered {
        let sender = self.sender;
        let outermost = self
            .manager
            .input(|| Input::Arrived(Way::of_send(to, replies), sender, message.get(), place));
        outermost.send(|world| {
            if let Err(error) = check_sender(&world.structure, sender, facts.name) {
                return Delivered::Refused(error);
            }
            let from = Outside { world, sender };
            entry::deliver(from, facts, to, place, message, replies, on_busy)
        })
    }

    fn last_failure(&self) -> Option<SharedError> {
        self.world.waiting.failures.last()
    }
}

impl AsMessagee<'_> {
    /// Like [`MessageManager::send`](crate::MessageManager::send), but with the messagee as the sender.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Knock;
    ///
    /// #[derive(Default)]
    /// struct Door { knocked: Option<MessageeId> }
    ///
    /// #[handlers]
    /// impl Door {
    ///     #[on_receive]
    ///     fn knock(&mut self, _: &Knock, cx: &mut Context<'_>) { self.knocked = cx.sender().id(); }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (door, guest) = (manager.spawn((Door::default(),)), manager.spawn(()));
    /// let mut as_guest = manager.as_messagee(guest)?;
    /// as_guest.send(door, Knock)?;
    /// assert_eq!(as_guest.get::<Door>(door)?.knocked, Some(guest));
    ///
    /// as_guest.despawn(guest)?;
    /// assert!(matches!(as_guest.send(door, Knock).unwrap_err().kind(), SendErrorKind::Gone { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`MessageManager::send`](crate::MessageManager::send), and
    /// [`Gone`](crate::SendErrorKind::Gone) for every recipient if an earlier send has despawned the
    /// messagee.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`MessageManager::send`](crate::MessageManager::send).
    #[track_caller]
    pub fn send<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Receipt, SendError> {
        self.send_one(to.into(), Location::caller(), message)
    }

    /// Like [`MessageManager::send_mut`](crate::MessageManager::send_mut), but with the messagee as the
    /// sender.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Greet { answer: String }
    ///
    /// struct Porter;
    ///
    /// #[handlers]
    /// impl Porter {
    ///     #[on_receive]
    ///     fn greet(&self, greet: &mut Greet, cx: &mut Context<'_>) {
    ///         greet.answer = format!("welcome, {}", cx.sender());
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (porter, guest) = (manager.spawn((Porter,)), manager.spawn_named("Ada", ()));
    /// let mut greet = Greet { answer: String::new() };
    /// manager.as_messagee(guest)?.send_mut(porter, &mut greet)?;
    /// assert_eq!(greet.answer, "welcome, messagee 1v0 \"Ada\"");
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
    pub fn send_mut<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        self.send_lent(to.into(), Location::caller(), message)
    }

    /// Like [`MessageManager::request`](crate::MessageManager::request), but with the messagee as the sender.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(reply = bool)]
    /// struct MayEnter;
    ///
    /// struct Porter { invited: MessageeId }
    ///
    /// #[handlers]
    /// impl Porter {
    ///     #[on_receive]
    ///     fn may_enter(&self, _: &MayEnter, cx: &mut Context<'_>) -> bool {
    ///         cx.sender() == Sender::Messagee(self.invited)
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (guest, thief) = (manager.spawn(()), manager.spawn(()));
    /// let porter = manager.spawn((Porter { invited: guest },));
    /// assert!(manager.as_messagee(guest)?.request(porter, MayEnter)?);
    /// assert!(!manager.as_messagee(thief)?.request(porter, MayEnter)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`NoAnswer`](crate::SendErrorKind::NoAnswer) if nobody answers, and otherwise the same errors
    /// as [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`MessageManager::send`](crate::MessageManager::send).
    #[track_caller]
    pub fn request<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<M::Reply, SendError> {
        self.ask_one(to.into(), Location::caller(), message)
    }

    /// Like [`MessageManager::request_all`](crate::MessageManager::request_all), but with the messagee as the
    /// sender.
    ///
    /// ```
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
    /// let [orc, troll] = [10, 30].map(|hp| manager.spawn((Health { hp },)));
    /// assert_eq!(manager.as_messagee(orc)?.request_all(EveryoneElse, GetHp)?, [(troll, 30)]);
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
    pub fn request_all<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        self.ask_all(to.into(), Location::caller(), message)
    }

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
        self.send_boxed(to.into(), Location::caller(), message)
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
        self.ask_boxed(to.into(), Location::caller(), message)
    }
}
