//! The posted messages of one type that are pending, by value.
//!
//! Chunks of slots, filled from the front: neighbours in memory were posted one after the other. A
//! chunk that has become empty gives its memory back; while less than half of all slots is in use,
//! free slots of older chunks are filled first. A slot is known by the number of the posting that
//! it holds, so an old ticket never meets a newcomer.

use std::any::Any;
use std::num::NonZeroU64;
use std::panic::Location;

use crate::address::{MessageeId, Recipient};
use crate::heap::Entry;
use crate::message::{AnyMessage, Facts, Message};
use crate::post::PostKey;
use crate::tag::TagSet;
use crate::time::Stage;
use crate::world::World;

const CHUNK_BITS: u32 = 9;
const CHUNK: usize = 1 << CHUNK_BITS;

/// What is known of a pending message besides the message.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// Which posting it is; `None` when the slot is free.
    pub(crate) number: Option<NonZeroU64>,
    pub(crate) to: Recipient,
    /// The messagee that posted it, if one did.
    pub(crate) sender: Option<MessageeId>,
    pub(crate) place: &'static Location<'static>,
    pub(crate) posted_time: u64,
    pub(crate) posted_frame: u64,
    pub(crate) due: u64,
    pub(crate) tags: TagSet,
    /// What few messages have.
    pub(crate) rare: Option<Box<Rare>>,
    pub(crate) require: u32,
    pub(crate) stage: Stage,
    pub(crate) timeline: Timeline,
    pub(crate) retain: bool,
}

/// The clock that tells when a message is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timeline {
    Scaled,
    Unscaled,
    Frames,
}

#[derive(Clone, Debug)]
pub(crate) struct Rare {
    pub(crate) key: Option<PostKey>,
    pub(crate) bound: bool,
    /// The period, in the units of the timeline, of a message that repeats.
    pub(crate) period: Option<NonZeroU64>,
    /// How many deliveries are left, if they end.
    pub(crate) left: Option<u64>,
}

struct Slot<M> {
    record: Record,
    /// Absent while it is being delivered.
    message: Option<M>,
}

#[derive(Default)]
struct Chunk<M> {
    slots: Vec<Slot<M>>,
    free: Vec<u16>,
}

impl<M> Chunk<M> {
    fn in_use(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}

pub(crate) struct Slab<M> {
    chunks: Vec<Chunk<M>>,
    /// The chunk that is being filled.
    current: usize,
    /// The chunks that hold no memory.
    empty: Vec<usize>,
    in_use: usize,
}

impl<M: Message> Slab<M> {
    pub(crate) fn new() -> Self {
        Self {
            chunks: Vec::new(),
            current: 0,
            empty: Vec::new(),
            in_use: 0,
        }
    }

    pub(crate) fn of(slab: &mut dyn AnySlab) -> &mut Self {
        slab.as_any_mut()
            .downcast_mut()
            .expect("a slab stands at the index of its message type")
    }

    /// Puts a message in, and returns its slot.
    #[inline]
    pub(crate) fn insert(&mut self, record: Record, message: M) -> u32 {
        let has_room = |chunk: &Chunk<M>| !chunk.free.is_empty() || chunk.slots.len() < CHUNK;
        if !self.chunks.get(self.current).is_some_and(has_room) {
            self.change_chunk();
        }
        let slot = Slot {
            record,
            message: Some(message),
        };
        let chunk = &mut self.chunks[self.current];
        let at = if let Some(free) = chunk.free.pop() {
            chunk.slots[usize::from(free)] = slot;
            usize::from(free)
        } else {
            chunk.slots.push(slot);
            chunk.slots.len() - 1
        };
        self.in_use += 1;
        u32::try_from(self.current << CHUNK_BITS | at)
            .expect("fewer than 2^32 messages of one type are pending")
    }

    #[cold]
    fn change_chunk(&mut self) {
        let with_memory = self.chunks.len() - self.empty.len();
        let sparse = self.in_use < with_memory * CHUNK / 2;
        let sparse = sparse.then(|| {
            let mut chunks = self.chunks.iter();
            chunks.position(|chunk| chunk.free.len() >= CHUNK / 2)
        });
        self.current = sparse
            .flatten()
            .or_else(|| self.empty.pop())
            .unwrap_or_else(|| {
                self.chunks.push(Chunk {
                    slots: Vec::new(),
                    free: Vec::new(),
                });
                self.chunks.len() - 1
            });
        let slots = &mut self.chunks[self.current].slots;
        // One that starts small grows as any vector does: most types have few messages pending.
        if with_memory > 0 && slots.capacity() < CHUNK {
            slots.reserve_exact(CHUNK - slots.len());
        }
    }

    #[inline]
    fn slot_mut(&mut self, at: u32) -> Option<&mut Slot<M>> {
        let at = at as usize;
        let chunk = self.chunks.get_mut(at >> CHUNK_BITS)?;
        chunk.slots.get_mut(at % CHUNK)
    }

