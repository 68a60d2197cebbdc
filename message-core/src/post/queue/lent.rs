//! A batch that is lent out to be delivered in one walk.
//!
//! Only to a walk that nothing can look at from within: the heap stays borrowed until it is over.

use crate::address::{MessageeId, Recipient, Sender};
use crate::handler::run::{Call, Each};
use crate::message::Message;
use crate::post::queue::messages::Batched;
use crate::post::queue::slot::{chunk_of, slot_at};
use crate::post::queue::{DelayHeap, Due, DueEntry, QUEUE, Rows};
use crate::send::call::Posted;

/// A batch is lent for as many messages at least: for fewer it is not worth it.
const FEWEST: usize = 4;

/// The part of a batch that a walk is to deliver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    entry: DueEntry,
    begin: usize,
    end: usize,
}

/// The messages of that part.
pub(crate) struct Lent<'h, M> {
    messages: &'h mut [Batched<M>],
    /// Counts on with each message that the walk meets.
    next: &'h mut u32,
}

/// So many calls are gathered at most before they are made.
const TOGETHER: usize = 64;

/// How [`Lent::walk_together`] has ended.
pub(crate) enum Together {
    /// As far as it was to go, or before a message that cannot be delivered so.
    Ended,
    /// The handler has failed that was called last.
    Failed,
    /// None was called, and none ever is: the components do not lie packed, or are busy.
    Refused,
}

/// What became of a message that a walk has met.
pub(crate) enum Met {
    Delivered,
    /// The handler has failed. The walk ends, and the message is still there.
    Failed,
    /// It cannot be delivered in a walk. The walk ends before it.
    Unusual,
}

impl<M> Lent<'_, M> {
    /// As [`walk`](Self::walk), of messages without a `Drop`: finds the slots of a few components, and
    /// calls with all of them at once.
    #[inline]
    pub(crate) fn walk_together(
        &mut self,
        find: impl Fn(MessageeId) -> Option<u32>,
        mut call: impl FnMut(Each<'_, '_, M>) -> Together,
    ) -> Together {
        let mut position = *self.next;
        let mut is_over = false;
        let mut calls = Vec::with_capacity(TOGETHER.min(self.messages.len()));
        for some in self.messages.chunks_mut(TOGETHER) {
            calls.clear();
            for Batched { head, message } in some {
                // A message that was cancelled is not there any more.
                if let (Some(message), Some(to)) = (message, head.pending_to()) {
                    let Some(slot) = find(to) else {
                        is_over = true;
                        break;
                    };
                    calls.push(Call {
                        slot,
                        position,
                        message,
                    });
                }
                position += 1;
            }
            let each = Each {
                calls: &mut calls,
                next: &mut *self.next,
            };
            match call(each) {
                Together::Ended => *self.next = position,
                end => return end,
            }
            if is_over {
                break;
            }
        }
        Together::Ended
    }

    /// Calls with each message and whom it is for, as far as the walk is to go. Whatever becomes of a
    /// message, also if the call panics, it is delivered then, unless the call says that it is not.
    #[inline]
    pub(crate) fn walk(&mut self, mut call: impl FnMut(MessageeId, &mut M) -> Met) {
        for Batched {
            head,
            message: place,
        } in &mut *self.messages
        {
            *self.next += 1;
            // A message that was cancelled is not there any more.
            let (Some(message), Some(to)) = (place.as_mut(), head.pending_to()) else {
                continue;
            };
            match call(to, message) {
                Met::Delivered if std::mem::needs_drop::<M>() => *place = None,
                Met::Delivered => {}
                Met::Failed => return,
                Met::Unusual => {
                    *self.next -= 1;
                    return;
                }
            }
        }
    }
}

impl DelayHeap {
    /// The part of the batch that an entry stands for, as far as its messages were posted before the
    /// posting of a number, if it can be lent: otherwise its messages have to be taken out one by one.
    pub(crate) fn part(&mut self, entry: DueEntry, until: u64) -> Option<Part> {
        if !self.traced.is_empty() {
            return None;
        }
        let queue = self.queue_mut(entry.slab);
        let (batch, heads) = queue.batch(chunk_of(entry.slot))?;
        let (begin, end) = batch.part(until, FEWEST, heads)?;
        Some(Part { entry, begin, end })
    }

    /// Lends a part of a batch. The walk over it has to be [ended](Self::end_walk).
    #[inline]
    pub(crate) fn lend<M: Message>(&mut self, part: Part) -> Lent<'_, M> {
        let Part { entry, begin, end } = part;
        let at = chunk_of(entry.slot);
        let (batch, messages) = self.queue_mut(entry.slab).split(at);
        Lent {
            messages: &mut Rows::<M>::of(messages).batches[at as usize][begin..end],
            next: batch.next_mut(),
        }
    }

    /// A walk over a part of a batch is over. Returns how many messages it has delivered.
    pub(crate) fn end_walk(&mut self, part: Part) -> usize {
        let Part { entry, begin, .. } = part;
        let batch = self.queue_mut(entry.slab).batch(chunk_of(entry.slot));
        let delivered = batch.map_or(0, |(batch, heads)| batch.advanced_from(begin, heads));
        self.pending -= delivered;
        delivered
    }

    /// What is known of the message that a walk has met last.
    pub(crate) fn met(&mut self, part: Part) -> Option<Due> {
        let Part { entry, .. } = part;
        let at = chunk_of(entry.slot);
        let queue = self.queues[entry.slab as usize].as_deref_mut();
        let (batch, heads) = queue.expect(QUEUE).batch(at)?;
        let position = batch.next_mut().checked_sub(1)?;
        let head = heads.messages.head(heads.row, position as usize)?;
        let origin = batch.origin(position as usize);
        Some(Due {
            posted: Posted {
                mark: *self.postmarks.get(origin.post_meta),
                due: batch.term().due,
                since: entry.due,
            },
            to: Recipient::Id(head.to()?),
            sender: origin.sender.map_or(Sender::Outside, Sender::Messagee),
            entry: DueEntry {
                slot: slot_at(at, position),
                ..entry
            },
            plain: true,
            repeats: false,
            is_single: false,
        })
    }

    /// Drops a message that a walk has met.
    pub(crate) fn drop_met(&mut self, due: &Due) {
        self.queue_mut(due.entry.slab).drop_one(due.entry.slot);
    }
}
