//! Putting a posted message in.
#![allow(
    clippy::inline_always,
    reason = "what a post is known by stays in registers on its way: a third of a post; measured"
)]

use std::num::NonZeroU64;
use std::panic::Location;

use crate::address::{MessageeId, Recipient};
use crate::message::{Message, MessageIndex};
use crate::post::queue::batch::{BY_FRAMES, Origin, READY, Term, UNSCALED};
use crate::post::queue::pending_of::PendingOf;
use crate::post::queue::repeat::Series;
use crate::post::queue::slot::{in_batch, whole_batch};
use crate::post::queue::{DelayHeap, Entry, PostMeta, Rare, Record, Stored, Timeline, lane_of};
use crate::post::{Delay, Header, Ticket};
use crate::tag::TagSet;
use crate::time::Time;

/// When a message is to be delivered, on the clock of its timeline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct When {
    pub(crate) due: u64,
    /// The time since which it is ready, if it is for the next pass.
    pub(crate) ready_at: Option<u64>,
}

impl When {
    /// Of a message that is posted now, with the clock that tells.
    #[inline(always)]
    pub(crate) fn of(delay: Delay, time: &Time) -> (Timeline, Self) {
        let (timeline, due, ready_at) = match delay {
            Delay::None | Delay::Time(0) => (Timeline::Scaled, time.now(), Some(time.now())),
            Delay::Time(delay) => (Timeline::Scaled, Time::after(time.now(), delay), None),
            Delay::Unscaled(delay) => {
                let now = time.unscaled_now;
                let ready_at = (delay == 0).then_some(now);
                (Timeline::Unscaled, Time::after(now, delay), ready_at)
            }
            Delay::Frames(0) => (Timeline::Frames, time.frame, Some(time.now())),
            Delay::Frames(frames) => (Timeline::Frames, time.frame.saturating_add(frames), None),
        };
        (timeline, Self { due, ready_at })
    }
}

/// A message without conditions, for one messagee: most are.
#[derive(Clone, Copy)]
pub(crate) struct Plain {
    pub(crate) to: MessageeId,
    term: Term,
}

impl Plain {
    #[inline(always)]
    pub(crate) fn of(to: Recipient, header: &Header, time: &Time) -> Option<Self> {
        let Recipient::Id(to) = to else {
            return None;
        };
        if !header.plain {
            return None;
        }
        let (timeline, When { due, ready_at }) = When::of(header.delay, time);
        let clock = match timeline {
            Timeline::Scaled => 0,
            Timeline::Unscaled => UNSCALED,
            // What is ready then has two readings of clocks, its frame and the time of that.
            Timeline::Frames if ready_at.is_some() => return None,
            Timeline::Frames => BY_FRAMES,
        };
        let ready = if ready_at.is_some() { READY } else { 0 };
        let queue = clock | ready | header.stage as u8;
        let term = Term { due, queue };
        Some(Self { to, term })
    }
}

/// Which call posts a message, and when: of the post's metadata, what the messages of a batch may
/// differ in.
pub(crate) struct PostCall {
    pub(crate) sender: Option<MessageeId>,
    pub(crate) place: &'static Location<'static>,
    pub(crate) time: u64,
    pub(crate) frame: u64,
    pub(crate) tags: TagSet,
}

/// What is known of a message that is posted, besides its header.
pub(crate) struct Stamped {
    pub(crate) sender: Option<MessageeId>,
    pub(crate) post_meta: PostMeta,
    pub(crate) when: When,
}

impl DelayHeap {
    /// Returns `true` if a message with that header would be one more.
    #[cold]
    pub(crate) fn would_grow(&self, header: &Header, sender: Option<MessageeId>) -> bool {
        let key = header.key_for(sender);
        key.is_none_or(|key| !self.keys.contains_key(&key))
    }

