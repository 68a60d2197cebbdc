//! Sending from a handler or a subscriber.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::dispatch::{Context, direct};
use crate::error::SendError;
use crate::message::{Message, Request};
use crate::receipt::Receipt;

impl<R> Context<'_, R> {
    /// Sends a message, as [`MessageManager::send`](crate::MessageManager::send) does, with the
    /// receiving messagee as its sender; for a subscriber that is its owner, or
    /// [`Outside`](Sender::Outside) if it has none. A receiver that is running already gets it as
    /// soon as it is free.
    ///
    /// # Errors
    ///
    /// Those of [`MessageManager::send`](crate::MessageManager::send), and
    /// [`SendError::TooDeep`] and [`SendError::TooManyKept`] past the manager's limits.
    #[track_caller]
    #[inline]
    pub fn send<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Receipt, SendError> {
        direct::send(self.frame(), to.into(), Location::caller(), message)
    }

    /// Sends an in–out message: what receivers write into it is there when the call returns.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send); and, since the message cannot be kept,
    /// [`SendError::Busy`] when a receiver is running already and
    /// [`SendError::NotYetSpawned`]. Then nobody has received it.
    #[track_caller]
    #[inline]
    pub fn send_mut<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        direct::send_mut(self.frame(), to.into(), Location::caller(), message)
    }

    /// Asks, and returns the first answer in the order of delivery.
    ///
    /// # Errors
    ///
    /// Those of [`send_mut`](Self::send_mut), and [`SendError::NoAnswer`].
    #[track_caller]
    #[inline]
    pub fn request<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<M::Reply, SendError> {
        direct::request(self.frame(), to.into(), Location::caller(), message)
    }

    /// Asks, and returns every answer with who gave it, in the order of delivery.
    ///
    /// # Errors
    ///
    /// Those of [`send_mut`](Self::send_mut). That nobody answers is no error.
    #[track_caller]
    pub fn request_all<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        let to = to.into();
        let sent = self.sent::<M>(&to, Location::caller());
        self.world().request_all(&sent, message)
    }

    /// Sends a message back to the sender of the one being received.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send), and [`SendError::NobodyToReplyTo`] when the sender is
    /// [`Outside`](Sender::Outside) or the [`Manager`](Sender::Manager).
    #[track_caller]
    pub fn reply<M: Message>(&mut self, message: M) -> Result<Receipt, SendError> {
        match self.sender() {
            Sender::Messagee(id) => self.send(id, message),
            sender @ (Sender::Outside | Sender::Manager) => Err(SendError::NobodyToReplyTo {
                sender,
                message: M::NAME,
            }),
        }
    }
}
