//! Posting from a handler or a subscriber, what is pending, and the clock.

use std::borrow::Borrow;
use std::panic::Location;

use crate::address::Recipient;
use crate::dispatch::{self, Context};
use crate::error::SendError;
use crate::message::Message;
use crate::post::{Header, IntoHeader, PendingPost, Posts, Ticket, header_of};
use crate::time::{Clock, ClockError};

impl<R> Context<'_, R> {
    /// Posts a message, as [`MessageManager::post`](crate::MessageManager::post) does, with the
    /// same sender as [`send`](Self::send).
    ///
    /// # Errors
    ///
    /// Those of [`MessageManager::post`](crate::MessageManager::post); with stage `Immediate`,
    /// those of [`send`](Self::send) too.
    #[track_caller]
    pub fn post<M: Message>(
        &mut self,
        header: impl IntoHeader,
        message: M,
    ) -> Result<Ticket, SendError> {
        let place = Location::caller();
        let held = header_of(header, M::NAME)?;
        let header: &Header = held.borrow();
        dispatch::post(self.frame(), header.to, header, place, message)
    }

    /// As [`post`](Self::post), to another recipient than the header's own: so that one header serves
    /// for many.
    ///
    /// # Errors
    ///
    /// Those of [`post`](Self::post).
    #[track_caller]
    pub fn post_to<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        header: impl IntoHeader,
        message: M,
    ) -> Result<Ticket, SendError> {
        let held = header_of(header, M::NAME)?;
        let header: &Header = held.borrow();
        dispatch::post(self.frame(), to.into(), header, Location::caller(), message)
    }

    /// Cancels pending messages, as [`MessageManager::cancel`](crate::MessageManager::cancel)
    /// does. It takes effect at once, also in the pass that is under way. `Me` stands for the
    /// messagee that is receiving, or the owner of the subscription.
    pub fn cancel(&mut self, posts: impl Into<Posts>) -> usize {
        self.world().cancel(&self.own(posts))
    }

    /// With the running receiver in the place of `Me`.
    fn own(&self, posts: impl Into<Posts>) -> Posts {
        posts.into().seen_from(self.frame_sender())
    }

    /// Returns `true` if such a message is pending, as
    /// [`MessageManager::has_pending`](crate::MessageManager::has_pending) tells.
    #[must_use]
    pub fn has_pending(&self, posts: impl Into<Posts>) -> bool {
        self.world().has_pending(&self.own(posts))
    }

    /// Returns the pending messages that are meant, in the order in which they are due, as
    /// [`MessageManager::pending_posts`](crate::MessageManager::pending_posts) lists them.
    #[must_use]
    pub fn pending_posts(&self, posts: impl Into<Posts>) -> Vec<PendingPost> {
        let (world, posts) = (self.world(), self.own(posts));
        world.heap.borrow().list(&posts)
    }

    /// Returns a reading of the clock.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.world().time.reading()
    }

    /// Sets how fast the scaled time runs, from the next frame on, as
    /// [`MessageManager::set_time_scale`](crate::MessageManager::set_time_scale) does.
    ///
    /// # Errors
    ///
    /// [`ClockError::NoScale`].
    pub fn set_time_scale(&mut self, scale: f64) -> Result<(), ClockError> {
        self.world().time.set_scale(scale)
    }

    /// Stops the scaled time, or lets it run again, from the next frame on.
    pub fn set_paused(&mut self, paused: bool) {
        self.world().time.set_paused(paused);
    }
}
