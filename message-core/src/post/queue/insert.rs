//! Putting a posted message in.
#![allow(
    clippy::inline_always,
    reason = "what a post is known by stays in registers on its way: a third of a post; measured"
)]

use std::num::NonZeroU64;
use std::panic::Location;

use crate::address::{MessageeId, Recipient};
use crate::header::{CLOCK, Wait};
use crate::header::{Delay, Header};
use crate::message::MessageIndex;
use crate::post::Ticket;
use crate::post::queue::chunk::{Head, Origin, Term};
use crate::post::queue::pending_of::PendingOf;
use crate::post::queue::post_meta::PostCall;
use crate::post::queue::repeat::Series;
use crate::post::queue::slot::{slot_at, whole_batch};
use crate::post::queue::{
    DelayHeap, Entry, Held, Messages, PostMeta, QUEUE, Rare, Record, Timeline, lane_of, slab_of,
};
use crate::time::{LAST, Time};

/// When a message is to be delivered, on the clock of its timeline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct When {
    pub(crate) due: u64,
    /// The time since which it is ready, if it is for the next pass.
    pub(crate) ready_at: Option<u64>,
}

impl When {
    /// Of a message that is posted now, with the clock that tells.
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

/// When a message is due that is posted now. `None` past the last moment.
#[inline(always)]
fn term(wait: Wait, time: &Time) -> Option<Term> {
    let queue = wait.queue();
    // A clock is no later than `LAST`, and frames are counted one by one: it does not wrap.
    let now = time.clocks()[usize::from(queue >> CLOCK & 3)];
    let due = now.wrapping_add(wait.delay());
    (due <= LAST).then_some(Term { due, queue })
}

/// A message without conditions, for one messagee: most are.
#[derive(Clone, Copy)]
pub(crate) struct Plain {
    to: MessageeId,
    wait: Wait,
}

impl Plain {
    #[inline]
    pub(crate) fn of(to: Recipient, header: &Header) -> Option<Self> {
        let (Recipient::Id(to), Some(wait)) = (to, header.wait) else {
            return None;
        };
        Some(Self { to, wait })
    }

    #[inline]
    pub(crate) fn to(&self) -> MessageeId {
        self.to
    }

    /// The call that posts it.
    #[inline(always)]
    fn call(&self, header: &Header, place: &'static Location<'static>, time: &Time) -> PostCall {
        PostCall {
            place,
            tags: header.tags,
            moment: time.moves(),
            queue: self.wait.queue(),
        }
    }
}

/// Where messages go that one call posts together: into one batch, as long as that has room.
pub(crate) struct Run {
    slab: u32,
    at: u32,
    to: MessageeId,
    origin: Origin,
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

    /// Enters a message behind others that the same call has posted at the same moment and that are due
    /// with it, if there is room behind one. The message has to be put there next.
    #[inline(always)]
    pub(crate) fn enter_again(
        &mut self,
        of: MessageIndex,
        plain: Plain,
        header: &Header,
        (sender, place): (Option<MessageeId>, &'static Location<'static>),
        time: &Time,
    ) -> Option<(&mut dyn Messages, Ticket, Head)> {
        if self.pending >= self.most_pending {
            return None;
        }
        let queue = self
            .queues
            .get_mut(slab_of(of, false) as usize)?
            .as_deref_mut()?;
        let post_meta = queue.recent.post_meta(&plain.call(header, place, time))?;
        let number = self.next_number;
        let next = number.checked_add(1)?;
        let (at, batch) = queue.find(term(plain.wait, time)?, number)?;
        let origin = Origin { sender, post_meta };
        if !batch.is_of(origin) {
            batch.vary(origin, &mut self.postmarks);
        }
        let (position, head) = batch.push(plain.to, number);
        self.next_number = next;
        self.pending += 1;
        let ticket = Ticket::new(Some(number), slab_of(of, false), slot_at(at, position));
        Some((&mut *queue.messages, ticket, head))
    }

    /// Where messages go that one call posts together, if there is a batch for them.
    pub(crate) fn run(
        &mut self,
        of: MessageIndex,
        plain: Plain,
        header: &Header,
        (sender, place): (Option<MessageeId>, &'static Location<'static>),
        time: &Time,
    ) -> Option<Run> {
        let queue = self
            .queues
            .get_mut(slab_of(of, false) as usize)?
            .as_deref_mut()?;
        let post_meta = queue.recent.post_meta(&plain.call(header, place, time))?;
        let (at, _) = queue.find(term(plain.wait, time)?, self.next_number)?;
        Some(Run {
            slab: slab_of(of, false),
            at,
            to: plain.to,
            origin: Origin { sender, post_meta },
        })
    }

