//! Posting: a message with a header is delivered at once or put into the delay heap.

use std::num::NonZeroU64;
use std::panic::Location;

use crate::address::MessageeId;
use crate::address::{Recipient, Sender, SubscriptionId};
use crate::component::WorldAccess;
use crate::dispatch::Context;
use crate::dispatch::call::{Posted, Sent};
use crate::error::{MessageeError, SendError};
use crate::heap::{Rare, Record, Timeline};
use crate::message::Message;
use crate::post::{Delay, Header, PendingPost, Posts, Ticket};
use crate::subscription::Listen;
use crate::time::{Clock, ClockError, Stage, Time};
use crate::world::{Presence, World};

impl World {
    /// Posts a message. `sent` is what a send of it would be.
    pub(crate) fn post<M: Message>(
        &self,
        header: &Header,
        sent: &Sent<'_>,
        message: M,
    ) -> Result<Ticket, SendError> {
        if header.stage == Stage::Immediate {
            self.post_now(header, sent, message)?;
            return Ok(Ticket::SPENT);
        }
        let Some(of) = M::index() else {
            return Err(SendError::Unregistered { message: M::NAME });
        };
        self.check_postable(header, sent)?;
        let limit = self.config.max_pending;
        let mut heap = self.heap.borrow_mut();
        if heap.pending() >= limit && heap.would_grow(header.key) {
            return Err(SendError::QueueFull {
                to: *sent.to,
                message: M::NAME,
                limit,
            });
        }
        let now = self.time.now();
        let (timeline, due, ready_at) = match header.delay {
            Delay::None | Delay::Time(0) | Delay::Unscaled(0) => (Timeline::Scaled, now, Some(now)),
            Delay::Time(delay) => (Timeline::Scaled, Time::after(now, delay), None),
            Delay::Unscaled(delay) => {
                let due = Time::after(self.time.unscaled_now, delay);
                (Timeline::Unscaled, due, None)
            }
            Delay::Frames(frames) => {
                let ready_at = (frames == 0).then_some(now);
                let due = self.time.frame.saturating_add(frames);
                (Timeline::Frames, due, ready_at)
            }
        };
        let rare = (header.key.is_some() || header.repeat.is_some() || header.bound).then(|| {
            Box::new(Rare {
                key: header.key,
                bound: header.bound,
                period: header
                    .repeat
                    .and_then(|repeat| NonZeroU64::new(repeat.period)),
                left: header.repeat.and_then(|repeat| repeat.times),
            })
        });
        let record = Record {
            number: None,
            to: *sent.to,
            sender: sent.sender.id(),
            place: sent.place,
            posted_time: now,
            posted_frame: self.time.frame,
            due,
            tags: header.tags,
            rare,
            require: header.require,
            stage: header.stage,
            timeline,
            retain: header.retain,
        };
        Ok(heap.insert(of, record, message, ready_at))
    }

    /// What is wrong with a post already when it is made.
    fn check_postable(&self, header: &Header, sent: &Sent<'_>) -> Result<(), SendError> {
        let message = sent.message();
        let needs_sender =
            header.bound || matches!(*sent.to, Recipient::Me | Recipient::EveryoneElse);
        if needs_sender && sent.sender.id().is_none() {
            return Err(SendError::NoSender {
                to: *sent.to,
                message,
            });
        }
        let (Recipient::Id(id) | Recipient::Up(id) | Recipient::Down(id)) = *sent.to else {
            return Ok(());
        };
        if self.messagees.get(id).is_some() {
            return Ok(());
        }
        match self.presence(id) {
            Presence::Alive | Presence::Leaving | Presence::Unborn => Ok(()),
            Presence::Gone => Err(SendError::Gone { id, message }),
            Presence::Foreign => Err(SendError::OtherManager { id, message }),
        }
    }

    /// Delivers a message with a header at once.
    fn post_now<M: Message>(
        &self,
        header: &Header,
        sent: &Sent<'_>,
        message: M,
    ) -> Result<(), SendError> {
        let now = self.moment();
        let posted = Posted {
            posted: now,
            due: now,
            tags: header.tags,
            stage: Stage::Immediate,
            require: header.require,
            retain: header.retain,
        };
        let sent = Sent {
            posted: Some(&posted),
            ..*sent
        };
        let receipt = self.send_posted(&sent, &mut Some(message))?;
        let got = receipt.received + receipt.pending;
        if got < header.require as usize {
            return Err(SendError::NotReceived {
                to: *sent.to,
                message: M::NAME,
                wanted: header.require as usize,
                got,
                why: self.why_unreceived::<M>(&sent, got),
            });
        }
        Ok(())
    }
}

