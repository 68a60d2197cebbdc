//! The messages of one type that are pending and in no batch, by value.
//!
//! They lie in chunks of slots. Where many are due together they share chunks, so that a pass reads
//! memory as it lies: the second one in a row with a due time opens a chunk for it. All others go
//! into mixed chunks, whose free slots are filled again. A chunk's memory is given back when its
//! last message is gone. A slot is known by the number of the posting that it holds, so an old
//! ticket never meets a newcomer. A message that was cancelled leaves its slot marked until the
//! entry that points there has come out of its queue: so an entry never meets a newcomer either.

use std::num::NonZeroU64;

use crate::caught::FirstPanic;
use crate::post::queue::Record;
use crate::room::Shrink;

const CHUNK_BITS: u32 = 6;
const CHUNK: usize = 1 << CHUNK_BITS;
/// With so many messages pending a mixed chunk is made in its full size at once.
const MANY: usize = 16 * CHUNK;
/// So many chunks' memory is kept for the next ones.
const SPARE: usize = 16;
/// The fewest and the most due times that are remembered at once, each with its chunk.
const FEWEST_OPEN: usize = 16;
const MOST_OPEN: usize = 4096;
/// Instead of a due time: of a chunk that is not in use, and of a mixed one.
const NO_KEY: u64 = u64::MAX;
const MIXED: u64 = u64::MAX - 1;

struct Slot<M> {
    record: Record,
    /// Absent while it is being delivered, and when it was cancelled.
    message: Option<M>,
}

struct Chunk<M> {
    key: u64,
    slots: Vec<Slot<M>>,
    in_use: u32,
}

pub(crate) struct Slab<M> {
    chunks: Vec<Chunk<M>>,
    /// The chunks that are not in use.
    empty: Vec<u32>,
    /// By the low bits of their keys: the due times that came last, and the chunks that are being
    /// filled for them.
    open: Vec<(u64, u32)>,
    /// The number of due times that were forgotten for others, since `open` has its size.
    forgotten: usize,
    /// The mixed chunk that was opened last.
    mixed: u32,
    /// Slots of mixed chunks that were free when they were entered here.
    free: Vec<u32>,
    /// The number of them that there have to be for those that are not free any more to be taken
    /// out.
    free_limit: usize,
    in_use: usize,
    spare: Vec<Vec<Slot<M>>>,
}

impl<M> Slab<M> {
    pub(crate) fn new() -> Self {
        Self {
            chunks: Vec::new(),
            empty: Vec::new(),
            open: vec![(NO_KEY, 0); FEWEST_OPEN],
            forgotten: 0,
            mixed: 0,
            free: Vec::new(),
            free_limit: MANY,
            in_use: 0,
            spare: Vec::new(),
        }
    }