    /// Puts a message in behind another that was posted by the same call at the same moment and is due
    /// with it, if there is one with room behind it; otherwise the message comes back. What is asked
    /// for last is asked for when the batches are at hand: finding them is a call, and what is known
    /// by then has to be put aside for it.
    #[inline(always)]
    pub(crate) fn insert_again<M: Message>(
        &mut self,
        of: MessageIndex,
        ask: impl FnOnce() -> Option<(Plain, PostCall)>,
        message: M,
    ) -> Result<Ticket, M> {
        if let Some(Some(place)) = self.places.get_mut(of.get())
            && let batches = &mut PendingOf::<M>::of(&mut *place.queue).batches
            && let Some((Plain { to, term }, call)) = ask()
            && let number = self.numbers.next()
            && let Some(next) = number.checked_add(1)
            && let Some((at, batch)) = batches.find(term, number)
            && let Some(origin) = batch.sole_origin()
            && origin.sender == call.sender
            && self.postmarks.enter_again(origin.post_meta, &call)
        {
            self.numbers.go_on_with(next);
            self.pending += 1;
            let position = batch.push(to, number, message);
            return Ok(Ticket::new(Some(number), of.0, in_batch(at, position)));
        }
        Err(message)
    }

    /// Puts a message in; one that is pending under the same key goes.
    pub(crate) fn insert<M: Stored>(
        &mut self,
        of: MessageIndex,
        header: &Header,
        stamped: &Stamped,
        plain: Option<Plain>,
        message: M,
    ) -> Ticket {
        let number = self.numbers.next();
        let next = number.checked_add(1);
        let next = next.expect("fewer than 2^47 messages are posted in the life of a manager");
        self.numbers.go_on_with(next);
        self.pending += 1;
        let &Stamped {
            sender,
            post_meta,
            when: When { due, ready_at },
        } = stamped;
        let timeline = post_meta.timeline;
        let origin = Origin {
            sender,
            post_meta: self.postmarks.enter(post_meta),
        };
        let slab = if M::BOXED { of.0 + self.types } else { of.0 };
        let queue = self.queue::<M>(slab as usize, message.facts());
        let mut waits = None;
        let to_batch = plain.and_then(|Plain { to, term }| {
            if let Some((batch, _)) = queue.batches.find(term, number) {
                return Some((batch, to));
            }
            let batch = queue.batches.open(term, number, origin)?;
            waits = Some(whole_batch(batch));
            Some((batch, to))
        });
        let slot = if let Some((batch, to)) = to_batch {
            queue.batches.push(batch, number, to, origin, message)
        } else {
            // What is due in one frame, or within 17 milliseconds, lies together.
            let neighbours = match timeline {
                Timeline::Frames => due,
                Timeline::Scaled | Timeline::Unscaled => due >> 24 | 1 << 63,
            };
            let record = Record::new(number, header, sender, due, origin.post_meta);
            let slot = queue.slab.insert(neighbours, record, message);
            waits = Some(slot);
            slot
        };
        if let Some(slot) = waits {
            let entry = Entry {
                due: ready_at.unwrap_or(due),
                slab,
                slot,
            };
            let lane = &mut self.lanes[lane_of(header.stage)];
            match ready_at {
                Some(_) => lane.ready(entry, timeline),
                None => lane.wait(entry, timeline),
            }
        }
        let ticket = Ticket::new(Some(number), slab, slot);
        if header.is_rare() {
            self.register(ticket, number, header, sender);
        }
        ticket
    }

    #[cold]
    fn register(
        &mut self,
        ticket: Ticket,
        number: NonZeroU64,
        header: &Header,
        sender: Option<MessageeId>,
    ) {
        let key = header.key_for(sender);
        self.rare.insert(
            number,
            Rare {
                key,
                series: header.repeat.map(Series::new),
            },
        );
        let replaced = key.and_then(|key| self.keys.insert(key, ticket));
        let mut bound = 0;
        if let Some(sender) = sender.filter(|_| header.bound) {
            let mut own = self.bound.remove(&sender).unwrap_or_default();
            if own.len() == own.capacity() {
                own.retain(|&ticket| self.is_pending(ticket));
                // So that the next search is as far away as this one was long.
                own.reserve(own.len() + 1);
            }
            own.push(ticket);
            bound = own.capacity();
            self.bound.insert(sender, own);
        }
        self.note_rare(bound);
        // Last, since a `Drop` may panic.
        if let Some(replaced) = replaced {
            self.discard(replaced);
        }
    }
}
