//! A pass of a stage: what is due, entry by entry, in the order of due time and posting.
//!
//! The entry of a batch stands at its first message. Where another entry comes between the messages of
//! a batch, that is delivered up to there, and its entry comes again.

use std::num::NonZeroU64;

use crate::address::{Recipient, Sender};
use crate::message::Facts;
use crate::post::queue::chunk::Chunk;
use crate::post::queue::slot::{chunk_of, slot_at};
use crate::post::queue::{
    Bounds, CANCELLED_AT_LEAST, DelayHeap, Deliver, DueEntry, Entry, Left, Messages, QUEUE,
};
use crate::send::call::Posted;

/// What is known of a message that is due.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    pub(crate) posted: Posted,
    pub(crate) to: Recipient,
    pub(crate) sender: Sender,
    /// Where it is, and the number of its posting.
    pub(crate) entry: DueEntry,
    /// `true` if there is nothing to do with it but to deliver it.
    pub(crate) plain: bool,
    /// `true` if it is delivered again after this time.
    pub(crate) repeats: bool,
    /// `true` if it is in no batch.
    pub(crate) is_single: bool,
}

impl DelayHeap {
    /// A pass of a lane begins, with everything that is due by now.
    pub(crate) fn begin_pass(&mut self, lane: usize, bounds: Bounds) {
        self.bounds = bounds;
        let due = self.lanes[lane].take_due(bounds);
        let mut pass = Vec::with_capacity(due.len());
        let mut cancelled = 0;
        for Entry { due, slab, slot } in due {
            let mut entry = DueEntry {
                due,
                number: 0,
                slab,
                slot,
            };
            // This also brings what the pass is about to read nearer.
            let queue = self.queues[slab as usize].as_deref_mut().expect(QUEUE);
            if queue.number(&mut entry, &mut self.postmarks) {
                pass.push(entry);
            } else {
                cancelled += 1;
            }
        }
        if cancelled > 0 {
            self.cancelled -= cancelled;
            self.sweep_at = CANCELLED_AT_LEAST;
        }
        for entry in self.lanes[lane].take_left() {
            pass.extend(self.rest_of(entry));
        }
        pass.sort_unstable();
        self.lanes[lane].begin_pass(pass);
    }

    /// The entry for what is left of a batch: it stands at the next message. `None` if nothing is left,
    /// and the entry has come out.
    #[inline]
    pub(crate) fn rest_of(&mut self, entry: DueEntry) -> Option<DueEntry> {
        if !entry.is_whole() {
            return Some(entry);
        }
        let queue = self.queues[entry.slab as usize].as_deref_mut();
        let queue = queue.expect(QUEUE);
        if let Some(next) = queue.front(entry.slot) {
            let number = next.number;
            return Some(DueEntry { number, ..entry });
        }
        let was_cancelled = queue.come_out(entry.slot, &mut self.postmarks);
        self.cancelled -= usize::from(was_cancelled);
        None
    }

    /// The next entry of the pass under way, and the number of the posting that comes first among all
    /// others. An entry that stands for a batch comes again until nothing of that is left.
    #[inline]
    pub(crate) fn next(&mut self, lane: usize) -> Option<(DueEntry, u64)> {
        let current = self.lanes[lane].take_current();
        let current = current.and_then(|entry| self.rest_of(entry));
        let lane = &mut self.lanes[lane];
        let Some(entry) = lane.take_first(current) else {
            lane.end_pass();
            return None;
        };
        // Of another time are only those behind.
        let other = lane.first().filter(|other| other.due == entry.due);
        let until = other.map_or(u64::MAX, |other| other.number);
        Some((entry, until))
    }

    /// The next message of the batch that an entry stands for comes out, if it was posted before the
    /// posting of that number. It has to be taken from its slot.
    #[inline]
    pub(crate) fn take_next(&mut self, entry: DueEntry, until: u64) -> Option<Due> {
        let mut last = None;
        self.take_next_behind(&mut last, entry, until)?;
        last.map(|(_, due)| due)
    }

