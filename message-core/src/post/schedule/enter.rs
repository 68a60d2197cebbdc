//! Putting messages in: those that are posted, that come from a save, or that are due again.

use std::panic::Location;

use crate::address::MessageeId;
use crate::header::Wait;
use crate::message::MessageIndex;
use crate::post::Ticket;
use crate::post::schedule::head::Head;
use crate::post::schedule::held::Held;
use crate::post::schedule::pass::Next;
use crate::post::schedule::queue::{Queue, slab_of};
use crate::post::schedule::run::{Key, Line, Track};
use crate::post::schedule::stamp::{NOT_PLAIN, Stamp, Timeline};
use crate::post::schedule::stock::Stock;
use crate::post::schedule::{NO_QUEUE, Rare, Record, Schedule};
use crate::tag::TagSet;
use crate::time::{LAST, Time};
use crate::world::Common;

/// Where a message has to be put next.
pub(crate) struct Entered<'s> {
    pub(crate) stock: &'s mut Stock,
    pub(crate) block: u32,
    pub(crate) head: Head,
    pub(crate) ticket: Ticket,
}

impl Schedule {
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
        common: &Common,
    ) -> Option<Entered<'_>> {
        let time = &common.time;
        if self.stamps.messages >= common.config.max_pending || self.index.is_some() {
            return None;
        }
        let slab = slab_of(of, false);
        let queue = self.queues.get_mut(*self.places.get(slab as usize)?)?;
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
        let head = Head::new(Some(to), sender, queue.recent);
        let head = stamp.count(head, number.get(), due);
        self.next_number = next;
        self.stamps.messages += 1;
        Some(Entered {
            head,
            ticket: Ticket::new(number, slab, track, due, wait.delay() > 0),
            stock: &mut queue.stock,
            block,
        })
    }

    /// Puts a message in that is posted, with the next number, or that comes from a save, in the order of posting. One
    /// that is pending under the same key goes. `wait` is that of the header, if it has no conditions.
    pub(crate) fn insert(
        &mut self,
        of: MessageIndex,
        record: &Record,
        wait: Option<Wait>,
        time: &Time,
        held: &mut dyn Held,
    ) -> Ticket {
        let (number, due, meta) = (record.number, record.due, record.meta);
        if number == self.next_number {
            let next = number.checked_add(1);
            self.next_number =
                next.expect("fewer than 2^47 messages are posted in the life of a manager");
        }
        let queue = self.make_queue(of, held);
        let clock = time.clocks()[meta.timeline as usize];
        let stamp = Stamp {
            meta,
            bound: record.bound,
            queue: wait.map_or(NOT_PLAIN, Wait::queue),
            moves: time.moves(),
            number: number.get(),
            // Shorter delays are counted from here, too.
            due: due - due.saturating_sub(clock) % (1 << 32),
            borne: 1,
        };
        let recent = self.queues[queue].recent;
        let (stamps, to_one) = (&mut self.stamps, record.messagee());
        let known = stamps.enter(stamp, recent, due, to_one, record.sender);
        if known.to().is_none() {
            let &Record {
                to, key, series, ..
            } = record;
            let rare = Rare {
                to,
                key,
                series,
                due,
            };
            self.rare.insert(number, rare);
        }
        let waits = self.place(queue, known, record.ready, false, held);
        self.queues[queue].recent = known.stamp;
        let ticket = self.ticket(queue, &known, waits);
        self.note_in_index(record, ticket);
        let replaced = record.key.and_then(|key| self.keys.insert(key, ticket));
        // Last, since a `Drop` may panic.
        if let Some(replaced) = replaced {
            self.discard(replaced);
        }
        ticket
    }

    /// Puts a message where it waits: on its wheel until it is due, or in a run. Returns `true` if it is on its wheel.
    /// `ready` is given if it is for the next pass: since when. It may also come in the pass under way.
    pub(super) fn place(
        &mut self,
        place: usize,
        known: Head,
        ready: Option<u64>,
        comes: bool,
        held: &mut dyn Held,
    ) -> bool {
        let (track, stamps) = (self.track(&known), &mut self.stamps);
        let key = Key {
            due: stamps.due(&known),
            number: stamps.number(&known),
        };
        let lane = &mut self.lanes[track.lane()];
        lane.is_used = true;
        let reached = lane.reached[track.clock()];
        let queue = &mut self.queues[place];
        if ready.is_none() && key.due > reached {
            let (block, at) = queue.wait(track, key, reached, stamps);
            queue.stock.insert(block, at, known, held);
            return true;
        }
        let is_by_frames = track.clock() == Timeline::Frames as usize;
        let since = ready.or_else(|| {
            is_by_frames.then(|| lane.since(key.due, Timeline::Scaled.since(&self.bounds)))
        });
        let (run, block) = queue.ready(Line::new(track, since), key, comes, stamps);
        let at = queue.stock.len(block);
        queue.stock.insert(block, at, known, held);
        let mut next = Next::new(place, run);
        if comes && queue.find_front((track.lane(), run), stamps, &mut next) {
            self.comes(next);
        }
        false
    }

    /// Makes the queue of a type, if there is none, and returns its place.
    fn make_queue(&mut self, of: MessageIndex, held: &mut dyn Held) -> usize {
        let slab = slab_of(of, held.is_boxed());
        let at = slab as usize;
        if at >= self.places.len() {
            self.places.resize(at + 1, NO_QUEUE);
        }
        let place = &mut self.places[at];
        if *place == NO_QUEUE {
            *place = self.queues.len();
            self.queues.push(Queue::new(slab, held));
        }
        *place
    }
}
