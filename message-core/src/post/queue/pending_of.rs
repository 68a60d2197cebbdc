//! The pending messages of one type: chunks of those that are due together, and of single ones.
//!
//! The first message with a term is a single one; the second one in a row opens a batch, if the
//! first is still remembered. So what comes rarely costs no batch, and what is due together soon
//! lies together. Messages with conditions are single ones: where many are due at about the same time
//! they share chunks, so that a pass reads memory as it lies. All others go into mixed chunks, whose
//! free slots are filled again. A chunk's memory is given back when nothing needs it any more.
//!
//! None of this depends on the type: the messages themselves are behind [`Messages`].

use std::num::NonZeroU64;
use std::ops::ControlFlow;

use crate::message::{AnyMessage, Facts};
use crate::post::queue::chunk::{Chunk, Head, Heads, MIXED, NEIGHBOURS, Next, Origin, Term};
use crate::post::queue::open::{NONE, Open};
use crate::post::queue::post_meta::{Postmarks, RecentCall};
use crate::post::queue::record::State;
use crate::post::queue::slot::{CHUNK, CHUNKS, chunk_of, is_whole, position_of, slot_at};
use crate::post::queue::{Deliver, DueEntry, Held, Messages, Record};

/// So many messages fit in the first chunk of a term.
const FIRST: usize = 16;
/// So many single messages fit in a chunk, unless there are very many.
const SINGLES: usize = 64;
/// With so many single messages pending a mixed chunk is made in its full size at once.
const MANY: usize = 16 * SINGLES;

pub(super) struct PendingOf {
    pub(super) messages: Box<dyn Messages>,
    pub(super) chunks: Vec<Chunk>,
    /// The batches that are being filled.
    batches: Open,
    /// The call that posted last, and the number of its post's metadata.
    pub(super) recent: RecentCall,
    /// What delivers its messages.
    pub(super) deliver: &'static Deliver,
    /// What is known of the message type.
    pub(super) facts: &'static Facts,
    /// The chunks that are being filled with single messages that are due at about the same time.
    neighbours: Open,
    /// The chunks that are not in use.
    empty: Vec<u32>,
    /// The mixed chunk that was opened last.
    mixed: u32,
    /// Slots of mixed chunks that were free when they were entered here.
    free: Vec<u32>,
    /// The number of them that there have to be for those that are not free any more to be taken
    /// out.
    free_limit: usize,
    /// The number of slots of single messages that are in use.
    singles: usize,
}

impl PendingOf {
    pub(super) fn new(held: &mut dyn Held) -> Self {
        let (messages, deliver) = held.queue();
        Self::of(messages, deliver, held.facts())
    }

    pub(super) fn of(
        messages: Box<dyn Messages>,
        deliver: &'static Deliver,
        facts: &'static Facts,
    ) -> Self {
        Self {
            messages,
            chunks: Vec::new(),
            batches: Open::default(),
            recent: RecentCall::default(),
            deliver,
            facts,
            neighbours: Open::default(),
            empty: Vec::new(),
            mixed: NONE,
            free: Vec::new(),
            free_limit: MANY,
            singles: 0,
        }
    }

    /// The batch that a message with that term can be added to.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "as for `insert`")]
    pub(super) fn find(&mut self, term: Term, number: NonZeroU64) -> Option<(u32, &mut Chunk)> {
        let at = self.batches.at(term);
        let batch = self.chunks.get_mut(at as usize)?;
        (batch.term() == term && batch.has_room(number)).then_some((at, batch))
    }

    /// Puts a chunk in. `None` if there are too many.
    fn add(&mut self, chunk: Chunk) -> Option<u32> {
        // Few single messages are no reason to take much room.
        let is_filled = chunk.is_batch() || chunk.room as usize > FIRST;
        let room = if is_filled { chunk.room as usize } else { 0 };
        let at = if let Some(empty) = self.empty.pop() {
            self.chunks[empty as usize] = chunk;
            empty
        } else {
            if self.chunks.len() == CHUNKS {
                return None;
            }
            self.chunks.push(chunk);
            u32::try_from(self.chunks.len() - 1).ok()?
        };
        self.messages.open(at as usize, room);
        Some(at)
    }