    /// Takes a message out for its delivery. Unless it repeats, its slot is free then.
    #[inline]
    pub(crate) fn take(&mut self, at: u32, number: NonZeroU64) -> Option<(Record, M)> {
        let slot = self.slot_mut(at)?;
        if slot.record.number != Some(number) {
            return None;
        }
        let message = slot.message.take()?;
        let repeats = |rare: &Rare| rare.period.is_some() && rare.left != Some(1);
        let record = if slot.record.rare.as_deref().is_some_and(repeats) {
            slot.record.clone()
        } else {
            let record = Record {
                rare: slot.record.rare.take(),
                ..slot.record
            };
            self.free(at);
            record
        };
        Some((record, message))
    }

    /// Puts a message that repeats back, unless it was cancelled meanwhile: then it is returned.
    pub(crate) fn put_back(&mut self, at: u32, number: NonZeroU64, message: M) -> Option<M> {
        match self.slot_mut(at) {
            Some(slot) if slot.record.number == Some(number) => {
                slot.message = Some(message);
                None
            }
            _ => Some(message),
        }
    }

    fn free(&mut self, at: u32) {
        let (chunk, offset) = (at as usize >> CHUNK_BITS, at as usize % CHUNK);
        let is_current = chunk == self.current;
        let chunk_of = &mut self.chunks[chunk];
        chunk_of.slots[offset].record.number = None;
        chunk_of
            .free
            .push(u16::try_from(offset).expect("a chunk has fewer than 2^16 slots"));
        self.in_use -= 1;
        if chunk_of.in_use() == 0 && (!is_current || chunk_of.slots.len() == CHUNK) {
            *chunk_of = Chunk {
                slots: Vec::new(),
                free: Vec::new(),
            };
            if !is_current {
                self.empty.push(chunk);
            }
        }
    }
}

/// What is left of a message that was discarded.
pub(crate) struct Discarded {
    pub(crate) rare: Option<Box<Rare>>,
    /// Whether it was waiting, and not being delivered right now.
    pub(crate) was_waiting: bool,
}

/// A slab of whatever message type.
pub(crate) trait AnySlab: Send {
    fn as_any_mut(&mut self) -> &mut dyn Any;

    /// What is known of the message in a slot.
    fn record(&self, at: u32) -> Option<&Record>;

    fn record_mut(&mut self, at: u32) -> Option<&mut Record>;

    /// Every message that is pending.
    fn for_each(&self, visit: &mut dyn FnMut(u32, &Record));

    /// Drops a message that will not be delivered any more.
    fn discard(&mut self, at: u32, number: NonZeroU64) -> Option<Discarded>;

    /// As [`discard`](Self::discard), with the message instead of its end, unless it is being
    /// delivered right now.
    fn take_any(&mut self, at: u32, number: NonZeroU64) -> Option<(Record, Box<dyn AnyMessage>)>;

    /// Delivers the message of an entry that is due.
    fn deliver(&self) -> fn(&mut World, Entry) -> bool;

    fn facts(&self) -> &'static Facts;
}

impl<M: Message> AnySlab for Slab<M> {
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn record(&self, at: u32) -> Option<&Record> {
        let chunk = self.chunks.get(at as usize >> CHUNK_BITS)?;
        Some(&chunk.slots.get(at as usize % CHUNK)?.record)
    }

    fn record_mut(&mut self, at: u32) -> Option<&mut Record> {
        Some(&mut self.slot_mut(at)?.record)
    }

    fn for_each(&self, visit: &mut dyn FnMut(u32, &Record)) {
        for (first, chunk) in (0..).step_by(CHUNK).zip(&self.chunks) {
            for (slot, at) in chunk.slots.iter().zip(first..) {
                if slot.record.number.is_some() {
                    visit(at, &slot.record);
                }
            }
        }
    }

    fn discard(&mut self, at: u32, number: NonZeroU64) -> Option<Discarded> {
        let slot = self.slot_mut(at)?;
        if slot.record.number != Some(number) {
            return None;
        }
        let message = slot.message.take();
        let discarded = Discarded {
            rare: slot.record.rare.take(),
            was_waiting: message.is_some(),
        };
        // Its own `Drop` comes last: should that panic, the slot is free already.
        self.free(at);
        Some(discarded)
    }

    fn take_any(&mut self, at: u32, number: NonZeroU64) -> Option<(Record, Box<dyn AnyMessage>)> {
        let slot = self.slot_mut(at)?;
        if slot.record.number != Some(number) {
            return None;
        }
        let message = Box::new(slot.message.take()?);
        let record = Record {
            rare: slot.record.rare.take(),
            ..slot.record
        };
        self.free(at);
        Some((record, message))
    }

    fn deliver(&self) -> fn(&mut World, Entry) -> bool {
        World::deliver_due::<M>
    }

    fn facts(&self) -> &'static Facts {
        M::FACTS
    }
}
