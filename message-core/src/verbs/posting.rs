//! Posting, and what is pending.

use std::borrow::Borrow;

use crate::address::Recipient;
use crate::error::SendError;
use crate::header::{Header, IntoHeader};
use crate::input::Input;
use crate::message::{AnyMessage, Message};
use crate::post::{self, PendingPost, PostCall, PostEachError, Posts, TakenPost, Ticket};
use crate::send::Speaker;

verbs! {
    /// Posts a message. It is delivered in the stage and after the delay that its header names. With stage
    /// `Immediate`, this is a send. The sender is the same as for [`send`](Self::send).
    ///
    /// The header is a [`Header`](crate::Header), a reference to one, or a builder from
    /// [`Header::to`](crate::Header::to). A header that is used often is best built once and passed by reference.
    /// The [`Ticket`] identifies the message while it is pending, and holds the receipt of a message that was
    /// delivered at once.
    ///
    /// ```
    /// use message_core::Recipient::Me;
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
    /// manager.post(Header::to(bomb).after(Duration::from_secs(1)), Ignite)?;
    /// manager.tick(Duration::from_secs(3));
    /// assert!(!manager.get::<Bomb>(bomb)?.has_exploded);
    /// manager.tick(Duration::from_secs(1));
    /// assert!(!manager.get::<Bomb>(bomb)?.has_exploded);
    /// manager.tick(Duration::from_secs(2));
    /// assert!(manager.get::<Bomb>(bomb)?.has_exploded);
    ///
    /// // On behalf of a messagee, a header can be bound to it.
    /// let again = Header::to(Me).after(Duration::from_secs(3)).tied_to_sender();
    /// let ticket = manager.speak_for(bomb)?.post(again, Explode)?;
    /// manager.despawn(bomb)?;
    /// assert!(!manager.has_pending(ticket));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Gone`](crate::Absence::Gone) and [`OtherManager`](crate::Absence::OtherManager) if the
    /// messagee or the hook does not exist in this manager, or `speak_for` speaks for one that has been despawned;
    /// if the recipient is removed later, the message becomes a [`DeadLetter`](crate::lifecycle::DeadLetter).
    /// [`NoSender`](crate::SendErrorKind::NoSender) for `Me`, for `EveryoneElse` and for a header that ties the
    /// message to its sender, from outside.
    /// [`AtLimit`](crate::SendErrorKind::AtLimit), [`Unregistered`](crate::SendErrorKind::Unregistered).
    /// To a proxy, [`NotCarried`](crate::SendErrorKind::NotCarried). With stage `Immediate`, those of
    /// [`send`](Self::send), and [`NotReceived`](crate::SendErrorKind::NotReceived).
    /// [`Header`](crate::SendErrorKind::Header) if the header contradicts itself. A mnemonic is resolved when
    /// the message is delivered.
    ///
    /// # Panics
    ///
    /// With stage `Immediate`, panics under the same conditions as [`send`](Self::send). From outside, also
    /// panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](crate::MessageManager::settle).
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
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`post`](Self::post).
    #[track_caller]
    pub fn post_to<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        mut header: impl IntoHeader,
        message: M,
    ) -> Result<Ticket, SendError> {
        let held = header.held(M::NAME)?;
        self.post_held(&mut PostCall::new(to.into(), held.borrow(), &mut Some(message)))
    }

    /// Posts a message whose type is not known here. It does the same as [`post`](Self::post) with the
    /// message itself.
    ///
    /// The message of a dead letter can be posted or sent again:
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::lifecycle::DeadLetter;
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    /// use std::time::Duration;
    ///
    /// #[derive(Message, Clone)]
    /// struct Reload { rounds: u32 }
    ///
    /// #[derive(Default)]
    /// struct Gun { rounds: u32 }
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn reload(&mut self, reload: &Reload) { self.rounds += reload.rounds; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (gun, spare) = (manager.spawn((Gun::default(),)), manager.spawn((Gun::default(),)));
    /// let (undelivered, dead) = mpsc::channel::<Box<dyn AnyMessage>>();
    /// manager.subscribe(Filter::of::<DeadLetter>().before(), move |letter, _| {
    ///     if let Some(message) = letter.message.take() {
    ///         let _ = undelivered.send(message);
    ///     }
    ///     std::ops::ControlFlow::Continue(())
    /// });
    /// manager.post(&Header::to(gun).after_frames(1).build()?, Reload { rounds: 6 })?;
    /// manager.despawn(gun)?;
    /// manager.tick(Duration::ZERO);
    ///
    /// let again = Header::to(spare).after_frames(1).build()?;
    /// for message in dead.try_iter() {
    ///     manager.post_any(&again, message)?;
    /// }
    /// manager.tick(Duration::ZERO);
    /// assert_eq!(manager.get::<Gun>(spare)?.rounds, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`post`](Self::post). The message is dropped then, as it is there.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`post`](Self::post).
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

    /// Posts messages with the same header, in their order, and returns how many were posted. The work that
    /// they have in common is done once, so this is faster than calling [`post`](Self::post) for each.
    ///
    /// To cancel them, give the header a tag or choose by recipient and type: see [`Posts`].
    ///
    /// ```
    /// use message_core::post::PostEachError;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Rain;
    ///
    /// #[derive(Message)]
    /// struct Drop { grams: u32 }
    ///
    /// struct Cloud { over: MessageeId }
    ///
    /// #[handlers]
    /// impl Cloud {
    ///     #[on_receive]
    ///     fn rain(&mut self, _: &Rain, cx: &mut Context<'_>) -> Result<(), PostEachError> {
    ///         let drops = (1..=100).map(|grams| Drop { grams });
    ///         cx.post_each(Header::to(self.over).after_frames(1), drops)?;
    ///         Ok(())
    ///     }
    /// }
    ///
    /// #[derive(Default)]
    /// struct Bucket { grams: u32 }
    ///
    /// #[handlers]
    /// impl Bucket {
    ///     #[on_receive]
    ///     fn fill(&mut self, drop: &Drop) { self.grams += drop.grams; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let bucket = manager.spawn((Bucket::default(),));
    /// let cloud = manager.spawn((Cloud { over: bucket },));
    /// manager.send(cloud, Rain)?;
    /// assert_eq!(manager.pending_posts(Posts::of::<Drop>().from(cloud)).len(), 100);
    /// let posted = manager.post_each(Header::to(bucket).after_frames(1), [Drop { grams: 7 }])?;
    /// assert_eq!(posted, 1);
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.get::<Bucket>(bucket)?.grams, 5_057);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`PostEachError`] with the error of the first message that fails, which is one of those of
    /// [`post`](Self::post), and the number of messages posted before it, which stay posted. If the iterator
    /// is passed by reference, the messages after the failed one are left in it.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`post`](Self::post), and if the iterator panics. What the
    /// iterator has yielded by then is posted.
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

    /// Cancels pending messages and returns how many were cancelled. A cancelled message is never delivered,
    /// and is not a dead letter. In a handler, this takes effect at once, even in the pass that is under way.
    ///
    /// `posts` is a [`Ticket`], a [`PostKey`](crate::PostKey) or its name, or a choice by sender, recipient,
    /// type, tags and stage: see [`Posts`]. A name is that of the sender's own key, and `Me` is the sender. A
    /// message that repeats is cancelled with all of its remaining deliveries.
    ///
    /// ```
    /// use message_core::Recipient::Me;
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
    /// let later = Header::to(bomb).after(Duration::from_secs(3)).build()?;
    /// let fuse = manager.post(&later, Explode)?;
    /// assert_eq!(manager.cancel(fuse), 1);
    /// assert_eq!(manager.cancel(fuse), 0); // It is not pending any more.
    ///
    /// manager.post(&later, Explode)?;
    /// assert_eq!(manager.send(bomb, Defuse)?.received, 1);
    /// assert!(!manager.has_pending(Posts::of::<Explode>()));
    ///
    /// let mut as_bomb = manager.speak_for(bomb)?;
    /// as_bomb.post(Header::to(Me).after(Duration::from_secs(1)).key("fuse"), Explode)?;
    /// assert_eq!(as_bomb.cancel("fuse"), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// From outside, panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](crate::MessageManager::settle). Also panics if the `Drop` of a cancelled message panics. All of
    /// the messages are cancelled even then.
    pub fn cancel(&mut self, posts: impl Into<Posts>) -> usize {
        let posts = self.own(posts);
        self.at_once(|| Input::Cancel(posts), |world| post::cancel(world, &posts))
    }

    /// Removes pending messages and returns them in the order in which they are due, each with its sender and
    /// with a header that holds the rest of its delay and of its deliveries. As with
    /// [`cancel`](Self::cancel), they are no longer pending. Posted with that header, here or in another
    /// manager, they are due when they would have been. A message that repeats and is being delivered stays.
    ///
    /// `posts` is the same as for [`cancel`](Self::cancel). A log records the call as a cancel.
    ///
    /// ```
    /// use message_core::Recipient::Me;
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
    /// let (mut north, mut south) = (MessageManager::new(), MessageManager::new());
    /// let [bomb, next] = [(); 2].map(|()| north.spawn((Bomb,)));
    /// north.post(Header::to(bomb).after(Duration::from_secs(3)), Explode)?;
    /// north.tick(Duration::from_secs(1));
    /// north.send(bomb, PassOn { to: next })?;
    /// assert!(!north.has_pending(Posts::all().to(bomb)));
    ///
    /// // The bomb moves to another world, with what is pending for it.
    /// let moved = south.spawn((Bomb,));
    /// for post in north.take_posts(Posts::all().to(next)) {
    ///     south.post_any(post.header.with_recipient(moved), post.message)?;
    /// }
    /// south.tick(Duration::from_secs(1));
    /// assert!(south.has_pending(Posts::all().to(moved)));
    /// south.tick(Duration::from_secs(1));
    /// assert!(!south.has_pending(Posts::all()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// From outside, panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](crate::MessageManager::settle).
    pub fn take_posts(&mut self, posts: impl Into<Posts>) -> Vec<TakenPost> {
        let posts = self.own(posts);
        self.at_once(|| Input::Cancel(posts), |world| post::take_posts(world, &posts))
    }

    /// Returns `true` if such a message is pending. `posts` is the same as for
    /// [`cancel`](Self::cancel).
    ///
    /// ```
    /// use message_core::Recipient::Me;
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
    /// manager.tick(Duration::from_secs(3));
    /// assert!(!manager.has_pending(Posts::of::<Explode>())); // It was delivered.
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn has_pending(&self, posts: impl Into<Posts>) -> bool {
        self.world().schedule.borrow().has(&self.own(posts))
    }

    /// Returns the pending messages that are meant, in the order in which they are due: first those
    /// that are ready for the next pass of their stage or wait on the scaled clock, then those that
    /// wait by frames, and those on the unscaled clock, since these cannot be compared with each
    /// other. Of equal ones the one that was posted first comes first. `posts` is the same as for
    /// [`cancel`](Self::cancel).
    ///
    /// For tools and tests: it looks at every pending message.
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
    /// assert_eq!(manager.pending_posts(Posts::all().to(bomb)).len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pending_posts(&self, posts: impl Into<Posts>) -> Vec<PendingPost> {
        self.world().schedule.borrow().list(&self.own(posts))
    }
}
