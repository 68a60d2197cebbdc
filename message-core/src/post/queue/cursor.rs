//! Where a delivery stands in a batch that is delivered message by message together with others.
//!
//! The batch hears of it [afterwards](super::DelayHeap::end_at): meanwhile nobody can look at it.

use crate::post::queue::chunk::Head;
use crate::post::queue::slot::chunk_of;
use crate::post::queue::{DelayHeap, DueEntry};
use crate::send::Ways;
use crate::send::verdict::Ended;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    /// The number of the posting of the message that it stands at, which may have been cancelled; `u64::MAX` if
    /// nothing is left.
    pub(crate) number: u64,
    /// The number of the batch's first posting.
    first: u64,
    /// The position of that message.
    pub(super) position: u32,
    /// The number of messages delivered.
    pub(super) delivered: u32,
}

impl Cursor {
    pub(super) fn new(number: u64, first: u64, position: u32) -> Self {
        Self {
            number,
            first,
            position,
            delivered: 0,
        }
    }

    #[inline]
    pub(super) fn position(&self) -> usize {
        self.position as usize
    }

    /// Reads the number of the message that it stands at, of which `head` is known. Returns `true` if it was posted
    /// before the posting of a number.
    #[inline]
    pub(super) fn comes_before(&mut self, until: u64, head: Head) -> bool {
        self.number = self.first + head.counted();
        self.number < until
    }
}

impl DelayHeap {
    /// A cursor at the next message of the batch that an entry stands for.
    pub(crate) fn cursor(&mut self, entry: DueEntry) -> Option<Cursor> {
        let queue = self.queue_mut(entry.slab);
        let (batch, heads) = queue.batch(chunk_of(entry.slot))?;
        batch.cursor(heads)
    }

    /// Calls with messages of a batch: see [`Messages::call`](super::Messages::call).
    #[inline]
    pub(crate) fn call(
        &mut self,
        entry: DueEntry,
        cursor: &mut Cursor,
        until: u64,
        ways: &mut Ways<'_>,
    ) -> Ended {
        let row = chunk_of(entry.slot) as usize;
        let messages = &mut self.queue_mut(entry.slab).messages;
        messages.call(row, cursor, until, ways)
    }

    /// A batch is left where a cursor stands. Returns how many messages were delivered on the way there.
    pub(crate) fn end_at(&mut self, entry: DueEntry, cursor: Cursor) -> usize {
        let Cursor {
            position,
            delivered,
            ..
        } = cursor;
        let queue = self.queue_mut(entry.slab);
        if let Some((batch, _)) = queue.batch(chunk_of(entry.slot)) {
            batch.end_at(position, delivered);
        }
        self.pending -= delivered as usize;
        delivered as usize
    }
}
