//! Posting in the name of a messagee, and its pending messages.

use std::borrow::Borrow;

use crate::address::Recipient;
use crate::error::SendError;
use crate::header::{Header, IntoHeader};
use crate::input::{Input, Way};
use crate::manager::AsMessagee;
use crate::manager::as_messagee::check_sender;
use crate::message::{AnyMessage, Message};
use crate::post::{PendingPost, PostCall, PostEachError, Posts, TakenPost, Ticket};
use crate::send::Outside;

impl AsMessagee<'_> {
    /// Like [`MessageManager::post`](crate::MessageManager::post), but with the messagee as the sender. The
    /// header may therefore be addressed to `Me`, and may be [`bound`](crate::post::HeaderBuilder::bound) to
    /// the messagee.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Close;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let later = Header::to(Me).after(Duration::from_secs(1)).bound();
    /// let ticket = manager.as_messagee(door)?.post(later, Close)?;
    /// assert!(manager.has_pending(Posts::of::<Close>().sent_by(door)));
    /// manager.despawn(door)?;
    /// assert!(!manager.has_pending(ticket));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`MessageManager::post`](crate::MessageManager::post), and
    /// [`Gone`](crate::SendErrorKind::Gone) as [`send`](Self::send) does.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`MessageManager::post`](crate::MessageManager::post).
    #[track_caller]
    pub fn post<M: Message>(
        &mut self,
        mut header: impl IntoHeader,
        message: M,
    ) -> Result<Ticket, SendError> {
        let held = header.held(M::NAME)?;
        let header: &Header = held.borrow();
        self.post_held(&mut PostCall::new(header.to, header, &mut Some(message)))
    }

    /// Like [`MessageManager::post_to`](crate::MessageManager::post_to), but with the messagee as the sender.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Close;
    ///
    /// let mut manager = MessageManager::new();
    /// let porter = manager.spawn(());
    /// let doors = [(); 2].map(|()| manager.spawn(()));
    /// let later = Header::to(Everyone).after(Duration::from_secs(1)).build()?;
    /// for door in doors {
    ///     manager.as_messagee(porter)?.post_to(door, &later, Close)?;
    /// }
    /// assert!(manager.has_pending(Posts::of::<Close>().sent_by(porter).to(doors[0])));
    /// assert_eq!(manager.pending_posts(Posts::all().sent_by(porter)).len(), 2);
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
    pub fn post_to<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        mut header: impl IntoHeader,
        message: M,
    ) -> Result<Ticket, SendError> {
        let held = header.held(M::NAME)?;
        self.post_held(&mut PostCall::new(
            to.into(),
            held.borrow(),
            &mut Some(message),
        ))
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
        mut header: impl IntoHeader,
        message: Box<dyn AnyMessage>,
    ) -> Result<Ticket, SendError> {
        let held = header.held(message.name())?;
        let header: &Header = held.borrow();
        self.post_held(&mut PostCall::new(header.to, header, &mut Some(message)))
    }

    /// Like [`MessageManager::post_each`](crate::MessageManager::post_each), but with the messagee as the
    /// sender.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Knock;
    ///
    /// let mut manager = MessageManager::new();
    /// let [guest, door] = [(); 2].map(|()| manager.spawn(()));
    /// let later = Header::to(door).after_frames(1).build()?;
    /// manager.as_messagee(guest)?.post_each(&later, [Knock, Knock, Knock])?;
    /// assert_eq!(manager.pending_posts(Posts::all().sent_by(guest)).len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`MessageManager::post_each`](crate::MessageManager::post_each), and
    /// [`Gone`](crate::SendErrorKind::Gone) as [`send`](Self::send) does.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`MessageManager::post_each`](crate::MessageManager::post_each).
    #[track_caller]
    pub fn post_each<M: Message>(
        &mut self,
        mut header: impl IntoHeader,
        messages: impl IntoIterator<Item = M>,
    ) -> Result<usize, PostEachError> {
        let failed = |posted| move |error| PostEachError { posted, error };
        let held = header.held(M::NAME).map_err(failed(0))?;
        let header: &Header = held.borrow();
        let mut posted = 0;
        // One with stage `Immediate` is a send of its own, and settled before the next.
        for message in messages {
            let result = self.post_held(&mut PostCall::new(header.to, header, &mut Some(message)));
            result.map_err(failed(posted))?;
            posted += 1;
        }
        Ok(posted)
    }

    /// Cancels pending messages, like [`MessageManager::cancel`](crate::MessageManager::cancel). `Me` refers
    /// to the messagee, and a name to the messagee's own key.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Close;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let mut as_door = manager.as_messagee(door)?;
    /// as_door.post(Header::to(Me).after(Duration::from_secs(1)).key("close"), Close)?;
    /// assert!(as_door.has_pending("close"));
    /// assert_eq!(as_door.cancel("close"), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`MessageManager::cancel`](crate::MessageManager::cancel).
    pub fn cancel(&mut self, posts: impl Into<Posts>) -> usize {
        let posts = self.own(posts);
        self.manager.cancel(posts)
    }

    /// Returns `true` if a matching message is pending. `Me` and names have the same meaning as in
    /// [`cancel`](Self::cancel).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Close;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// manager.post(Header::to(door).after(Duration::from_secs(1)), Close)?;
    /// assert!(manager.as_messagee(door)?.has_pending(Posts::of::<Close>().to(Me)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn has_pending(&self, posts: impl Into<Posts>) -> bool {
        self.manager.has_pending(self.own(posts))
    }

    /// Returns the matching pending messages, like
    /// [`MessageManager::pending_posts`](crate::MessageManager::pending_posts). `Me` and names have the same
    /// meaning as in [`cancel`](Self::cancel).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Close;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// manager.post(Header::to(door).after(Duration::from_secs(1)), Close)?;
    /// let pending = manager.as_messagee(door)?.pending_posts(Posts::all().to(Me));
    /// assert_eq!(pending.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pending_posts(&self, posts: impl Into<Posts>) -> Vec<PendingPost> {
        self.manager.pending_posts(self.own(posts))
    }

    /// Removes and returns pending messages, like
    /// [`MessageManager::take_posts`](crate::MessageManager::take_posts). `Me` and names have the same
    /// meaning as in [`cancel`](Self::cancel).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Close;
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn(());
    /// let mut as_door = manager.as_messagee(door)?;
    /// as_door.post(Header::to(Me).after(Duration::from_secs(1)), Close)?;
    /// let taken = as_door.take_posts(Posts::all().to(Me));
    /// assert!(taken[0].message.is::<Close>());
    /// assert!(!as_door.has_pending(Posts::all()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`MessageManager::take_posts`](crate::MessageManager::take_posts).
    pub fn take_posts(&mut self, posts: impl Into<Posts>) -> Vec<TakenPost> {
        let posts = self.own(posts);
        self.manager.take_posts(posts)
    }

    /// Resolves `Me` to the messagee.
    fn own(&self, posts: impl Into<Posts>) -> Posts {
        posts.into().seen_from(self.sender)
    }

    /// Posts a message: compiled once.
    fn post_held(&mut self, call: &mut PostCall<'_>) -> Result<Ticket, SendError> {
        if !self.world.waiting.pending.is_quiet() {
            return self.post_anew(call);
        }
        let (sender, world) = (self.sender.id(), &self.manager.world);
        if sender.is_some_and(|id| !world.structure.messagees.is_here(id)) {
            return self.post_anew(call);
        }
        // Nothing is wrapped around this, since a result that is copied waits for the stores of the post: W5.
        match call.post_again(world, sender) {
            Some(ticket) => Ok(ticket),
            None => self.post_anew(call),
        }
    }

    #[inline(never)]
    fn post_anew(&mut self, call: &mut PostCall<'_>) -> Result<Ticket, SendError> {
        let sender = self.sender;
        let outermost = self.manager.input(|| {
            let way = Way::Posted(call.header.with_recipient(call.to));
            Input::Arrived(way, sender, call.held.get(), call.place)
        });
        outermost.change(|world| {
            check_sender(&world.structure, sender, call.held.facts().name)?;
            call.post_anew(Outside { world, sender })
        })
    }
}
