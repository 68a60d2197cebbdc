//! Posting from a handler or a subscriber, what is pending, and the clock.

use std::borrow::Borrow;

use crate::address::Recipient;
use crate::context::Context;
use crate::error::SendError;
use crate::header::{Header, IntoHeader};
use crate::message::{AnyMessage, Message};
use crate::post;
use crate::post::{PendingPost, PostCall, PostEachError, Posts, TakenPost, Ticket};
use crate::send::Frame;
use crate::time::{Clock, ClockError};

impl<R> Context<'_, R> {
    /// Posts a message, like [`MessageManager::post`](crate::MessageManager::post), with the same sender as
    /// [`send`](Self::send).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Ignite;
    ///
    /// #[derive(Message)]
    /// struct Explode;
    ///
    /// #[derive(Default)]
    /// struct Bomb { has_exploded: bool }
    ///
    /// #[handlers]
    /// impl Bomb {
    ///     #[on_receive]
    ///     fn ignite(&mut self, _: &Ignite, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         cx.post(Header::to(Me).after(Duration::from_secs(3)), Explode)?;
    ///         Ok(())
    ///     }
    ///
    ///     #[on_receive]
    ///     fn explode(&mut self, _: &Explode) { self.has_exploded = true; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let bomb = manager.spawn((Bomb::default(),));
    /// manager.send(bomb, Ignite)?;
    /// assert!(!manager.get::<Bomb>(bomb)?.has_exploded);
    /// manager.tick(Duration::from_secs(3));
    /// assert!(manager.get::<Bomb>(bomb)?.has_exploded);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`MessageManager::post`](crate::MessageManager::post); with stage
    /// `Immediate`, also those of [`send`](Self::send).
    #[track_caller]
    pub fn post<M: Message>(
        &mut self,
        mut header: impl IntoHeader,
        message: M,
    ) -> Result<Ticket, SendError> {
        let held = header.held(M::NAME)?;
        let header: &Header = held.borrow();
        post(
            &self.frame,
            &mut PostCall::new(header.to, header, &mut Some(message)),
        )
    }

    /// Like [`post`](Self::post), but posts to another recipient than the header's own, so that one header
    /// serves many recipients.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// group!(BOMBS);
    ///
    /// #[derive(Message)]
    /// struct IgniteAll;
    ///
    /// #[derive(Message)]
    /// struct Explode;
    ///
    /// struct Detonator { fuse: Header }
    ///
    /// #[handlers]
    /// impl Detonator {
    ///     #[on_receive]
    ///     fn ignite(&mut self, _: &IgniteAll, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         for bomb in cx.members(BOMBS) {
    ///             cx.post_to(bomb, &self.fuse, Explode)?;
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let bombs = [(); 2].map(|()| manager.spawn(()));
    /// for bomb in bombs {
    ///     manager.join(BOMBS, bomb)?;
    /// }
    /// let fuse = Header::to(Everyone).after(Duration::from_secs(3)).build()?;
    /// let detonator = manager.spawn((Detonator { fuse },));
    /// manager.send(detonator, IgniteAll)?;
    /// assert!(manager.has_pending(Posts::of::<Explode>().to(bombs[0])));
    /// assert!(manager.has_pending(Posts::of::<Explode>().to(bombs[1])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`post`](Self::post).
    #[track_caller]
    pub fn post_to<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        mut header: impl IntoHeader,
        message: M,
    ) -> Result<Ticket, SendError> {
        let held = header.held(M::NAME)?;
        post(
            &self.frame,
            &mut PostCall::new(to.into(), held.borrow(), &mut Some(message)),
        )
    }

    /// Posts a message whose type is not known here, like
    /// [`MessageManager::post_any`](crate::MessageManager::post_any). It does the same as
    /// [`post`](Self::post) with the message itself.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Begin;
    ///
    /// #[derive(Message)]
    /// struct Ring;
    ///
    /// struct Timer { then: Option<Box<dyn AnyMessage>> }
    ///
    /// #[handlers]
    /// impl Timer {
    ///     #[on_receive]
    ///     fn begin(
    ///         &mut self,
    ///         _: &Begin,
    ///         cx: &mut Context<'_>,
    ///     ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    ///         let later = Header::to(cx.me()).after(Duration::from_secs(1)).build()?;
    ///         if let Some(then) = self.then.take() {
    ///             cx.post_any(&later, then)?;
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let timer = manager.spawn((Timer { then: Some(Box::new(Ring)) },));
    /// manager.send(timer, Begin)?;
    /// assert!(manager.has_pending(Posts::of::<Ring>().to(timer)));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`post`](Self::post). The message is dropped then, as it is there.
    #[track_caller]
    pub fn post_any(
        &mut self,
        mut header: impl IntoHeader,
        message: Box<dyn AnyMessage>,
    ) -> Result<Ticket, SendError> {
        let held = header.held(message.name())?;
        let header: &Header = held.borrow();
        post(
            &self.frame,
            &mut PostCall::new(header.to, header, &mut Some(message)),
        )
    }

    /// Posts messages with the same header, like
    /// [`MessageManager::post_each`](crate::MessageManager::post_each), with the same sender as
    /// [`send`](Self::send).
    ///
    /// ```
    /// use message_core::post::PostEachError;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// #[derive(Message)]
    /// struct Shell { number: u32 }
    ///
    /// struct Gun { target: MessageeId }
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) -> Result<(), PostEachError> {
    ///         let salvo = (1..=3).map(|number| Shell { number });
    ///         cx.post_each(Header::to(self.target).after_frames(2), salvo)?;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let target = manager.spawn(());
    /// let gun = manager.spawn((Gun { target },));
    /// manager.send(gun, Fire)?;
    /// assert_eq!(manager.pending_posts(Posts::of::<Shell>().sent_by(gun)).len(), 3);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`MessageManager::post_each`](crate::MessageManager::post_each).
    #[track_caller]
    pub fn post_each<M: Message>(
        &mut self,
        mut header: impl IntoHeader,
        messages: impl IntoIterator<Item = M>,
    ) -> Result<usize, PostEachError> {
        let held = header.held(M::NAME);
        let held = held.map_err(|error| PostEachError { posted: 0, error })?;
        let header: &Header = held.borrow();
        let mut posted = 0;
        for message in messages {
            let result = post(
                &self.frame,
                &mut PostCall::new(header.to, header, &mut Some(message)),
            );
            result.map_err(|error| PostEachError { posted, error })?;
            posted += 1;
        }
        Ok(posted)
    }

    /// Cancels pending messages, like [`MessageManager::cancel`](crate::MessageManager::cancel), and returns
    /// how many were cancelled. It takes effect at once, even in the pass that is under way. `Me` refers to
    /// the messagee that is receiving, or to the owner of the subscription.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Explode;
    ///
    /// #[derive(Message)]
    /// struct Defuse;
    ///
    /// struct Bomb;
    ///
    /// #[handlers]
    /// impl Bomb {
    ///     #[on_receive]
    ///     fn defuse(&mut self, _: &Defuse, cx: &mut Context<'_>) -> bool {
    ///         cx.cancel(Posts::of::<Explode>().to(Me)) > 0
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let bomb = manager.spawn((Bomb,));
    /// let fuse = manager.post(Header::to(bomb).after(Duration::from_secs(3)), Explode)?;
    /// assert_eq!(manager.send(bomb, Defuse)?.received, 1);
    /// assert!(!manager.has_pending(fuse));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn cancel(&mut self, posts: impl Into<Posts>) -> usize {
        post::cancel(self.world(), &self.own(posts))
    }

    /// Removes and returns pending messages, like
    /// [`MessageManager::take_posts`](crate::MessageManager::take_posts). It takes effect at once, even in
    /// the pass that is under way. `Me` refers to the messagee that is receiving, or to the owner of the
    /// subscription.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Explode;
    ///
    /// #[derive(Message)]
    /// struct PassOn { to: MessageeId }
    ///
    /// struct Bomb;
    ///
    /// #[handlers]
    /// impl Bomb {
    ///     #[on_receive]
    ///     fn pass_on(&mut self, pass: &PassOn, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         for post in cx.take_posts(Posts::of::<Explode>().to(Me)) {
    ///             cx.post_any(post.header.with_recipient(pass.to), post.message)?;
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let [bomb, next] = [(); 2].map(|()| manager.spawn((Bomb,)));
    /// manager.post(Header::to(bomb).after(Duration::from_secs(3)), Explode)?;
    /// manager.send(bomb, PassOn { to: next })?;
    /// assert!(!manager.has_pending(Posts::all().to(bomb)));
    /// assert!(manager.has_pending(Posts::all().to(next)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_posts(&mut self, posts: impl Into<Posts>) -> Vec<TakenPost> {
        post::take_posts(self.world(), &self.own(posts))
    }

    /// Resolves `Me` to the running receiver.
    fn own(&self, posts: impl Into<Posts>) -> Posts {
        posts.into().seen_from(self.frame.sender())
    }

    /// Returns `true` if such a message is pending, as
    /// [`MessageManager::has_pending`](crate::MessageManager::has_pending) tells.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Ignite;
    ///
    /// #[derive(Message)]
    /// struct Explode;
    ///
    /// struct Bomb;
    ///
    /// #[handlers]
    /// impl Bomb {
    ///     #[on_receive]
    ///     fn ignite(&mut self, _: &Ignite, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         if !cx.has_pending(Posts::of::<Explode>().to(Me)) {
    ///             cx.post(Header::to(Me).after(Duration::from_secs(3)), Explode)?;
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let bomb = manager.spawn((Bomb,));
    /// manager.send(bomb, Ignite)?;
    /// manager.send(bomb, Ignite)?;
    /// assert_eq!(manager.pending_posts(Posts::of::<Explode>()).len(), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn has_pending(&self, posts: impl Into<Posts>) -> bool {
        self.world().schedule.borrow().has(&self.own(posts))
    }

    /// Returns the pending messages that are meant, in the order in which they are due, as
    /// [`MessageManager::pending_posts`](crate::MessageManager::pending_posts) lists them.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Explode;
    ///
    /// #[derive(Message)]
    /// struct Search;
    ///
    /// #[derive(Default)]
    /// struct Dog { next: Option<Recipient> }
    ///
    /// #[handlers]
    /// impl Dog {
    ///     #[on_receive]
    ///     fn search(&mut self, _: &Search, cx: &mut Context<'_>) {
    ///         let explosions = cx.pending_posts(Posts::of::<Explode>());
    ///         self.next = explosions.first().map(|explosion| explosion.recipient);
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let dog = manager.spawn((Dog::default(),));
    /// let [bomb, mine] = [(); 2].map(|()| manager.spawn(()));
    /// manager.post(Header::to(bomb).after(Duration::from_secs(3)), Explode)?;
    /// manager.post(Header::to(mine).after(Duration::from_secs(1)), Explode)?;
    /// manager.send(dog, Search)?;
    /// assert_eq!(manager.get::<Dog>(dog)?.next, Some(mine.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pending_posts(&self, posts: impl Into<Posts>) -> Vec<PendingPost> {
        let (world, posts) = (self.world(), self.own(posts));
        world.schedule.borrow().list(&posts)
    }

    /// Returns a reading of the clock, as [`MessageManager::clock`](crate::MessageManager::clock) does.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// #[derive(Default)]
    /// struct Gun { ready_at: Duration, shots: u32 }
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) {
    ///         let now = cx.clock().now();
    ///         if now >= self.ready_at {
    ///             self.ready_at = now + Duration::from_secs(1);
    ///             self.shots += 1;
    ///         }
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let gun = manager.spawn((Gun::default(),));
    /// for _ in 0..3 {
    ///     manager.send(gun, Fire)?; // At 0, 600 and 1200 ms.
    ///     manager.tick(Duration::from_millis(600));
    /// }
    /// assert_eq!(manager.get::<Gun>(gun)?.shots, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.world().common.time.reading()
    }

    /// Sets how fast the scaled time runs, from the next frame on, as
    /// [`MessageManager::set_time_scale`](crate::MessageManager::set_time_scale) does.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::time::ClockError;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Aim;
    ///
    /// struct Bow;
    ///
    /// #[handlers]
    /// impl Bow {
    ///     #[on_receive]
    ///     fn aim(&mut self, _: &Aim, cx: &mut Context<'_>) -> Result<(), ClockError> {
    ///         cx.set_time_scale(0.25) // Slow motion.
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let bow = manager.spawn((Bow,));
    /// manager.send(bow, Aim)?;
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.clock().now(), Duration::from_millis(4));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ClockError::NoScale`] when it is negative, infinite or not a number.
    pub fn set_time_scale(&mut self, scale: f64) -> Result<(), ClockError> {
        self.world().common.time.set_scale(scale)
    }

    /// Stops the scaled time, or lets it run again, from the next frame on, as
    /// [`MessageManager::set_paused`](crate::MessageManager::set_paused) does.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Show { is_open: bool }
    ///
    /// struct Menu;
    ///
    /// #[handlers]
    /// impl Menu {
    ///     #[on_receive]
    ///     fn show(&mut self, show: &Show, cx: &mut Context<'_>) { cx.set_paused(show.is_open); }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let menu = manager.spawn((Menu,));
    /// manager.send(menu, Show { is_open: true })?;
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.clock().now(), Duration::ZERO);
    /// manager.send(menu, Show { is_open: false })?;
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.clock().now(), Duration::from_millis(16));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn set_paused(&mut self, paused: bool) {
        self.world().common.time.paused.set(paused);
    }
}

/// Posts a message. Compiled once.
fn post(frame: &Frame<'_>, call: &mut PostCall<'_>) -> Result<Ticket, SendError> {
    match call.post_again(frame.sent.world, frame.sender().id()) {
        Some(ticket) => Ok(ticket),
        None => call.post_anew(frame),
    }
}
