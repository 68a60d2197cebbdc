//! Sending and asking from outside.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::dispatch::{
    Outside, Sent, request_alone, request_in_full, send_alone, send_in_full, send_mut,
    unanswered_after,
};
use crate::error::SendError;
use crate::manager::MessageManager;
use crate::message::{Message, Request};
use crate::receipt::Receipt;
use crate::world::World;

impl MessageManager {
    /// Sends a message to everybody at the recipient, depth first: when it returns, every
    /// receiver has run, and everything they sent has been received too.
    ///
    /// Returns a receipt that counts the receivers. It is no error if nobody receives it.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Damage { amount: u32 }
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn hurt(&mut self, damage: &Damage) { self.hp -= damage.amount; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Health { hp: 10 },));
    /// let receipt = manager.send(orc, Damage { amount: 3 })?;
    /// assert_eq!((receipt.received, receipt.failed), (1, 0));
    /// assert_eq!(manager.get::<Health>(orc)?.hp, 7);
    ///
    /// manager.despawn(orc)?;
    /// let gone = manager.send(orc, Damage { amount: 3 });
    /// assert!(matches!(gone, Err(SendError::Gone { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SendError::Gone`], [`SendError::OtherManager`], [`SendError::HookGone`],
    /// [`SendError::HookOfOtherManager`], [`SendError::Unbound`], [`SendError::NoSender`] for `Me`
    /// and `EveryoneElse`, [`SendError::Unregistered`]. Nobody has received it then.
    ///
    /// # Panics
    ///
    /// When a handler panics. The manager stays consistent and can be used on; what was kept or
    /// queued is delivered at the start of the next call that may change the manager, or by
    /// [`settle`](Self::settle).
    #[track_caller]
    #[inline]
    pub fn send<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Receipt, SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.settle();
        match send_alone(self.outside(), to, place, message) {
            Ok(verdict) => {
                let mut receipt = verdict.receipt();
                if self.world.pending.is_unsettled() {
                    receipt.failed = self.settle_failures();
                }
                Ok(receipt)
            }
            Err(message) => {
                self.outermost_send(|world| send_in_full(Outside::of(world), to, place, message))
            }
        }
    }

    /// Sends an in–out message: what receivers write into it, later receivers see, and the
    /// caller when the call returns.
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
    /// Those of [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// As [`send`](Self::send).
    #[track_caller]
    #[inline]
    pub fn send_mut<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.outermost_send(|world| send_mut(Outside::of(world), to, place, message))
    }

    /// Asks everybody at the recipient in the order of delivery until somebody answers, and
    /// returns that answer. Those behind the one that answers are not asked.
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
    /// let (orc, stone) = (manager.spawn((Health { hp: 10 },)), manager.spawn(()));
    /// assert_eq!(manager.request(orc, GetHp)?, 10);
    /// assert!(matches!(manager.request(stone, GetHp), Err(SendError::NoAnswer { .. })));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SendError::NoAnswer`] when nobody answers, otherwise those of [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// As [`send`](Self::send).
    #[track_caller]
    #[inline]
    pub fn request<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<M::Reply, SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.settle();
        let mut reply = None;
        match request_alone(self.outside(), to, place, message, &mut reply) {
            Ok(verdict) => {
                let answer =
                    |world: &World| reply.ok_or_else(|| unanswered_after::<M>(world, to, verdict));
                if self.world.pending.is_unsettled() {
                    return self.settle_answer(answer);
                }
                answer(&self.world)
            }
            Err(message) => {
                self.outermost(|world| request_in_full(Outside::of(world), to, place, message))
            }
        }
    }

    /// Asks everybody at the recipient, and returns every answer with who gave it, in the order
    /// of delivery. No answer at all is an empty list.
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
    /// Those of [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// As [`send`](Self::send).
    #[track_caller]
    #[inline]
    pub fn request_all<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.outermost(|world| {
            let sent = Sent::outside::<M>(world, Sender::Outside, &to, place);
            world.request_all(&sent, message)
        })
    }
}
