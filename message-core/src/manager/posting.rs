//! The manager's posted messages.

use crate::address::{Recipient, Sender};
use crate::error::SendError;
use crate::header::IntoHeader;
use crate::input::Input;
use crate::manager::{AsMessagee, MessageManager};
use crate::message::{AnyMessage, Message};
use crate::post::{PendingPost, PostEachError, Posts, TakenPost, Ticket, cancel, take_posts};

impl MessageManager {
    /// Posts a message. It is delivered in the stage and after the delay that its header names. With stage
    /// `Immediate`, this is a send.
    ///
    /// The header is a [`Header`](crate::Header), a reference to one, or a builder from
    /// [`Header::to`](crate::Header::to). A header that is used often is best built once and passed by reference.
    /// The [`Ticket`] identifies the message while it is pending, and holds the receipt of a message that was
    /// delivered at once.
    ///
    /// ```
    /// use std::time::Duration;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Explode;
    ///
    /// #[derive(Default)]
    /// struct Bomb { exploded: bool }
    ///
    /// #[handlers]
    /// impl Bomb {
    ///     #[on_receive]
    ///     fn explode(&mut self, _: &Explode) { self.exploded = true; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let bomb = manager.spawn((Bomb::default(),));
    /// manager.post(Header::to(bomb).after(Duration::from_secs(3)), Explode)?;
    /// manager.tick(Duration::from_secs(2));
    /// assert!(!manager.get::<Bomb>(bomb)?.exploded);
    /// manager.tick(Duration::from_secs(1));
    /// assert!(manager.get::<Bomb>(bomb)?.exploded);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Gone`](crate::SendErrorKind::Gone) and [`OtherManager`](crate::SendErrorKind::OtherManager) if the
    /// messagee or the hook does not exist in this manager; if it is removed later, the message becomes a
    /// [`DeadLetter`](crate::lifecycle::DeadLetter). [`NoSender`](crate::SendErrorKind::NoSender) for `Me`
    /// and `EveryoneElse` from outside, [`NobodyToBind`](crate::SendErrorKind::NobodyToBind) for a header
    /// from outside that is bound to its sender.
    /// [`QueueFull`](crate::SendErrorKind::QueueFull), [`Unregistered`](crate::SendErrorKind::Unregistered).
    /// To a proxy, [`Unreachable`](crate::SendErrorKind::Unreachable),
    /// [`Backlog`](crate::SendErrorKind::Backlog), [`NotWritten`](crate::SendErrorKind::NotWritten) and
    /// [`NotRelayed`](crate::SendErrorKind::NotRelayed). With stage `Immediate`, those of
    /// [`send`](Self::send), and [`NotReceived`](crate::SendErrorKind::NotReceived).
    /// [`Header`](crate::SendErrorKind::Header) if the header contradicts itself. A mnemonic is resolved when
    /// the message is delivered.
    ///
    /// # Panics
    ///
    /// With stage `Immediate`, panics under the same conditions as [`send`](Self::send). Also panics if a
    /// handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    #[track_caller]
    pub fn post<M: Message>(
        &mut self,
        header: impl IntoHeader,
        message: M,
    ) -> Result<Ticket, SendError> {
        AsMessagee::new(self, Sender::Outside).post(header, message)
    }

    /// Like [`post`](Self::post), but posts to another recipient than the header's own, so that one header
    /// serves many recipients.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Burn { damage: u32 }
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn burn(&mut self, burn: &Burn) { self.hp -= burn.damage; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let crowd: Vec<MessageeId> = (0..3).map(|_| manager.spawn((Health { hp: 9 },))).collect();
    /// let soon = Header::to(Everyone).after_frames(2).build()?;
    /// manager.post_to(crowd[1], &soon, Burn { damage: 4 })?;
    /// for _ in 0..2 {
    ///     manager.tick(std::time::Duration::ZERO);
    /// }
    /// assert_eq!(manager.get::<Health>(crowd[0])?.hp, 9);
    /// assert_eq!(manager.get::<Health>(crowd[1])?.hp, 5);
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
        header: impl IntoHeader,
        message: M,
    ) -> Result<Ticket, SendError> {
        AsMessagee::new(self, Sender::Outside).post_to(to, header, message)
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
        header: impl IntoHeader,
        message: Box<dyn AnyMessage>,
    ) -> Result<Ticket, SendError> {
        AsMessagee::new(self, Sender::Outside).post_any(header, message)
    }

