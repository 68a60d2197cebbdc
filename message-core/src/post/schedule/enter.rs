//! Putting a posted message in.

use std::num::NonZeroU64;
use std::panic::Location;

use crate::address::MessageeId;
use crate::header::{Delay, Header, Wait};
use crate::message::MessageIndex;
use crate::post::Ticket;
use crate::post::schedule::head::Head;
use crate::post::schedule::held::Held;
use crate::post::schedule::queue::{Queue, slab_of};
use crate::post::schedule::rare::Rare;
use crate::post::schedule::run::{Key, Since, Track};
use crate::post::schedule::stamp::{NOT_PLAIN, PostMeta, Stamp, Timeline};
use crate::post::schedule::stock::Stock;
use crate::post::schedule::{QUEUE, Schedule};
use crate::tag::TagSet;
use crate::time::{LAST, Time};

/// When a message is to be delivered, on the clock of its timeline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct When {
    pub(crate) due: u64,
    /// The time since which it is ready, if it is for the next pass.
    pub(crate) ready_at: Option<u64>,
}

impl When {
    /// Returns when a message that is posted now is due, and on which clock.
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

/// The data of a message that is posted, besides its header.
pub(crate) struct Stamped {
    pub(crate) sender: Option<MessageeId>,
    pub(crate) meta: PostMeta,
    pub(crate) when: When,
}

/// Where a message has to be put next.
pub(crate) struct Entered<'s> {
    pub(crate) stock: &'s mut dyn Stock,
    pub(crate) block: u32,
    pub(crate) head: Head,
    pub(crate) ticket: Ticket,
}

impl Schedule {
    /// Returns `true` if a message with that header would be one more.
    #[cold]
    pub(crate) fn would_grow(&self, header: &Header, sender: Option<MessageeId>) -> bool {
        let key = header.key_for(sender);
        key.is_none_or(|key| !self.keys.contains_key(&key))
    }

    /// Enters a message for a messagee if the same call has posted one at the same moment, and there is
    /// room where it waits: W5.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "what a post is known by stays in registers on its way: W5"
    )]
    pub(crate) fn enter_again(
        &mut self,
        of: MessageIndex,
        (to, sender): (MessageeId, Option<MessageeId>),
        (wait, tags): (Wait, TagSet),
        place: &'static Location<'static>,
        time: &Time,
    ) -> Option<Entered<'_>> {
        if self.pending >= self.most_pending {
            return None;
        }
        let slab = slab_of(of, false);
        let queue = self.queues.get_mut(slab as usize)?.as_deref_mut()?;
        let stamp = self.stamps.get_mut(queue.recent)?;
        let number = self.next_number;
        let next = number.checked_add(1)?;
        let clock = wait.clock();
        // A clock is no later than `LAST`, and frames are counted one by one: it does not wrap.
        let due = time.clocks()[clock].wrapping_add(wait.delay());
        let is_same = std::ptr::eq(stamp.meta.place, place)
            && stamp.moves == time.moves()
            && stamp.queue == wait.queue()
            && stamp.meta.tags == tags
            && stamp.reaches(number.get(), due)
            && due <= LAST;
        if !is_same {
            return None;
        }
        let track = Track::new(wait.lane(), clock);
        let block = if wait.delay() == 0 {
            queue.open_ready(track, due)?
        } else {
            let reached = self.lanes[track.lane()].reached[clock];
            if due <= reached {
                return None;
            }
            queue.open_tail(track, due, reached)?
        };
        stamp.borne += 1;
        queue.items += 1;
        self.next_number = next;
        self.pending += 1;
        let head = Head::new(Some(to), sender, queue.recent);
        Some(Entered {
            head: stamp.count(head, number.get(), due),
            ticket: Ticket::new(number, slab, track, due, wait.delay() > 0),
            stock: &mut *queue.stock,
            block,
        })
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
        self.next_number =
            next.expect("fewer than 2^47 messages are posted in the life of a manager");
        let &Stamped { sender, meta, when } = stamped;
        let slab = slab_of(of, held.is_boxed());
        self.make_queue(slab, held);
        let clock = time.clocks()[meta.timeline as usize];
        let stamp = Stamp {
            meta,
            bound: header.bound,
            is_own: false,
            queue: header.wait.map_or(NOT_PLAIN, Wait::queue),
            moves: time.moves(),
            number: number.get(),
            // Shorter delays are counted from here, too.
            due: when.due - when.due.saturating_sub(clock) % (1 << 32),
            borne: 1,
        };
        self.put_in(
            slab,
            number,
            stamp,
            Rare::of(header, sender),
            sender,
            when,
            held,
        )
    }

    /// Puts a message with its stamp into its queue.
    #[allow(clippy::too_many_arguments, reason = "what a post consists of")]
    pub(super) fn put_in(
        &mut self,
        slab: u32,
        number: NonZeroU64,
        mut stamp: Stamp,
        to: Result<MessageeId, Rare>,
        sender: Option<MessageeId>,
        when: When,
        held: &mut dyn Held,
    ) -> Ticket {
        self.pending += 1;
        self.bound += usize::from(stamp.bound);
        let When { due, ready_at } = when;
        let track = Track::of(stamp.meta.stage, stamp.meta.timeline);
        self.lanes[track.lane()].is_used = true;
        let repeats = matches!(
            to,
            Err(Rare {
                series: Some(_),
                ..
            })
        );
        let at = if repeats {
            (stamp.number, stamp.due) = (number.get(), due);
            self.stamps.enter_own(stamp)
        } else {
            self.stamps.enter(stamp, number.get(), due)
        };
        let known = Head::new(to.as_ref().ok().copied(), sender, at);
        let known = self.stamps.get(at).count(known, number.get(), due);
        // Before it is looked for, since a message is sought by what is rare about it, too.
        let rare = to.err().map(|rare| Rare { stamp: at, ..rare });
        self.rare.extend(rare.map(|rare| (number, rare)));
        let (reached, late) = (self.reached(track), self.late(track, due));
        let queue = self.queues[slab as usize].as_deref_mut().expect(QUEUE);
        let key = Key {
            due,
            number: number.get(),
        };
        let block = match ready_at {
            Some(since) => queue.ready(track, Since::At(since), key, &self.stamps),
            None if due > reached => queue.wait(track, due, reached),
            None => queue.ready(track, late, key, &self.stamps),
        };
        queue.recent = at;
        held.store(&mut *queue.stock, block, None, known);
        let waits = ready_at.is_none() && due > reached;
        let ticket = self.ticket(slab, &known, waits);
        self.note_in_index(ticket, &known);
        let key = rare.and_then(|rare| rare.key);
        let replaced = key.and_then(|key| self.keys.insert(key, ticket));
        // Last, since a `Drop` may panic.
        if let Some(replaced) = replaced {
            self.discard(replaced);
        }
        ticket
    }

    /// Makes the queue of a type, if there is none.
    pub(super) fn make_queue(&mut self, slab: u32, held: &mut dyn Held) {
        let at = slab as usize;
        if at >= self.queues.len() {
            self.queues.resize_with(at + 1, || None);
        }
        let queue = &mut self.queues[at];
        if queue.is_none() {
            *queue = Some(Box::new(Queue::new(held)));
            let place = self.used.partition_point(|&used| used < slab);
            self.used.insert(place, slab);
        }
    }
}