    /// A new batch for a message with that term, for which there is no batch with room. `None` if
    /// the term was not remembered.
    #[cold]
    pub(super) fn open(&mut self, term: Term, number: NonZeroU64, origin: Origin) -> Option<u32> {
        if !self.batches.remembers(term) {
            return None;
        }
        let room = room_for(self.chunk(self.batches.at(term)), term, CHUNK);
        let at = self.add(Chunk::batch(term, number, origin, room))?;
        self.batches.set(term, at);
        Some(at)
    }

    pub(super) fn chunk(&self, at: u32) -> Option<&Chunk> {
        self.chunks.get(at as usize)
    }

    pub(super) fn chunk_mut(&mut self, at: u32) -> Option<&mut Chunk> {
        self.chunks.get_mut(at as usize)
    }

    /// A chunk, and the messages of all of them.
    pub(super) fn split(&mut self, at: u32) -> (&mut Chunk, &mut dyn Messages) {
        (&mut self.chunks[at as usize], &mut *self.messages)
    }

    /// Enters a single message that is due at about the same time as others with that key, and returns
    /// its slot.
    pub(super) fn enter(&mut self, key: u64, record: Record) -> u32 {
        self.singles += 1;
        let term = Term {
            due: key,
            queue: NEIGHBOURS,
        };
        let open = self.neighbours.at(term);
        let has_room =
            |chunk: &Chunk| chunk.term() == term && chunk.records.len() < chunk.room as usize;
        let at = if self.chunk(open).is_some_and(has_room) {
            Some(open)
        } else if self.neighbours.remembers(term) {
            let room = room_for(self.chunk(open), term, SINGLES);
            let opened = self.add(Chunk::singles(term, room));
            opened.inspect(|&at| self.neighbours.set(term, at))
        } else {
            None
        };
        if at.is_none() {
            while let Some(slot) = self.free.pop() {
                if self.is_free_in_mixed(slot) {
                    let chunk = &mut self.chunks[chunk_of(slot) as usize];
                    chunk.in_use += 1;
                    chunk.records[position_of(slot)] = record;
                    return slot;
                }
            }
        }
        let at = at.unwrap_or_else(|| self.mixed_with_room());
        let chunk = &mut self.chunks[at as usize];
        let position = u32::try_from(chunk.records.len()).expect("a chunk has few slots");
        chunk.in_use += 1;
        chunk.records.push(record);
        slot_at(at, position)
    }

    /// A mixed chunk with room at its end.
    fn mixed_with_room(&mut self) -> u32 {
        let has_room =
            |chunk: &Chunk| chunk.is_mixed() && chunk.records.len() < chunk.room as usize;
        if !self.chunks.get(self.mixed as usize).is_some_and(has_room) {
            let term = Term {
                due: 0,
                queue: MIXED,
            };
            let room = match self.chunks.len() {
                chunks if chunks > CHUNKS / 2 => CHUNK,
                _ if self.singles > MANY => SINGLES,
                _ => FIRST,
            };
            let at = self.add(Chunk::singles(term, room));
            self.mixed = at.expect("fewer than 2^30 messages of one type are pending");
        }
        self.mixed
    }

    fn is_free_in_mixed(&self, slot: u32) -> bool {
        let chunk = self.chunks.get(chunk_of(slot) as usize);
        let chunk = chunk.filter(|chunk| chunk.is_mixed());
        let record = chunk.and_then(|chunk| chunk.records.get(position_of(slot)));
        record.is_some_and(|record| record.number.is_none())
    }

    /// Puts a message into a slot that was entered for it.
    pub(super) fn store(&mut self, slot: u32, known: Option<Head>, held: &mut dyn Held) {
        let row = chunk_of(slot) as usize;
        held.store(
            &mut *self.messages,
            row,
            position_of(slot),
            known.unwrap_or(Head::NONE),
        );
    }