    /// Puts a message in, in addition to others with that key, and returns its slot.
    ///
    /// Nothing here takes the record by reference, so that it can be made where it will lie.
    #[inline]
    pub(super) fn insert(&mut self, key: u64, record: Record, message: M) -> u32 {
        let (_, open) = self.open[self.place_in_open(key)];
        let has_room = |chunk: &Chunk<M>| chunk.key == key && chunk.slots.len() < CHUNK;
        let room = if self.chunks.get(open as usize).is_some_and(has_room) {
            Room::At(open)
        } else {
            self.find_room(key)
        };
        self.in_use += 1;
        match room {
            Room::At(at) => {
                let chunk = &mut self.chunks[at as usize];
                let slot = chunk.slots.len();
                chunk.in_use += 1;
                chunk.slots.push(Slot {
                    record,
                    message: Some(message),
                });
                at << CHUNK_BITS | u32::try_from(slot).expect("a chunk has few slots")
            }
            Room::In(at) => {
                let chunk = &mut self.chunks[(at >> CHUNK_BITS) as usize];
                chunk.in_use += 1;
                chunk.slots[at as usize % CHUNK] = Slot {
                    record,
                    message: Some(message),
                };
                at
            }
        }
    }

    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the low bits are what is asked for"
    )]
    fn place_in_open(&self, key: u64) -> usize {
        key as usize & (self.open.len() - 1)
    }

    /// Room for a message whose due time has no open chunk with room.
    #[cold]
    fn find_room(&mut self, key: u64) -> Room {
        let place = self.place_in_open(key);
        let (known, chunk) = self.open[place];
        if known == key {
            // It comes again. If it has filled a chunk it may well fill another.
            let before = self.chunks.get(chunk as usize);
            let fills = before.is_some_and(|chunk| chunk.key == key);
            let at = self.open_chunk(key, fills);
            self.open[place].1 = at;
            return Room::At(at);
        }
        self.open[place] = (key, 0);
        self.forgotten += usize::from(known != NO_KEY);
        if self.forgotten > 2 * self.open.len() && self.open.len() < MOST_OPEN {
            self.forgotten = 0;
            self.open = vec![(NO_KEY, 0); self.open.len() * 2];
        }
        while let Some(slot) = self.free.pop() {
            if self.is_free_in_mixed(slot) {
                return Room::In(slot);
            }
        }
        let has_room = |chunk: &Chunk<M>| chunk.key == MIXED && chunk.slots.len() < CHUNK;
        if !self.chunks.get(self.mixed as usize).is_some_and(has_room) {
            self.mixed = self.open_chunk(MIXED, self.in_use >= MANY);
        }
        Room::At(self.mixed)
    }

    fn is_free_in_mixed(&self, slot: u32) -> bool {
        let chunk = self.chunks.get((slot >> CHUNK_BITS) as usize);
        let chunk = chunk.filter(|chunk| chunk.key == MIXED);
        let slot = chunk.and_then(|chunk| chunk.slots.get(slot as usize % CHUNK));
        slot.is_some_and(|slot| slot.record.number.is_none())
    }

    /// A chunk with that key; in its full size at once if it is going to be filled.
    fn open_chunk(&mut self, key: u64, fills: bool) -> u32 {
        let mut slots = self.spare.pop().unwrap_or_default();
        if fills && slots.capacity() < CHUNK {
            slots.reserve_exact(CHUNK);
        }
        let chunk = Chunk {
            key,
            slots,
            in_use: 0,
        };
        if let Some(empty) = self.empty.pop() {
            self.chunks[empty as usize] = chunk;
            return empty;
        }
        self.chunks.push(chunk);
        let at = u32::try_from(self.chunks.len() - 1).ok();
        at.filter(|at| at.leading_zeros() > CHUNK_BITS)
            .expect("fewer than 2^31 messages of one type are pending")
    }

    #[inline]
    fn slot_mut(&mut self, at: u32) -> Option<&mut Slot<M>> {
        let chunk = self.chunks.get_mut((at >> CHUNK_BITS) as usize)?;
        chunk.slots.get_mut(at as usize % CHUNK)
    }

    /// Takes a message out for its delivery. Unless it repeats, its slot is free then.
    #[inline]
    pub(super) fn take(&mut self, at: u32) -> Option<(Record, M)> {
        let slot = self.slot_mut(at)?;
        let message = slot.message.take()?;
        let record = slot.record;
        if !record.repeats {
            self.free(at);
        }
        Some((record, message))
    }

    /// Takes a message out that will not be delivered any more.
    pub(super) fn take_last(&mut self, at: u32) -> Option<(Record, M)> {
        self.slot_mut(at)?.record.repeats = false;
        self.take(at)
    }

    /// Puts a message that repeats back, unless it was cancelled meanwhile: then it is returned.
    pub(super) fn put_back(&mut self, at: u32, number: NonZeroU64, message: M) -> Option<M> {
        match self.slot_mut(at) {
            Some(slot) if slot.record.is(number) => {
                slot.message = Some(message);
                None
            }
            _ => Some(message),
        }
    }

    #[inline]
    fn free(&mut self, at: u32) {
        let chunk = &mut self.chunks[(at >> CHUNK_BITS) as usize];
        chunk.slots[at as usize % CHUNK].record.number = None;
        chunk.in_use -= 1;
        self.in_use -= 1;
        if chunk.in_use == 0 {
            self.give_back(at >> CHUNK_BITS);
        } else if chunk.key == MIXED {
            self.free.push(at);
        }
    }

    #[cold]
    fn give_back(&mut self, at: u32) {
        let chunk = &mut self.chunks[at as usize];
        let mut slots = std::mem::take(&mut chunk.slots);
        chunk.key = NO_KEY;
        self.empty.push(at);
        if self.spare.len() < SPARE {
            slots.clear();
            self.spare.push(slots);
        }
        if self.free.len() > self.free_limit {
            let mut free = std::mem::take(&mut self.free);
            free.retain(|&slot| self.is_free_in_mixed(slot));
            free.shrink_to_fit();
            self.free_limit = MANY.max(2 * free.len());
            self.free = free;
        }
        if self.in_use == 0 && self.chunks.len() > SPARE {
            self.chunks = Vec::new();
            self.empty = Vec::new();
            self.free = Vec::new();
            self.free_limit = MANY;
            self.open = vec![(NO_KEY, 0); FEWEST_OPEN];
            self.forgotten = 0;
        }
    }

    /// Gives back memory; what is kept for the next messages too if they are not expected.
    pub(super) fn shrink(&mut self, how: Shrink, expected: bool) {
        if !expected {
            self.spare = Vec::new();
            if self.in_use == 0 && (self.chunks.capacity() > 0 || self.open.len() > FEWEST_OPEN) {
                *self = Self::new();
            }
        }
        how.room(&mut self.chunks, 0);
        how.room(&mut self.empty, 0);
        how.room(&mut self.free, 0);
    }

    /// Drops every message, one by one.
    pub(super) fn drop_all(&mut self, panics: &mut FirstPanic) {
        let slots = self.chunks.iter_mut().flat_map(|chunk| &mut chunk.slots);
        panics.drop_each(slots.map(|slot| slot.message.take()));
    }

    /// What is known of the message in a slot.
    pub(super) fn record(&self, at: u32) -> Option<&Record> {
        let chunk = self.chunks.get((at >> CHUNK_BITS) as usize)?;
        let record = &chunk.slots.get(at as usize % CHUNK)?.record;
        (!record.cancelled).then_some(record)
    }

    pub(super) fn record_mut(&mut self, at: u32) -> Option<&mut Record> {
        Some(&mut self.slot_mut(at)?.record)
    }

    /// Returns the number of slots that are in use, those of cancelled messages among them.
    pub(super) fn in_use(&self) -> usize {
        self.in_use
    }

    /// Every message that is pending.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Record)> {
        let chunks = (0..).step_by(CHUNK).zip(&self.chunks);
        let slots = chunks.flat_map(|(first, chunk)| (first..).zip(&chunk.slots));
        let records = slots.map(|(at, slot)| (at, &slot.record));
        records.filter(|(_, record)| record.number.is_some() && !record.cancelled)
    }

    /// The number of the posting in a slot whose entry is due. Of one that was cancelled there is
    /// none, and the slot is free then.
    pub(super) fn number(&mut self, at: u32) -> Option<NonZeroU64> {
        let slot = self.slot_mut(at);
        let slot = slot.expect("an entry's slot is there until the entry comes out");
        let (number, cancelled) = (slot.record.number, slot.record.cancelled);
        if cancelled {
            self.free(at);
        }
        number.filter(|_| !cancelled)
    }

    /// Frees a slot if its message was cancelled; whether it was.
    pub(super) fn sweep(&mut self, at: u32) -> bool {
        let cancelled = self.slot_mut(at).is_some_and(|slot| slot.record.cancelled);
        if cancelled {
            self.free(at);
        }
        cancelled
    }

    /// Takes the message of a posting out that will not be delivered any more. It is absent while
    /// it is being delivered; otherwise an entry still points at its slot.
    pub(super) fn discard(&mut self, at: u32, number: NonZeroU64) -> Option<(Record, Option<M>)> {
        let slot = self.slot_mut(at)?;
        if !slot.record.is(number) {
            return None;
        }
        let (record, message) = (slot.record, slot.message.take());
        if message.is_some() {
            slot.record.cancelled = true;
        } else {
            self.free(at);
        }
        Some((record, message))
    }

    /// As [`discard`](Self::discard). `None` also when the message is being delivered right now.
    pub(super) fn take_pending(&mut self, at: u32, number: NonZeroU64) -> Option<(Record, M)> {
        let slot = self.slot_mut(at)?;
        if !slot.record.is(number) {
            return None;
        }
        let message = slot.message.take()?;
        slot.record.cancelled = true;
        Some((slot.record, message))
    }
}

