//! Messages of one type that will not be delivered any more.
//!
//! A message is discarded first, and dropped when all is told of it, since a `Drop` may panic.

use std::num::NonZeroU64;

use crate::post::queue::Left;
use crate::post::queue::pending_of::PendingOf;
use crate::post::queue::post_meta::Postmarks;
use crate::post::queue::record::State;
use crate::post::queue::slot::{chunk_of, position_of};

/// What became of a message that was discarded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Discarded {
    pub(super) left: Left,
    /// `true` if an entry is left that points at nothing any more.
    pub(super) leaves_entry: bool,
    /// `true` if the message is still to be dropped: not while it is being delivered.
    pub(super) is_there: bool,
}

impl PendingOf {
    /// A message will not be delivered any more, if it is pending: it is to be
    /// [dropped](Self::drop_at) when all is told of it.
    #[inline]
    pub(super) fn discard(&mut self, slot: u32, number: NonZeroU64) -> Option<Discarded> {
        let chunk = self.chunks.get_mut(chunk_of(slot) as usize)?;
        if chunk.records.is_empty() {
            let (row, position) = (chunk_of(slot) as usize, position_of(slot));
            let counted = chunk.counted(position, number)?;
            if !self.messages.cancel(row, position, counted) {
                return None;
            }
            chunk.lose();
            return Some(Discarded {
                left: Left::batched(number),
                leaves_entry: chunk.live() == 0,
                is_there: true,
            });
        }
        let record = chunk.records.get_mut(position_of(slot))?;
        if !record.is(number) {
            return None;
        }
        let (left, is_there) = (Left::of(record), record.state != State::Delivering);
        if is_there {
            record.state = State::Cancelled;
        } else {
            self.free(slot);
        }
        Some(Discarded {
            left,
            leaves_entry: is_there,
            is_there,
        })
    }

    /// Drops a message that was discarded. Comes when all is told of it, since a `Drop` may panic.
    pub(super) fn drop_at(&mut self, slot: u32, postmarks: &mut Postmarks) {
        let is_last = self.end_if_empty(slot, postmarks);
        let at = chunk_of(slot) as usize;
        self.messages.drop_at(at, position_of(slot), is_last);
    }

    /// As [`drop_at`](Self::drop_at), of one of several, of which some may be in the same batch: those
    /// that are empty then are to be [closed](Self::close_if_empty).
    pub(super) fn drop_one(&mut self, slot: u32) {
        let at = chunk_of(slot) as usize;
        self.messages.drop_at(at, position_of(slot), false);
    }

    /// Gives back the room of a batch whose messages were all dropped.
    pub(super) fn close_if_empty(&mut self, slot: u32, postmarks: &mut Postmarks) {
        if self.end_if_empty(slot, postmarks) {
            self.messages.close(chunk_of(slot) as usize);
        }
    }

    /// Ends a batch if its last message was cancelled; whether it was.
    fn end_if_empty(&mut self, slot: u32, postmarks: &mut Postmarks) -> bool {
        let batch = &mut self.chunks[chunk_of(slot) as usize];
        let is_empty = batch.is_batch() && !batch.is_dead && batch.live() == 0;
        if is_empty {
            batch.end(postmarks);
        }
        is_empty
    }
}
