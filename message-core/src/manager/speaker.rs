//! Sending in the name of a messagee, from outside its handlers.

use std::borrow::Borrow;
use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::dispatch::{Outside, Posting, Sent, request, send, send_mut};
use crate::error::SendError;
use crate::manager::MessageManager;
use crate::message::{Message, Request};
use crate::post::{Header, IntoHeader, Ticket, header_of};
use crate::receipt::Receipt;
use crate::time::Stage;
use crate::world::World;

/// Sends in the name of a messagee; from
/// [`MessageManager::as_messagee`](crate::MessageManager::as_messagee).
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
///     fn knock(&mut self, _: &Knock, cx: &mut Context<'_>) {
///         self.knocked = cx.sender().id();
///     }
/// }
///
/// let mut manager = MessageManager::new();
/// let door = manager.spawn((Door::default(),));
/// let guest = manager.spawn(());
/// manager.as_messagee(guest)?.send(door, Knock)?;
/// assert_eq!(manager.get::<Door>(door)?.knocked, Some(guest));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AsMessagee<'m> {
    manager: &'m mut MessageManager,
    id: MessageeId,
}

impl<'m> AsMessagee<'m> {
    pub(super) fn new(manager: &'m mut MessageManager, id: MessageeId) -> Self {
        Self { manager, id }
    }

    /// Speaks as the messagee, if it is still alive.
    fn speak<M: Message, T>(
        &mut self,
        send: impl FnOnce(Outside<'_>) -> Result<T, SendError>,
    ) -> Result<T, SendError> {
        self.speak_of(M::NAME, send)
    }

    /// As [`speak`](Self::speak), of a message type of that name.
    pub(super) fn speak_of<T>(
        &mut self,
        message: &'static str,
        send: impl FnOnce(Outside<'_>) -> Result<T, SendError>,
    ) -> Result<T, SendError> {
        let id = self.id;
        self.manager.outermost(|world| {
            let sender = alive(world, id, message)?;
            send(Outside { world, sender })
        })
    }

    /// As [`speak`](Self::speak), of a send, whose receipt counts all failures.
    fn speak_to<M: Message>(
        &mut self,
        send: impl FnOnce(Outside<'_>) -> Result<Receipt, SendError>,
    ) -> Result<Receipt, SendError> {
        self.speak_to_of(M::NAME, send)
    }

    /// As [`speak_to`](Self::speak_to), of a message type of that name.
    pub(super) fn speak_to_of(
        &mut self,
        message: &'static str,
        send: impl FnOnce(Outside<'_>) -> Result<Receipt, SendError>,
    ) -> Result<Receipt, SendError> {
        let id = self.id;
        self.manager.outermost_send(|world| {
            let sender = alive(world, id, message)?;
            send(Outside { world, sender })
        })
    }

    /// As [`MessageManager::send`], in the messagee's name.
    ///
    /// # Errors
    ///
    /// Those of [`MessageManager::send`]; [`SendError::Gone`] when an earlier send has despawned the
    /// messagee, to every recipient.
    ///
    /// # Panics
    ///
    /// As [`MessageManager::send`].
    #[track_caller]
    pub fn send<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Receipt, SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.speak_to::<M>(|outside| send(outside, to, place, message))
    }

    /// As [`MessageManager::post`], in the messagee's name.
    ///
    /// # Errors
    ///
    /// Those of [`MessageManager::post`]; [`SendError::Gone`] as for [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// As [`MessageManager::post`].
    #[track_caller]
    pub fn post<M: Message>(
        &mut self,
        header: impl IntoHeader,
        message: M,
    ) -> Result<Ticket, SendError> {
        let place = Location::caller();
        let held = header_of(header, M::NAME)?;
        let header: &Header = held.borrow();
        self.speak::<M, _>(|Outside { world, sender }| {
            if header.stage() != Stage::Immediate {
                let posting = Posting::outside(header, sender, place);
                return world.post_later(posting, message);
            }
            let sent = Sent::outside::<M>(world, sender, &header.to, place);
            world.post_now(header, &sent, &mut Some(message))
        })
    }

    /// As [`MessageManager::post_to`], in the messagee's name.
    ///
    /// # Errors
    ///
    /// Those of [`post`](Self::post).
    ///
    /// # Panics
    ///
    /// As [`MessageManager::post`].
    #[track_caller]
    pub fn post_to<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        header: impl IntoHeader,
        message: M,
    ) -> Result<Ticket, SendError> {
        let held = header_of(header, M::NAME)?;
        let header: &Header = held.borrow();
        self.post(header.with_recipient(to), message)
    }

    /// As [`MessageManager::publish`], in the messagee's name.
    ///
    /// # Errors
    ///
    /// Those of [`MessageManager::publish`]; [`SendError::Gone`] as for [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](MessageManager::settle).
    #[track_caller]
    pub fn publish<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<(), SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.speak::<M, _>(|Outside { world, sender }| world.publish(to, sender, place, message))
    }

    /// As [`MessageManager::send_mut`], in the messagee's name.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// As [`MessageManager::send`].
    #[track_caller]
    pub fn send_mut<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.speak_to::<M>(|outside| send_mut(outside, to, place, message))
    }

    /// As [`MessageManager::request`], in the messagee's name.
    ///
    /// # Errors
    ///
    /// [`SendError::NoAnswer`], otherwise those of [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// As [`MessageManager::send`].
    #[track_caller]
    pub fn request<M: Request>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<M::Reply, SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.speak::<M, _>(|outside| request(outside, to, place, message))
    }

    /// As [`MessageManager::request_all`], in the messagee's name.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send).
    ///
    /// # Panics
    ///
    /// As [`MessageManager::send`].
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

/// The sender that a messagee is, if it is alive.
fn alive(world: &World, id: MessageeId, message: &'static str) -> Result<Sender, SendError> {
    if world.messagees.is_alive(id) {
        return Ok(Sender::Messagee(id));
    }
    Err(SendError::Gone { id, message })
}
