//! The number of a slot: where among the pending messages of its type one is.
//!
//! It is the number of a chunk, and a position there. An entry that stands for a whole batch has the
//! top bit, and no position.

const POSITION_BITS: u32 = 10;
/// So many messages fit in a chunk at the most.
pub(super) const CHUNK: usize = 1 << POSITION_BITS;
/// So many chunks can be told apart.
pub(super) const CHUNKS: usize = 1 << (31 - POSITION_BITS);
const WHOLE: u32 = 1 << 31;

/// The chunk of a slot, or of an entry.
#[inline]
pub(super) fn chunk_of(slot: u32) -> u32 {
    (slot & !WHOLE) >> POSITION_BITS
}

/// The chunk of a slot.
#[inline]
pub(super) fn row_of(slot: u32) -> usize {
    (slot >> POSITION_BITS) as usize
}

/// The position of a slot in its chunk.
#[inline]
pub(super) fn position_of(slot: u32) -> usize {
    slot as usize % CHUNK
}

/// The number of a message in a chunk.
#[inline]
pub(super) fn slot_at(chunk: u32, position: u32) -> u32 {
    chunk << POSITION_BITS | position
}

/// The number that stands for a batch.
#[inline]
pub(super) fn whole_batch(chunk: u32) -> u32 {
    WHOLE | chunk << POSITION_BITS
}

/// Returns `true` if a number stands for a batch.
#[inline]
pub(super) fn is_whole(number: u32) -> bool {
    number & WHOLE != 0
}
