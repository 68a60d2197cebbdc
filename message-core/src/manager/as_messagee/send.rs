//! Sending and asking in the name of a messagee.

use std::panic::Location;

use crate::address::{MessageeId, Recipient};
use crate::dispatch::{Outside, Sent, request, send, send_mut};
use crate::error::SendError;
use crate::manager::AsMessagee;
use crate::message::{Message, Request};
use crate::receipt::Receipt;

impl AsMessagee<'_> {
    /// As [`MessageManager::send`](crate::MessageManager::send), in the messagee's name.
    ///
    /// # Errors
    ///
    /// Those of [`MessageManager::send`](crate::MessageManager::send); [`SendError::Gone`] when an
    /// earlier send has despawned the messagee, to every recipient.
    ///
    /// # Panics
    ///
    /// As [`MessageManager::send`](crate::MessageManager::send).
    #[track_caller]
    pub fn send<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Receipt, SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.speak_to::<M>(|outside| send(outside, to, place, message))
    }

    /// As [`MessageManager::send_mut`](crate::MessageManager::send_mut), in the messagee's name.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// As [`MessageManager::send`](crate::MessageManager::send).
    #[track_caller]
    pub fn send_mut<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.speak_to::<M>(|outside| send_mut(outside, to, place, message))
    }

    /// As [`MessageManager::request`](crate::MessageManager::request), in the messagee's name.
    ///
    /// # Errors
    ///
    /// [`SendError::NoAnswer`], otherwise those of [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// As [`MessageManager::send`](crate::MessageManager::send).
    #[track_caller]
    pub fn request<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<M::Reply, SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.speak::<M, _>(|outside| request(outside, to, place, message))
    }

    /// As [`MessageManager::request_all`](crate::MessageManager::request_all), in the messagee's
    /// name.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// As [`MessageManager::send`](crate::MessageManager::send).
    #[track_caller]
    pub fn request_all<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.speak::<M, _>(|Outside { world, sender }| {
            let sent = Sent::outside::<M>(world, sender, &to, place);
            world.request_all(&sent, message)
        })
    }
}
