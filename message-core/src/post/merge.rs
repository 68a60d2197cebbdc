//! The delivery of batches whose messages alternate: of several types that were posted in turn for one
//! moment.
//!
//! Each message comes at its place among all of them. As in a walk over one batch, nothing can look at
//! the heap from within, since no handler among these takes a context: so it stays borrowed, and nothing
//! has to be settled in between.

use std::cell::RefMut;

use crate::message::MessageIndex;
use crate::post::queue::{Cursor, DelayHeap, DueEntry};
use crate::send::Ways;
use crate::send::verdict::Ended;
use crate::world::World;

/// One of the batches.
struct Strand<'w> {
    cursor: Cursor,
    entry: DueEntry,
    ways: Ways<'w>,
}

/// Batches that are delivered together. They go back to the pass when it is dropped, also after a panic.
struct Merge<'w> {
    world: &'w World,
    heap: RefMut<'w, DelayHeap>,
    lane: usize,
    /// When they are due.
    due: u64,
    /// Those that were begun.
    strands: Vec<Strand<'w>>,
    /// The first posting that is of none of them.
    until: u64,
    /// The batch whose messages are being delivered.
    calling: Option<usize>,
    /// The number of messages delivered, of the batches that have gone back.
    delivered: usize,
}

impl Merge<'_> {
    /// The batch that the next message is of, if it can be delivered here, and the first posting behind that
    /// which is of another one.
    #[inline]
    fn first(&mut self) -> Option<(usize, u64)> {
        loop {
            let (mut first, mut number, mut behind) = (None, self.until, self.until);
            for (at, strand) in self.strands.iter().enumerate() {
                let other = strand.cursor.number;
                if other < number {
                    behind = number;
                    (first, number) = (Some(at), other);
                } else {
                    behind = behind.min(other);
                }
            }
            if let Some(first) = first {
                return Some((first, behind));
            }
            self.begin_another()?;
        }
    }

    /// Begins the batch of the pass that comes first.
    #[inline(never)]
    fn begin_another(&mut self) -> Option<()> {
        let other = self.heap.first_at(self.lane, self.due)?;
        let of = self.world.type_of_strand(&self.heap, other)?;
        if let Some(entry) = self.heap.take_first_batch(self.lane) {
            self.begin(entry, of);
        }
        self.look_ahead();
        Some(())
    }

    fn look_ahead(&mut self) {
        let other = self.heap.first_at(self.lane, self.due);
        self.until = other.map_or(u64::MAX, |other| other.number);
    }

    /// Delivers messages of a batch, up to a posting that is of another one. Returns how the last call ended.
    #[inline]
    fn deliver(&mut self, at: usize, until: u64) -> Ended {
        let strand = &mut self.strands[at];
        self.calling = Some(at);
        let ended = self
            .heap
            .call(strand.entry, &mut strand.cursor, until, &mut strand.ways);
        self.calling = None;
        if strand.cursor.number == u64::MAX {
            self.come_out(at);
        }
        ended
    }

    /// Nothing is left of a batch.
    #[inline(never)]
    fn come_out(&mut self, at: usize) {
        let Strand { cursor, entry, .. } = self.strands.swap_remove(at);
        self.delivered += self.heap.end_at(entry, cursor);
        self.heap.rest_of(entry);
    }

    /// All batches go back to the pass, each from its next message on.
    fn end(&mut self) {
        for Strand { cursor, entry, .. } in self.strands.drain(..) {
            let number = cursor.number;
            self.delivered += self.heap.end_at(entry, cursor);
            let entry = DueEntry { number, ..entry };
            self.heap.put_back_batch(self.lane, entry);
        }
    }
}

impl Merge<'_> {
    /// Begins a batch of messages of that type.
    fn begin(&mut self, entry: DueEntry, of: MessageIndex) {
        let cursor = self.heap.cursor(entry);
        let strand = cursor.map(|cursor| Strand {
            cursor,
            entry,
            ways: Ways::new(self.world, of),
        });
        self.strands.extend(strand);
    }
}

impl Drop for Merge<'_> {
    fn drop(&mut self) {
        // Only after a panic of the handler that was called last, or of the `Drop` of its message.
        let calling = self.calling.take();
        let calling = calling.map(|at| self.strands[at].entry);
        self.end();
        // Last, since a `Drop` may panic.
        if let Some(due) = calling.and_then(|entry| self.heap.take_next(entry, u64::MAX)) {
            self.heap.drop_met(&due);
        }
    }
}

impl World {
    /// Delivers the batch that an entry stands for together with others that are due at the same time, up
    /// to the first message that is in none of them. Returns how many were delivered; `None` if there are
    /// no others.
    #[inline(never)]
    pub(super) fn deliver_merged(&mut self, lane: usize, entry: DueEntry) -> Option<usize> {
        let mut merge = self.begin_merge(lane, entry)?;
        while let Some((at, until)) = merge.first() {
            let (called, error) = match merge.deliver(at, until) {
                (Some(_), None) => continue,
                ended => ended,
            };
            let entry = merge.strands[at].entry;
            merge.end();
            let due = merge.heap.take_next(entry, u64::MAX);
            let delivered = merge.delivered;
            let Some(due) = due else {
                return Some(delivered);
            };
            if called.is_none() {
                drop(merge);
                let deliver = self.schedule.get_mut().deliver(entry);
                (deliver.one)(self, self.messages(&due), &due, None, None);
            } else {
                let facts = merge.heap.facts(entry);
                drop(merge);
                self.settle_due(facts, &due, error);
                // Last, since a `Drop` may panic.
                self.schedule.borrow_mut().drop_met(&due);
            }
            return Some(delivered + 1);
        }
        merge.end();
        Some(merge.delivered)
    }

    fn begin_merge(&self, lane: usize, entry: DueEntry) -> Option<Merge<'_>> {
        let mut heap = self.schedule.borrow_mut();
        if self.trace.is_on() || !heap.alternates(entry) {
            return None;
        }
        let of = self.type_of_strand(&heap, entry)?;
        heap.forget_current(lane);
        let mut merge = Merge {
            world: self,
            heap,
            lane,
            due: entry.due,
            strands: Vec::new(),
            until: 0,
            calling: None,
            delivered: 0,
        };
        if let Some(entry) = merge.heap.rest_of(entry) {
            merge.begin(entry, of);
        }
        merge.look_ahead();
        Some(merge)
    }

    /// The type of the messages of an entry's batch, if they can be delivered in a walk.
    fn type_of_strand(&self, heap: &DelayHeap, entry: DueEntry) -> Option<MessageIndex> {
        let table = heap.facts(entry).table()?;
        let walks = entry.is_whole() && !table.takes_context && self.can_walk(table.index);
        walks.then_some(table.index)
    }
}
