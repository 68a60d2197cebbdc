//! Putting messages in: those that are posted, that come from a save, or that are due again.

use crate::address::MessageeId;
use crate::header::Wait;
use crate::post::schedule::stamp::{REACH, Stamp};
use crate::post::schedule::{
    Head, Held, Key, Line, NOWHERE, Next, Queue, Record, Schedule, slab_of,
};
use crate::post::{Fate, PostCall, Ticket, Waiting};
use crate::storage::narrow;
use crate::time::{LAST, Time, Timeline};
use crate::world::Common;

impl Schedule {
    /// Enters a message to a messagee without conditions if the same line has posted one at the same moment, and there
    /// is room where it waits.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "part of a post: W5")]
    pub(crate) fn enter_again(
        &mut self,
        to: MessageeId,
        sender: Option<MessageeId>,
        call: &mut PostCall<'_>,
        common: &Common,
    ) -> Option<Ticket> {
        let Wait { track, delay } = call.header.wait?;
        if self.stamps.messages >= common.config.max_pending || self.index.is_some() {
            return None;
        }
        let time = &common.time;
        let due = time.clocks[track.clock()].saturating_add(delay);
        let place = *self.places.get(call.slab as usize)?;
        let queue = self.queues.get_mut(place as usize)?;
        let reached = self.lanes[track.lane()].reached[track.clock()];
        // Found first, so that it takes up no registers when the rest is compared: W5.
        let block = match delay {
            0 => queue.ready_tail(track, due)?,
            _ if due > reached => queue.tail(track, due, reached)?,
            _ => return None,
        };
        let number = self.next_number;
        let stamp = self.stamps.all.get_mut(queue.recent as usize)?;
        let is_same = std::ptr::eq(stamp.meta.place, call.place)
            && stamp.moves == time.moves
            && stamp.track == Some(track)
            && stamp.meta.tags == call.header.tags
            && stamp.reaches(number.get(), due);
        if !is_same {
            return None;
        }
        let next = number.checked_add(1)?;
        let head = Head::new(Some(to), sender, queue.recent);
        let head = stamp.count(head, number.get(), due);
        queue.stock.push_head(block, head)?;
        stamp.borne += 1;
        self.stamps.messages += 1;
        self.next_number = next;
        let ticket = Ticket(Fate::Waits(Waiting {
            number,
            queue: call.slab,
            track,
            is_plain: delay > 0,
            due,
        }));
        call.held.store(queue.stock.column(), block);
        Some(ticket)
    }

    /// Puts a message in that is posted, with the next number, or that comes from a save, in the order of posting. One
    /// that is pending under the same key goes. `wait` is that of the header, if it has no conditions.
    pub fn insert(
        &mut self,
        record: &Record,
        wait: Option<Wait>,
        time: &Time,
        held: &mut dyn Held,
    ) -> Ticket {
        let known = record.key.and_then(|key| self.keys.get(&key).copied());
        let replaced = known.and_then(|known| self.cancel(known));
        let queue = self.make_queue(held);
        let entered = self.enter(queue, record, wait, time, held);
        self.queues[queue].recent = entered.stamp;
        let ticket = self.ticket(queue, &entered, record.ready.is_none());
        if record.number == self.next_number {
            let next = self.next_number.checked_add(1);
            self.next_number =
                next.expect("fewer than 2^47 messages are posted in the life of a manager");
        }
        self.note_in_index(record, ticket);
        if let Some(key) = record.key {
            self.keys.insert(key, ticket);
        }
        if let Some(hook) = record.until {
            let tied = self.tied.entry(hook).or_default();
            tied.insert(record.number, ticket);
        }
        // Last, since a `Drop` may panic.
        drop(replaced);
        ticket
    }

    /// Puts a message where it waits: on its wheel until it is due, or in a run. One that repeats and is put back may
    /// come in the pass under way.
    pub(super) fn enter(
        &mut self,
        place: usize,
        record: &Record,
        wait: Option<Wait>,
        time: &Time,
        held: &mut dyn Held,
    ) -> Head {
        let (number, due, ready, meta) = (record.number, record.due, record.ready, record.meta);
        let clock = meta.timeline as usize;
        let stamp = Stamp {
            meta,
            bound: record.bound,
            // A message that shares the stamp is then never due after `LAST`.
            track: wait.map(|wait| wait.track).filter(|_| due <= LAST - REACH),
            moves: time.moves,
            number: number.get(),
            // Shorter delays are counted from here, too.
            due: due - due.saturating_sub(time.clocks[clock]) % (1 << 32),
            borne: 1,
        };
        let (queue, stamps) = (&mut self.queues[place], &mut self.stamps);
        let entered = stamps.enter(stamp, queue.recent, due, record.messagee(), record.sender);
        if entered.to().is_none() {
            self.rare.insert(number, *record);
        }
        let order = Key {
            due,
            number: number.get(),
        };
        let track = meta.track();
        let lane = &mut self.lanes[track.lane()];
        let reached = lane.reached[clock];
        if ready.is_none() && due > reached {
            let at = queue.wait(track, order, reached, stamps);
            queue.stock.insert(at, entered, held);
            return entered;
        }
        let is_new = number >= self.next_number;
        let comes = !is_new && ready.is_none() && due <= self.bounds[clock];
        let by_frames = meta.timeline == Timeline::Frames;
        let begun = || lane.since(due, Timeline::Scaled.since(&self.bounds));
        let since = ready.or_else(|| by_frames.then(begun));
        let (run, at) = queue.ready(Line::new(track, since), order, comes, stamps);
        queue.stock.insert(at, entered, held);
        let mut next = Next::new(place, run);
        if comes && queue.find_front((track.lane(), run), stamps, &mut next) {
            self.pass.push(next);
        }
        entered
    }

    /// Makes the queue of a type, if there is none, and returns its place.
    fn make_queue(&mut self, held: &mut dyn Held) -> usize {
        let slab = slab_of(held.facts().place(), held.is_boxed());
        let at = slab as usize;
        if at >= self.places.len() {
            self.places.resize(at + 1, NOWHERE);
        }
        if self.places[at] == NOWHERE {
            self.places[at] = narrow(self.queues.len());
            self.queues.push(Queue::new(slab, held));
        }
        self.places[at] as usize
    }
}
