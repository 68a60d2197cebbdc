//! Sending and asking from outside.

use std::any::Any;
use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::{SendError, SharedError};
use crate::input::{Input, Way};
use crate::manager::MessageManager;
use crate::manager::entrance::settle_sent;
use crate::message::{AnyMessage, Facts, Message, Request};
use crate::receipt::Receipt;
use crate::send::erased::{OwnedMessage, Replies};
use crate::send::{Deliver, Delivered, OnBusy, Program, Verdict, call_single, entry};

impl Deliver for MessageManager {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "the usual case of a sending line: W1, W3, W8"
    )]
    fn call_single<M: Message>(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut M,
        reply: &mut Option<M::Reply>,
    ) -> Verdict {
        call_single(Program(&self.world), to, place, message, reply)
    }

    #[inline]
    fn settle_call(&mut self) -> Option<usize> {
        let is_unsettled = self.world.waiting.pending.is_unsettled();
        is_unsettled.then(|| settle_sent(self.no_input()))
    }

    fn last_failure(&self) -> Option<SharedError> {
        self.world.waiting.failures.last()
    }

    #[inline(never)]
    fn deliver(
        &mut self,
        facts: &'static Facts,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut dyn OwnedMessage,
        replies: &mut Replies<'_>,
        on_busy: OnBusy,
    ) -> Delivered {
        let sender = Sender::Outside;
        let outermost =
            self.input(|| Input::Arrived(Way::of_send(to, replies), sender, message.get(), place));
        outermost.send(|world| {
            entry::deliver(Program(world), facts, to, place, message, replies, on_busy)
        })
    }
}

impl MessageManager {
    /// Sends an in–out message: later receivers see what earlier ones wrote into it, and so does the caller
    /// when the call returns.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Count { weapons: u32 }
    ///
    /// struct Gun;
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn count(&self, count: &mut Count) { count.weapons += 1; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let ship = manager.spawn((Gun, Gun));
    /// let mut count = Count { weapons: 0 };
    /// assert_eq!(manager.send_mut(ship, &mut count)?.received, 2);
    /// assert_eq!(count.weapons, 2);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send), and [`Elsewhere`](crate::SendErrorKind::Elsewhere) if
    /// a proxy would receive it.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`send`](Self::send).
    #[track_caller]
    pub fn send_mut<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        self.send_lent(to.into(), Location::caller(), message)
    }

    /// Asks every receiver at the recipient and returns every answer in the order of delivery, each with who
    /// gave it. If nobody answers, the list is empty.
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
    /// assert!(manager.request_all(Everyone, GetHp)?.is_empty());
    /// let [orc, troll] = [10, 30].map(|hp| manager.spawn((Health { hp },)));
    /// assert_eq!(manager.request_all(Everyone, GetHp)?, [(orc, 10), (troll, 30)]);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send), and [`Elsewhere`](crate::SendErrorKind::Elsewhere) if
    /// a proxy would receive it.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`send`](Self::send).
    #[track_caller]
    pub fn request_all<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        self.ask_all(to.into(), Location::caller(), message)
    }

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
        self.send_boxed(to.into(), Location::caller(), message)
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
        self.ask_boxed(to.into(), Location::caller(), message)
    }
}
