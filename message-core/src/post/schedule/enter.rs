//! Putting messages in: those that are posted, that come from a save, or that are due again.

use std::panic::Location;

use crate::address::{MessageeId, Recipient};
use crate::header::{Header, Wait};
use crate::message::{Message, MessageIndex, place_of};
use crate::post::schedule::head::Head;
use crate::post::schedule::held::Held;
use crate::post::schedule::pass::Next;
use crate::post::schedule::queue::{Queue, slab_of};
use crate::post::schedule::run::{Key, Line};
use crate::post::schedule::stamp::Stamp;
use crate::post::schedule::stock::Blocks;
use crate::post::schedule::{Record, Schedule};
use crate::post::{Fate, Ticket, Waiting};
use crate::time::{LAST, Time, Timeline};
use crate::world::World;

/// Posts a message to a messagee without conditions if the same call has posted one at the same moment, and there is room
/// where it waits: most are. Others come back. The header's own recipient is not asked.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "what a post is known by stays in registers on its way: W5"
)]
pub(crate) fn post_again<M: Message>(
    world: &World,
    to: Recipient,
    header: &Header,
    sender: Option<MessageeId>,
    place: &'static Location<'static>,
    message: M,
) -> Result<Ticket, M> {
    let common = &world.common;
    let (Recipient::Id(to), Some(wait)) = (to, header.wait) else {
        return Err(message);
    };
    if !world.structure.messagees.is_here(to) || world.trace.is_on() {
        return Err(message);
    }
    let mut schedule = world.schedule.borrow_mut();
    let it = &mut *schedule;
    let (time, Wait { track, delay }, number) = (&common.time, wait, it.next_number);
    let due = time.clocks()[track.clock()].saturating_add(delay);
    let reached = it.reached(track);
    let slab = slab_of(place_of::<M>(), false);
    if it.stamps.messages < common.config.max_pending
        && it.index.is_none()
        && let Some(&Some(at)) = it.places.get(slab as usize)
        && let Some(queue) = it.queues.get_mut(at)
        && let Some(stamp) = it.stamps.all.get_mut(queue.recent as usize)
        && std::ptr::eq(stamp.meta.place, place)
        && stamp.moves == time.moves()
        && stamp.track == Some(track)
        && stamp.meta.tags == header.tags
        && stamp.reaches(number.get(), due)
        && due <= LAST
        && let Some(next) = number.checked_add(1)
        && let Some(block) = match delay {
            0 => queue.ready_tail(track, due),
            _ if due > reached => queue.tail(track, due, reached),
            _ => None,
        }
        && let blocks = Blocks::of(&mut *queue.stock)
        && blocks.has_room(block)
    {
        let head = Head::new(Some(to), sender, queue.recent);
        blocks.push(block, stamp.count(head, number.get(), due), message);
        stamp.borne += 1;
        it.stamps.messages += 1;
        it.next_number = next;
        return Ok(Ticket(Fate::Waits(Waiting {
            number,
            queue: slab,
            track,
            is_plain: delay > 0,
            due,
        })));
    }
    Err(message)
}

impl Schedule {
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
        let replaced = record
            .key
            .and_then(|key| self.cancel(*self.keys.get(&key)?));
        let queue = self.make_queue(of, held);
        let head = self.enter(queue, record, wait, time, held);
        self.queues[queue].recent = head.stamp;
        let ticket = self.ticket(queue, &head, record.ready.is_none());
        if record.number == self.next_number {
            let next = self.next_number.checked_add(1);
            self.next_number =
                next.expect("fewer than 2^47 messages are posted in the life of a manager");
        }
        self.note_in_index(record, ticket);
        if let Some(key) = record.key {
            self.keys.insert(key, ticket);
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
        let &Record {
            number,
            sender,
            due,
            ready,
            meta,
            bound,
            ..
        } = record;
        let clock = meta.timeline as usize;
        let stamp = Stamp {
            meta,
            bound,
            track: wait.map(|wait| wait.track),
            moves: time.moves(),
            number: number.get(),
            // Shorter delays are counted from here, too.
            due: due - due.saturating_sub(time.clocks()[clock]) % (1 << 32),
            borne: 1,
        };
        let (queue, stamps) = (&mut self.queues[place], &mut self.stamps);
        let head = stamps.enter(stamp, queue.recent, due, record.messagee(), sender);
        if head.to().is_none() {
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
            let (block, at) = queue.wait(track, order, reached, stamps);
            held.store(&mut *queue.stock, block, at, head);
            return head;
        }
        let is_new = number >= self.next_number;
        let comes = !is_new && ready.is_none() && due <= self.bounds[clock];
        let by_frames = meta.timeline == Timeline::Frames;
        let since = ready
            .or_else(|| by_frames.then(|| lane.since(due, Timeline::Scaled.since(&self.bounds))));
        let (run, block) = queue.ready(Line::new(track, since), order, comes, stamps);
        let at = queue.stock.len(block);
        held.store(&mut *queue.stock, block, at, head);
        let mut next = Next::new(place, run);
        if comes && queue.find_front((track.lane(), run), stamps, &mut next) {
            self.comes(next);
        }
        head
    }

    /// Makes the queue of a type, if there is none, and returns its place.
    fn make_queue(&mut self, of: MessageIndex, held: &mut dyn Held) -> usize {
        let slab = slab_of(of, held.is_boxed());
        let at = slab as usize;
        if at >= self.places.len() {
            self.places.resize(at + 1, None);
        }
        *self.places[at].get_or_insert_with(|| {
            self.queues.push(Queue::new(slab, held));
            self.queues.len() - 1
        })
    }
}