/// Where a message can be put.
enum Room {
    /// At the end of this chunk.
    At(u32),
    /// In this free slot.
    In(u32),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Recipient;
    use crate::post::Header;

    struct Ballast([u8; 40]);

    fn filled(messages: u64, key: impl Fn(u64) -> u64) -> (Slab<Ballast>, Vec<u32>) {
        let header = Header::to(Recipient::Everyone).after_frames(1).build();
        let header = header.expect("it is complete");
        let mut slab = Slab::new();
        let slots = (1..=messages).map(|number| {
            let number = NonZeroU64::new(number).expect("it begins with one");
            let record = Record::new(number, &header, None, 1, 0);
            slab.insert(key(number.get()), record, Ballast([1; 40]))
        });
        let slots = slots.collect();
        (slab, slots)
    }

    fn capacity(slab: &Slab<Ballast>) -> usize {
        let spare = slab.spare.iter().map(Vec::capacity).sum::<usize>();
        let chunks = slab.chunks.iter();
        spare + chunks.map(|chunk| chunk.slots.capacity()).sum::<usize>()
    }

    #[test]
    fn after_a_spike_the_memory_is_given_back() {
        for keys in [1, 1_000, u64::MAX] {
            let (mut slab, slots) = filled(100_000, |number| number % keys);
            assert!(capacity(&slab) < 2 * 100_000, "{}", capacity(&slab));
            for slot in slots {
                let (_, message) = slab.take(slot).expect("it is pending");
                assert_eq!(message.0, [1; 40]);
            }
            assert!(capacity(&slab) <= SPARE * CHUNK);
            assert_eq!(slab.chunks.capacity() + slab.free.capacity(), 0);
        }
    }

    #[test]
    fn one_that_stays_does_not_keep_the_slots_around_it_from_being_used_again() {
        let (mut slab, slots) = filled(10_000, |number| number);
        let stays = slots[5_000];
        for slot in slots {
            if slot != stays {
                slab.take(slot);
            }
        }
        assert!(capacity(&slab) <= (SPARE + 1) * CHUNK);
        assert!(slab.free.capacity() <= 2 * MANY);
        assert!(slab.take(stays).is_some());
    }
}
