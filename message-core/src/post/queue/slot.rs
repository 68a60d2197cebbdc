//! The number of a slot: where among the pending messages of its type one is.
//!
//! A single message is numbered by its slab. One in a batch has the top bit, then the number of the
//! batch and its position there. An entry that stands for a whole batch has the next bit too.

const BATCH_BITS: u32 = 10;
/// So many messages fit in a batch at the most.
pub(super) const BATCH: usize = 1 << BATCH_BITS;
/// So many batches can be told apart.
pub(super) const BATCHES: usize = 1 << (30 - BATCH_BITS);
/// All numbers of single messages are below.
const BATCHED: u32 = 1 << 31;
const WHOLE: u32 = 1 << 30;

/// What a number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Single(u32),
    /// One message of a batch.
    Batched {
        batch: u32,
        position: usize,
    },
    Batch(u32),
}

impl Slot {
    #[inline]
    pub(super) fn of(number: u32) -> Self {
        let batch = (number & !(BATCHED | WHOLE)) >> BATCH_BITS;
        if number & BATCHED == 0 {
            Self::Single(number)
        } else if number & WHOLE == 0 {
            let position = number as usize % BATCH;
            Self::Batched { batch, position }
        } else {
            Self::Batch(batch)
        }
    }
}

/// The number of a message in a batch.
#[inline]
pub(super) fn in_batch(batch: u32, position: u32) -> u32 {
    BATCHED | batch << BATCH_BITS | position
}

/// The number that stands for a batch.
pub(super) fn whole_batch(batch: u32) -> u32 {
    BATCHED | WHOLE | batch << BATCH_BITS
}

/// Returns `true` if a number stands for a batch.
#[inline]
pub(super) fn is_whole(number: u32) -> bool {
    number & (BATCHED | WHOLE) == BATCHED | WHOLE
}