impl<R> Context<'_, R> {
    /// Posts a message, as [`MessageManager::post`](crate::MessageManager::post) does, with the
    /// same sender as [`send`](Self::send).
    ///
    /// # Errors
    ///
    /// Those of [`MessageManager::post`](crate::MessageManager::post); with stage `Immediate`,
    /// those of [`send`](Self::send) too.
    #[track_caller]
    pub fn post<M: Message>(&mut self, header: &Header, message: M) -> Result<Ticket, SendError> {
        let sent = self.sent::<M>(&header.to, Location::caller());
        self.world().post(header, &sent, message)
    }

    /// Cancels pending messages, as [`MessageManager::cancel`](crate::MessageManager::cancel)
    /// does. It takes effect at once, also in the pass that is under way.
    pub fn cancel(&mut self, posts: impl Into<Posts>) -> usize {
        self.world().cancel(&posts.into())
    }

    /// Whether such a message is pending, as
    /// [`MessageManager::has_pending`](crate::MessageManager::has_pending) tells.
    #[must_use]
    pub fn has_pending(&self, posts: impl Into<Posts>) -> bool {
        self.world().has_pending(&posts.into())
    }

    /// The pending messages that are meant, in the order in which they are due, as
    /// [`MessageManager::pending_posts`](crate::MessageManager::pending_posts) lists them.
    #[must_use]
    pub fn pending_posts(&self, posts: impl Into<Posts>) -> Vec<PendingPost> {
        self.world().heap.borrow().list(&posts.into())
    }

    /// A reading of the clock.
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

    /// Makes a subscription, as
    /// [`MessageManager::subscribe`](crate::MessageManager::subscribe) does. It takes effect when
    /// the outermost send returns.
    pub fn subscribe<F: Send + 'static>(
        &mut self,
        filter: impl Listen<F>,
        subscriber: F,
    ) -> SubscriptionId {
        self.subscribe_later(filter, subscriber, None)
    }

    /// Makes a subscription that ends with a messagee, as
    /// [`MessageManager::subscribe_for`](crate::MessageManager::subscribe_for) does. It takes
    /// effect when the outermost send returns.
    ///
    /// # Errors
    ///
    /// [`MessageeError::Gone`], [`MessageeError::OtherManager`].
    pub fn subscribe_for<F: Send + 'static>(
        &mut self,
        owner: MessageeId,
        filter: impl Listen<F>,
        subscriber: F,
    ) -> Result<SubscriptionId, MessageeError> {
        self.world().check_stays(owner)?;
        Ok(self.subscribe_later(filter, subscriber, Some(owner)))
    }

    fn subscribe_later<F: Send + 'static>(
        &mut self,
        filter: impl Listen<F>,
        subscriber: F,
        owner: Option<MessageeId>,
    ) -> SubscriptionId {
        let world = self.world();
        let id = world.subscriptions.reserve();
        world.subscriptions.announce(id);
        world.later(move |world| {
            let stays = owner.is_none_or(|owner| world.messagees.get(owner).is_some());
            if world.subscriptions.is_wanted(id) && stays {
                filter.enter(subscriber, id, owner, &mut WorldAccess(world));
            }
        });
        id
    }

    /// Ends a subscription; from now on it receives nothing. Whether it had not ended before.
    pub fn unsubscribe(&mut self, id: SubscriptionId) -> bool {
        let world = self.world();
        let ended = world.subscriptions.end(id);
        if ended {
            world.later(move |world| drop(world.subscriptions.remove(id)));
        }
        ended
    }
}

impl World {
    pub(crate) fn cancel(&self, posts: &Posts) -> usize {
        let mut heap = self.heap.borrow_mut();
        if let Some(ticket) = posts.ticket
            && posts.names_one()
        {
            return usize::from(heap.discard(ticket));
        }
        let tickets = heap.select(posts);
        tickets
            .into_iter()
            .filter(|&ticket| heap.discard(ticket))
            .count()
    }

    pub(crate) fn has_pending(&self, posts: &Posts) -> bool {
        let heap = self.heap.borrow();
        match posts.ticket {
            Some(ticket) if posts.names_one() => heap.is_pending(ticket),
            _ => !heap.select(posts).is_empty(),
        }
    }

    /// The sender of a pending message, as its record has it.
    pub(super) fn sender_of(record: &Record) -> Sender {
        record.sender.map_or(Sender::Outside, Sender::Messagee)
    }
}
