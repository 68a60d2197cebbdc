//! Sending from a handler or a subscriber.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::context::Context;
use crate::error::{SendError, SendErrorKind};
use crate::message::{Message, Request};
use crate::receipt::Receipt;
use crate::send::entry;

impl<R> Context<'_, R> {
    /// Sends a message, like [`MessageManager::send`](crate::MessageManager::send), with the receiving
    /// messagee as its sender. The sender of a message from a subscriber is its owner, or
    /// [`Outside`](Sender::Outside) if it has none. A receiver that is already running gets the message as
    /// soon as it is free.
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
    ///         cx.send(EveryoneElse, Alarm)?;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// #[derive(Default)]
    /// struct Gate { alarmed_by: Option<MessageeId> }
    ///
    /// #[handlers]
    /// impl Gate {
    ///     #[on_receive]
    ///     fn alarm(&mut self, _: &Alarm, cx: &mut Context<'_>) { self.alarmed_by = cx.sender().id(); }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (guard, gate) = (manager.spawn((Guard,)), manager.spawn((Gate::default(),)));
    /// manager.send(guard, Shot)?;
    /// assert_eq!(manager.get::<Gate>(gate)?.alarmed_by, Some(guard));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`MessageManager::send`](crate::MessageManager::send), and
    /// [`TooDeep`](crate::SendErrorKind::TooDeep) and [`TooManyKept`](crate::SendErrorKind::TooManyKept)
    /// beyond the manager's limits.
    #[track_caller]
    #[inline]
    pub fn send<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Receipt, SendError> {
        entry::send(self.frame(), to.into(), Location::caller(), message)
    }

    /// Sends an in–out message: what the receivers write into it is there when the call returns.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Fall { height: u32 }
    ///
    /// #[derive(Message)]
    /// struct Soften { damage: u32 }
    ///
    /// struct Body { hp: u32 }
    ///
    /// #[handlers]
    /// impl Body {
    ///     #[on_receive]
    ///     fn fall(&mut self, fall: &Fall, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         let mut blow = Soften { damage: fall.height };
    ///         cx.send_mut(Me, &mut blow)?;
    ///         self.hp -= blow.damage;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// struct Boots;
    ///
    /// #[handlers]
    /// impl Boots {
    ///     #[on_receive]
    ///     fn soften(&self, blow: &mut Soften) { blow.damage /= 2; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Body { hp: 10 }, Boots));
    /// manager.send(orc, Fall { height: 8 })?;
    /// assert_eq!(manager.get::<Body>(orc)?.hp, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send). Since the message cannot be kept, also returns
    /// [`Busy`](crate::SendErrorKind::Busy) and [`SubscriberBusy`](crate::SendErrorKind::SubscriberBusy) if a
    /// receiver is already running, [`NotYetSpawned`](crate::SendErrorKind::NotYetSpawned),
    /// [`NotYetHooked`](crate::SendErrorKind::NotYetHooked) and, for a proxy,
    /// [`Elsewhere`](crate::SendErrorKind::Elsewhere). Nobody has received the message then.
    #[track_caller]
    #[inline]
    pub fn send_mut<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        entry::send_mut(self.frame(), to.into(), Location::caller(), message)
    }

    /// Sends a request and returns the first answer in the order of delivery.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(reply = bool)]
    /// struct TakeRound;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// struct Magazine { rounds: u32 }
    ///
    /// #[handlers]
    /// impl Magazine {
    ///     #[on_receive]
    ///     fn take(&mut self, _: &TakeRound) -> bool {
    ///         let is_loaded = self.rounds > 0;
    ///         self.rounds -= u32::from(is_loaded);
    ///         is_loaded
    ///     }
    /// }
    ///
    /// struct Gun { shots: u32 }
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         self.shots += u32::from(cx.request(Me, TakeRound)?);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let tank = manager.spawn((Gun { shots: 0 }, Magazine { rounds: 1 }));
    /// manager.send(tank, Fire)?;
    /// manager.send(tank, Fire)?;
    /// assert_eq!(manager.get::<Gun>(tank)?.shots, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send_mut`](Self::send_mut), and
    /// [`NoAnswer`](crate::SendErrorKind::NoAnswer).
    #[track_caller]
    #[inline]
    pub fn request<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<M::Reply, SendError> {
        entry::request(self.frame(), to.into(), Location::caller(), message)
    }

    /// Sends a request and returns every answer in the order of delivery, each with who gave it.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(reply = u32)]
    /// struct GetHp;
    ///
    /// #[derive(Message)]
    /// struct Choose;
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn hp(&self, _: &GetHp) -> u32 { self.hp }
    /// }
    ///
    /// #[derive(Default)]
    /// struct Healer { patient: Option<MessageeId> }
    ///
    /// #[handlers]
    /// impl Healer {
    ///     #[on_receive]
    ///     fn choose(&mut self, _: &Choose, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         let answers = cx.request_all(EveryoneElse, GetHp)?;
    ///         self.patient = answers.into_iter().min_by_key(|&(_, hp)| hp).map(|(id, _)| id);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let healer = manager.spawn((Healer::default(),));
    /// let [_troll, orc] = [30, 10].map(|hp| manager.spawn((Health { hp },)));
    /// manager.send(healer, Choose)?;
    /// assert_eq!(manager.get::<Healer>(healer)?.patient, Some(orc));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send_mut`](Self::send_mut). It is not an error if nobody answers.
    #[track_caller]
    pub fn request_all<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        let to = to.into();
        let sent = self.sent::<M>(&to, Location::caller());
        sent.request_all(message)
    }

    /// Sends a message back to the sender of the message that is being received.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Knock;
    ///
    /// #[derive(Message)]
    /// struct ComeIn;
    ///
    /// struct Host;
    ///
    /// #[handlers]
    /// impl Host {
    ///     #[on_receive]
    ///     fn knock(&mut self, _: &Knock, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         cx.reply(ComeIn)?;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// #[derive(Default)]
    /// struct Guest { is_inside: bool }
    ///
    /// #[handlers]
    /// impl Guest {
    ///     #[on_receive]
    ///     fn come_in(&mut self, _: &ComeIn) { self.is_inside = true; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (host, guest) = (manager.spawn((Host,)), manager.spawn((Guest::default(),)));
    /// manager.as_messagee(guest)?.send(host, Knock)?;
    /// assert!(manager.get::<Guest>(guest)?.is_inside);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send), and
    /// [`NobodyToReplyTo`](crate::SendErrorKind::NobodyToReplyTo) if the sender is
    /// [`Outside`](Sender::Outside) or the [`Manager`](Sender::Manager).
    #[track_caller]
    pub fn reply<M: Message>(&mut self, message: M) -> Result<Receipt, SendError> {
        match self.sender() {
            Sender::Messagee(id) => self.send(id, message),
            sender @ (Sender::Outside | Sender::Manager) => Err(SendErrorKind::NobodyToReplyTo {
                sender,
                message: M::NAME,
            }
            .into()),
        }
    }
}