    /// The heads of a batch.
    #[inline]
    pub(super) fn heads(&self, at: u32) -> Heads<'_> {
        let (messages, row) = (&*self.messages, at as usize);
        Heads { messages, row }
    }

    /// A batch, and the heads of its messages.
    #[inline]
    pub(super) fn batch(&mut self, at: u32) -> Option<(&mut Chunk, Heads<'_>)> {
        let chunk = self.chunks.get_mut(at as usize)?;
        let (messages, row) = (&*self.messages, at as usize);
        Some((chunk, Heads { messages, row }))
    }

    /// Takes the message out of a slot.
    pub(super) fn take(&mut self, slot: u32) -> Option<Box<dyn AnyMessage>> {
        let row = chunk_of(slot) as usize;
        let message = self.messages.take(row, position_of(slot))?;
        Some(message)
    }

    /// What is known of the message in a slot, if it is pending.
    pub(super) fn record(&self, slot: u32) -> Option<Record> {
        let at = chunk_of(slot);
        let record = self.chunk(at)?.record(position_of(slot), self.heads(at));
        record.filter(|_| !is_whole(slot))
    }

    /// What is known of the single message in a slot, if it waits there for its delivery.
    pub(super) fn waiting(&self, slot: u32) -> Option<Record> {
        let record = self.record(slot)?;
        (record.state == State::Waiting).then_some(record)
    }

    /// The single message in a slot is away to be delivered.
    pub(super) fn lend(&mut self, slot: u32) {
        if let Some(record) = self.single_mut(slot) {
            record.state = State::Delivering;
        }
    }

    /// A single message that was away is [stored](Self::store) again. Returns `false` if it was
    /// cancelled meanwhile.
    pub(super) fn comes_back(&mut self, slot: u32, number: NonZeroU64) -> bool {
        let record = self.single_mut(slot);
        let record = record.filter(|record| record.is(number));
        record.is_some_and(|record| {
            record.state = State::Waiting;
            true
        })
    }

    /// Of the slot of a single message.
    pub(super) fn single_mut(&mut self, slot: u32) -> Option<&mut Record> {
        let chunk = self.chunks.get_mut(chunk_of(slot) as usize)?;
        chunk.records.get_mut(position_of(slot))
    }

    /// Visits every message that is pending, until a visit breaks off.
    pub(super) fn for_each(
        &self,
        visit: &mut dyn FnMut(u32, &Record) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (at, chunk) in (0..).zip(&self.chunks) {
            for (position, record) in chunk.pending(self.heads(at)) {
                visit(slot_at(at, position), &record)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Fills in the number of an entry that is due. There is none if its messages were cancelled; its
    /// slot, or its batch, is free then.
    pub(super) fn number(&mut self, entry: &mut DueEntry, postmarks: &mut Postmarks) -> bool {
        if self.sweep(entry.slot, postmarks) {
            return false;
        }
        let number = if is_whole(entry.slot) {
            let batch = self.batch(chunk_of(entry.slot));
            batch.and_then(|(batch, heads)| {
                batch.close();
                Some(batch.front(heads)?.number)
            })
        } else {
            let record = self.single_mut(entry.slot);
            record.and_then(|record| record.number.map(NonZeroU64::get))
        };
        entry.number = number.unwrap_or(0);
        entry.number != 0
    }

    /// The next message of the batch that an entry stands for.
    #[inline]
    pub(super) fn front(&mut self, entry: u32) -> Option<Next> {
        let (batch, heads) = self.batch(chunk_of(entry))?;
        batch.front(heads)
    }

    /// Frees a slot, or a batch, if what was there was cancelled; whether it was. An entry that points
    /// there has come out.
    pub(super) fn sweep(&mut self, slot: u32, postmarks: &mut Postmarks) -> bool {
        let chunk = &mut self.chunks[chunk_of(slot) as usize];
        if is_whole(slot) {
            let is_dead = chunk.is_dead;
            if is_dead {
                self.come_out(slot, postmarks);
            }
            return is_dead;
        }
        let record = chunk.records.get(position_of(slot));
        let is_cancelled = record.is_some_and(|record| record.state == State::Cancelled);
        if is_cancelled {
            self.free(slot);
        }
        is_cancelled
    }

    /// The entry of a batch has come out that has nothing left. Returns `true` if that was cancelled.
    pub(super) fn come_out(&mut self, entry: u32, postmarks: &mut Postmarks) -> bool {
        let at = chunk_of(entry);
        let batch = &mut self.chunks[at as usize];
        let was_dead = batch.is_dead;
        batch.end(postmarks);
        batch.in_use = 0;
        self.release(at);
        was_dead
    }

    /// Nothing is in the slot of a single message any more.
    pub(super) fn free(&mut self, slot: u32) {
        let chunk = &mut self.chunks[chunk_of(slot) as usize];
        let record = &mut chunk.records[position_of(slot)];
        record.number = None;
        record.state = State::Waiting;
        chunk.in_use -= 1;
        self.singles -= 1;
        if chunk.in_use == 0 {
            chunk.close();
            chunk.records = Vec::new();
            self.release(chunk_of(slot));
        } else if chunk.is_mixed() {
            self.free.push(slot);
        }
    }

    /// A chunk is not in use any more.
    #[cold]
    fn release(&mut self, at: u32) {
        self.messages.close(at as usize);
        self.empty.push(at);
        if self.free.len() > self.free_limit {
            let mut free = std::mem::take(&mut self.free);
            free.retain(|&slot| self.is_free_in_mixed(slot));
            self.free_limit = MANY.max(2 * free.len());
            self.free = free;
        }
    }

    /// Frees memory. Chunks stay where they are, since tickets name them, unless none is in use.
    pub(super) fn shrink_to_fit(&mut self, postmarks: &mut Postmarks) {
        self.recent.forget(postmarks);
        if self.empty.len() == self.chunks.len() {
            self.chunks.clear();
            self.empty.clear();
            self.free.clear();
            self.free_limit = MANY;
            self.batches = Open::default();
            self.neighbours = Open::default();
        }
        self.chunks.shrink_to_fit();
        self.empty.shrink_to_fit();
        self.free.shrink_to_fit();
        self.messages.shrink_to_fit(self.chunks.len());
    }
}

/// How many messages a new chunk for a term has room for: if the one before was filled for it, twice
/// as many.
fn room_for(before: Option<&Chunk>, term: Term, most: usize) -> usize {
    let before = before.filter(|chunk| chunk.term() == term);
    before.map_or(FIRST, |chunk| most.min(2 * chunk.room as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Recipient;
    use crate::header::Header;
    use crate::message::{Message, NoReply};
    use crate::post::queue::Rows;

    struct Ballast([u8; 40]);

    impl Message for Ballast {
        type Reply = NoReply;
        const NAME: &'static str = "ballast";
    }

    fn filled(messages: u64, key: impl Fn(u64) -> u64) -> (PendingOf, Vec<u32>) {
        let header = Header::to(Recipient::Everyone).after_frames(1).build();
        let header = header.expect("it is complete");
        let mut queue = PendingOf::new(&mut Some(Ballast([1; 40])));
        let slots = (1..=messages).map(|number| {
            let number = NonZeroU64::new(number).expect("it begins with one");
            let record = Record::new(number, &header, None, 1, 0);
            let slot = queue.enter(key(number.get()), record);
            queue.store(slot, None, &mut Some(Ballast([1; 40])));
            slot
        });
        let slots = slots.collect();
        (queue, slots)
    }

    fn take(queue: &mut PendingOf, slot: u32) -> Ballast {
        let message = Rows::<Ballast>::of(&mut *queue.messages).take(slot);
        queue.free(slot);
        message.expect("it is pending")
    }

    fn capacity(queue: &mut PendingOf) -> usize {
        let rows = &Rows::<Ballast>::of(&mut *queue.messages).0;
        let messages: usize = rows.iter().map(Vec::capacity).sum();
        let chunks = queue.chunks.iter();
        messages.max(chunks.map(|chunk| chunk.records.capacity()).sum())
    }

    #[test]
    fn shrink_to_fit_frees_all_chunks_when_none_is_in_use() {
        for keys in [1, 1_000, u64::MAX] {
            let (mut queue, slots) = filled(100_000, |number| number % keys);
            let capacity_then = capacity(&mut queue);
            assert!(capacity_then < 2 * 100_000, "{capacity_then}");
            for slot in slots {
                assert_eq!(take(&mut queue, slot).0, [1; 40]);
            }
            assert_eq!(capacity(&mut queue), 0);
            queue.shrink_to_fit(&mut Postmarks::default());
            assert_eq!(queue.chunks.capacity() + queue.free.capacity(), 0);
        }
    }

    #[test]
    fn one_that_stays_does_not_keep_the_slots_around_it_from_being_used_again() {
        let (mut queue, slots) = filled(10_000, |number| number);
        let stays = slots[5_000];
        for slot in slots {
            if slot != stays {
                take(&mut queue, slot);
            }
        }
        assert!(capacity(&mut queue) <= SINGLES);
        assert!(queue.free.capacity() <= 2 * MANY);
        take(&mut queue, stays);
    }
}