    /// As [`take_next`](Self::take_next), where the one before it is known with the number of its post's metadata:
    /// what both have in common is not written again.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "part of the loop over a batch; measured"
    )]
    pub(crate) fn take_next_behind<'d>(
        &mut self,
        last: &'d mut Option<(u32, Due)>,
        entry: DueEntry,
        until: u64,
    ) -> Option<&'d Due> {
        let queue = self.queues[entry.slab as usize].as_deref_mut();
        let queue = queue.expect(QUEUE);
        let at = chunk_of(entry.slot);
        let (batch, heads) = queue.batch(at)?;
        let next = batch.take_front(until, heads)?;
        let origin = batch.origin(next.position as usize);
        let to = Recipient::Id(next.to);
        let sender = origin.sender.map_or(Sender::Outside, Sender::Messagee);
        let entry = DueEntry {
            number: next.number,
            slot: slot_at(at, next.position),
            ..entry
        };
        match last {
            Some((post_meta, due)) if *post_meta == origin.post_meta => {
                (due.to, due.sender) = (to, sender);
                (due.entry.number, due.entry.slot) = (entry.number, entry.slot);
            }
            _ => {
                let posted = Posted {
                    mark: *self.postmarks.get(origin.post_meta),
                    due: batch.term().due,
                    since: entry.due,
                };
                let due = Due {
                    posted,
                    to,
                    sender,
                    entry,
                    plain: true,
                    repeats: false,
                    is_single: false,
                };
                *last = Some((origin.post_meta, due));
            }
        }
        self.pending -= 1;
        if !self.traced.is_empty()
            && let Some(number) = NonZeroU64::new(next.number)
        {
            self.traced.remove(&number);
        }
        last.as_ref().map(|(_, due)| due)
    }

    /// The single message of an entry comes out, unless it was cancelled or is left out. It has to be
    /// taken from its slot, and then [that](Self::was_taken) has to be told.
    pub(crate) fn take_single(&mut self, entry: DueEntry) -> Option<Due> {
        let record = self.queue(entry.slab).waiting(entry.slot);
        let Some(record) = record else {
            self.sweep(entry);
            return None;
        };
        if record.rare && !self.count_delivery(&record) {
            self.leave_out(entry, &record);
            return None;
        }
        Some(Due {
            posted: Posted {
                mark: *self.postmarks.get(record.post_meta),
                due: record.due,
                since: entry.due,
            },
            to: record.to,
            sender: record.sender(),
            entry,
            plain: record.plain,
            repeats: record.repeats,
            is_single: true,
        })
    }

    /// A single message was taken from its slot, to be delivered.
    pub(crate) fn was_taken(&mut self, due: &Due) {
        let queue = self.queue_mut(due.entry.slab);
        if due.repeats {
            queue.lend(due.entry.slot);
        } else if let Some(record) = queue.waiting(due.entry.slot) {
            queue.free(due.entry.slot);
            self.left(Left::of(&record));
        }
    }

    /// What delivers what an entry stands for.
    #[inline]
    pub(crate) fn deliver(&self, entry: DueEntry) -> &'static Deliver {
        self.queue(entry.slab).deliver
    }

    /// The messages of the type of an entry.
    #[inline]
    pub(crate) fn messages(&mut self, entry: DueEntry) -> &mut dyn Messages {
        &mut *self.queue_mut(entry.slab).messages
    }

    /// What is known of the type of the messages of an entry.
    pub(crate) fn facts(&self, entry: DueEntry) -> &'static Facts {
        self.queue(entry.slab).facts
    }

    /// Returns `true` if messages of other entries come between those of a batch.
    pub(crate) fn alternates(&self, entry: DueEntry) -> bool {
        let batch = self.queue(entry.slab).chunk(chunk_of(entry.slot));
        self.traced.is_empty() && batch.is_some_and(Chunk::alternates)
    }

    /// The entry of the pass under way that comes first, if it is due at that time.
    pub(crate) fn first_at(&self, lane: usize, due: u64) -> Option<DueEntry> {
        self.lanes[lane].first().filter(|first| first.due == due)
    }

    /// Takes out the first entry of the pass, which stands for a batch. `None` if nothing is left of it.
    pub(crate) fn take_first_batch(&mut self, lane: usize) -> Option<DueEntry> {
        let first = self.lanes[lane].take_first(None)?;
        self.forget_current(lane);
        self.rest_of(first)
    }

    /// The batch that was being delivered is known to the caller.
    pub(crate) fn forget_current(&mut self, lane: usize) {
        self.lanes[lane].take_current();
    }

    /// A batch that was taken out comes again in the pass under way.
    pub(crate) fn put_back_batch(&mut self, lane: usize, entry: DueEntry) {
        self.lanes[lane].put_back(entry);
    }
}