    /// Returns `true` if another message of a run can be [added](Self::add).
    #[inline]
    pub(crate) fn has_room(&self, run: &Run) -> bool {
        let number = self.next_number;
        let batch = self.queue(run.slab).chunk(run.at);
        self.pending < self.most_pending
            && number.checked_add(1).is_some()
            && batch.is_some_and(|batch| batch.has_room(number))
    }

    /// Enters a message of a run, for which there is room. The message has to be put there next.
    #[inline]
    pub(crate) fn add(&mut self, run: &Run) -> (&mut dyn Messages, Ticket, Head) {
        let number = self.next_number;
        let queue = self.queues[run.slab as usize].as_deref_mut();
        let (batch, messages) = queue.expect(QUEUE).split(run.at);
        if !batch.is_of(run.origin) {
            batch.vary(run.origin, &mut self.postmarks);
        }
        let (position, head) = batch.push(run.to, number);
        self.next_number = number.saturating_add(1);
        self.pending += 1;
        let ticket = Ticket::new(Some(number), run.slab, slot_at(run.at, position));
        (messages, ticket, head)
    }

    /// Puts a message in; one that is pending under the same key goes.
    pub(crate) fn insert(
        &mut self,
        of: MessageIndex,
        header: &Header,
        stamped: &Stamped,
        time: &Time,
        held: &mut dyn Held,
    ) -> Ticket {
        let number = self.next_number;
        let next = number.checked_add(1);
        let next = next.expect("fewer than 2^47 messages are posted in the life of a manager");
        self.next_number = next;
        self.pending += 1;
        let is_boxed = held.is_boxed();
        let slab = slab_of(of, is_boxed);
        self.make_queue(slab as usize, held);
        let queue = self.queues[slab as usize].as_deref_mut();
        let queue = queue.expect("it was made a moment ago");
        let &Stamped {
            sender,
            post_meta,
            when: When { due, ready_at },
        } = stamped;
        let timeline = post_meta.timeline;
        let plain = Plain::of(header.to, header).filter(|_| !is_boxed);
        let term = plain.and_then(|plain| Some((plain, term(plain.wait, time)?)));
        let postmarks = &mut self.postmarks;
        let (mut waits, mut known) = (None, None);
        let slot = if let Some((plain, term)) = term {
            let call = plain.call(header, post_meta.place, time);
            let post_meta = queue.recent.post_meta(&call).unwrap_or_else(|| {
                let entered = postmarks.enter(post_meta);
                queue.recent.replace(call, entered, postmarks);
                postmarks.leave(entered);
                entered
            });
            let origin = Origin { sender, post_meta };
            if let Some((at, batch)) = queue.find(term, number) {
                if !batch.is_of(origin) {
                    batch.vary(origin, postmarks);
                }
                let (position, pushed) = batch.push(plain.to, number);
                known = Some(pushed);
                slot_at(at, position)
            } else {
                postmarks.enter_again(post_meta);
                if let Some(at) = queue.open(term, number, origin)
                    && let Some(batch) = queue.chunk_mut(at)
                {
                    waits = Some(whole_batch(at));
                    let (position, pushed) = batch.push(plain.to, number);
                    known = Some(pushed);
                    slot_at(at, position)
                } else {
                    let record = Record::new(number, header, sender, due, post_meta);
                    let slot = queue.enter(neighbours(timeline, due), record);
                    waits = Some(slot);
                    slot
                }
            }
        } else {
            let post_meta = postmarks.enter(post_meta);
            let record = Record::new(number, header, sender, due, post_meta);
            let slot = queue.enter(neighbours(timeline, due), record);
            waits = Some(slot);
            slot
        };
        queue.store(slot, known, held);
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

    /// Makes the queue at an index, if there is none.
    fn make_queue(&mut self, at: usize, held: &mut dyn Held) {
        if at >= self.queues.len() {
            self.queues.resize_with(at + 1, || None);
        }
        let queue = &mut self.queues[at];
        if queue.is_none() {
            *queue = Some(Box::new(PendingOf::new(held)));
        }
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
        if let Some(sender) = sender.filter(|_| header.bound) {
            let mut own = self.bound.remove(&sender).unwrap_or_default();
            if own.len() == own.capacity() {
                own.retain(|&ticket| self.is_pending(ticket));
                // So that the next search is as far away as this one was long.
                own.reserve(own.len() + 1);
            }
            own.push(ticket);
            self.bound.insert(sender, own);
        }
        // Last, since a `Drop` may panic.
        if let Some(replaced) = replaced {
            self.discard(replaced);
        }
    }
}

/// What lies together of single messages: what is due in one frame, or within 17 milliseconds.
fn neighbours(timeline: Timeline, due: u64) -> u64 {
    match timeline {
        Timeline::Frames => due,
        Timeline::Scaled | Timeline::Unscaled => due >> 24 | 1 << 63,
    }
}