    /// Posts messages with the same header, in their order, and returns how many were posted. The work that
    /// they have in common is done once, so this is faster than calling [`post`](Self::post) for each.
    ///
    /// To cancel them, give the header a tag or choose by recipient and type: see [`Posts`].
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Drop { grams: u32 }
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
    /// let rain = (1..=100).map(|grams| Drop { grams });
    /// let posted = manager.post_each(Header::to(bucket).after_frames(1), rain)?;
    /// assert_eq!(posted, 100);
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.get::<Bucket>(bucket)?.grams, 5_050);
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
        header: impl IntoHeader,
        messages: impl IntoIterator<Item = M>,
    ) -> Result<usize, PostEachError> {
        AsMessagee::new(self, Sender::Outside).post_each(header, messages)
    }

    /// Cancels pending messages and returns how many were cancelled. A cancelled message is never delivered,
    /// and is not a dead letter.
    ///
    /// `posts` is a [`Ticket`], a [`PostKey`](crate::PostKey) or its name, or a choice by sender, recipient,
    /// type, tags and stage: see [`Posts`]. A message that repeats is cancelled with all of its remaining
    /// deliveries.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Explode;
    ///
    /// let mut manager = MessageManager::new();
    /// let bomb = manager.spawn(());
    /// let later = Header::to(bomb).after(Duration::from_secs(3)).build()?;
    /// let fuse = manager.post(&later, Explode)?;
    /// assert_eq!(manager.cancel(fuse), 1);
    /// assert_eq!(manager.cancel(fuse), 0); // It is not pending any more.
    ///
    /// manager.post(&later, Explode)?;
    /// manager.post(&later, Explode)?;
    /// assert_eq!(manager.cancel(Posts::of::<Explode>().to(bomb)), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle). Also panics if the `Drop` of a cancelled message panics. All of the messages
    /// are cancelled even then.
    pub fn cancel(&mut self, posts: impl Into<Posts>) -> usize {
        let posts = posts.into();
        cancel(self.input(|| Input::Cancel(posts)).0, &posts)
    }

    /// Removes pending messages and returns them in the order in which they are due, each with its sender and
    /// with a header that holds the rest of its delay and of its deliveries. As with
    /// [`cancel`](Self::cancel), they are no longer pending. Posted with that header, here or in another
    /// manager, they are due when they would have been. A message that repeats and is being delivered stays.
    ///
    /// `posts` is the same as for [`cancel`](Self::cancel). A log records the call as a cancel.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Hatch;
    ///
    /// #[derive(Default)]
    /// struct Egg { hatched: bool }
    ///
    /// #[handlers]
    /// impl Egg {
    ///     #[on_receive]
    ///     fn hatch(&mut self, _: &Hatch) { self.hatched = true; }
    /// }
    ///
    /// let (mut north, mut south) = (MessageManager::new(), MessageManager::new());
    /// let egg = north.spawn((Egg::default(),));
    /// north.post(Header::to(egg).after(Duration::from_secs(3)), Hatch)?;
    /// north.tick(Duration::from_secs(2));
    ///
    /// // The egg moves to another world, with what is pending for it.
    /// let moved = south.spawn((Egg::default(),));
    /// for post in north.take_posts(Posts::all().to(egg)) {
    ///     south.post_any(post.header.with_recipient(moved), post.message)?;
    /// }
    /// north.despawn(egg)?;
    /// south.tick(Duration::from_secs(1));
    /// assert!(south.get::<Egg>(moved)?.hatched);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    pub fn take_posts(&mut self, posts: impl Into<Posts>) -> Vec<TakenPost> {
        let posts = posts.into();
        // What is left here is the same.
        take_posts(self.input(|| Input::Cancel(posts)).0, &posts)
    }

    /// Returns `true` if such a message is pending. `posts` is the same as for
    /// [`cancel`](Self::cancel).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Explode;
    ///
    /// let mut manager = MessageManager::new();
    /// let bomb = manager.spawn(());
    /// let fuse = manager.post(Header::to(bomb).after(Duration::from_secs(3)), Explode)?;
    /// assert!(manager.has_pending(fuse));
    /// assert!(manager.has_pending(Posts::of::<Explode>()));
    /// manager.tick(Duration::from_secs(3));
    /// assert!(!manager.has_pending(fuse)); // It was delivered.
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn has_pending(&self, posts: impl Into<Posts>) -> bool {
        self.world.schedule.borrow().has(&posts.into())
    }

    /// Returns the pending messages that are meant, in the order in which they are due: first those
    /// that are ready for the next pass of their stage or wait on the scaled clock, then those that
    /// wait by frames, and those on the unscaled clock, since these cannot be compared with each
    /// other. Of equal ones the one that was posted first comes first.
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
    /// let mut manager = MessageManager::new();
    /// let [bomb, mine] = [(); 2].map(|()| manager.spawn(()));
    /// manager.post(Header::to(bomb).after(Duration::from_secs(3)), Explode)?;
    /// manager.post(Header::to(mine).after(Duration::from_secs(1)), Explode)?;
    /// let pending = manager.pending_posts(Posts::of::<Explode>());
    /// assert_eq!(pending[0].recipient, Recipient::Id(mine));
    /// assert_eq!(pending[1].recipient, Recipient::Id(bomb));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn pending_posts(&self, posts: impl Into<Posts>) -> Vec<PendingPost> {
        self.world.schedule.borrow().list(&posts.into())
    }
}
