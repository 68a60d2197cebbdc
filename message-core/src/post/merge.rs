//! The delivery of batches whose messages alternate: of several types that were posted in turn for one
//! moment.
//!
//! Each message comes at its place among all of them. As in a walk over one batch, nothing can look at
//! the heap from within, since no handler among these takes a context: so it stays borrowed, and nothing
//! has to be settled in between.

use std::cell::RefMut;

use smallvec::SmallVec;

use crate::address::Recipient;
use crate::post::delivery::FromHeap;
use crate::post::queue::{CallAlone, DelayHeap, DueEntry};
use crate::send::origin::Origin;
use crate::world::World;

/// One of the batches.
#[derive(Clone, Copy)]
struct Strand {
    /// Stands at its next message.
    entry: DueEntry,
    component: u32,
    call: CallAlone,
}

/// Batches that are delivered together. They go back to the pass when it is dropped, also after a panic.
struct Merge<'w> {
    world: &'w World,
    heap: RefMut<'w, DelayHeap>,
    lane: usize,
    strands: SmallVec<[Strand; 4]>,
    /// The first posting that is of none of them.
    until: u64,
    /// The batch of the message whose handler is running.
    calling: Option<usize>,
}

impl Merge<'_> {
    /// The batch that the next message is of.
    #[inline]
    fn first(&self) -> Option<usize> {
        let numbers = self.strands.iter().map(|strand| strand.entry.number);
        let (at, number) = numbers.enumerate().min_by_key(|(_, number)| *number)?;
        (number < self.until).then_some(at)
    }

    /// The next message of a batch was delivered. The batch stands at the one behind, if anything is left.
    #[inline]
    fn go_on(&mut self, at: usize) {
        self.heap.pop(self.strands[at].entry);
        match self.heap.rest_of(self.strands[at].entry) {
            Some(entry) => self.strands[at].entry = entry,
            None => drop(self.strands.remove(at)),
        }
    }
}

impl Drop for Merge<'_> {
    fn drop(&mut self) {
        // Only after a panic of the handler that was called last.
        let calling = self.calling.take();
        let met = calling.and_then(|at| self.heap.take_next(self.strands[at].entry, u64::MAX));
        for strand in &self.strands {
            self.heap.put_back_batch(self.lane, strand.entry);
        }
        // Last, since a `Drop` may panic.
        if let Some(due) = met {
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
        let mut delivered = 0;
        while let Some(at) = merge.first() {
            let Strand {
                entry,
                component,
                call,
            } = merge.strands[at];
            let pool = merge.world.pool(component);
            merge.calling = Some(at);
            let ended = merge.heap.call_next(entry, call, pool);
            merge.calling = None;
            match ended {
                (Some(_), None) => {
                    delivered += 1;
                    merge.go_on(at);
                }
                (called, error) => {
                    let due = merge.heap.take_next(entry, u64::MAX);
                    // It is still there, so its batch goes back as it is.
                    drop(merge);
                    let Some(due) = due else {
                        return Some(delivered);
                    };
                    if called.is_none() {
                        let deliver = self.heap.get_mut().deliver(entry);
                        (deliver.one)(self, &due, None);
                    } else {
                        let facts = self.heap.get_mut().facts(entry);
                        let from = FromHeap::new(self, &due, None);
                        let sent = from.sent_of(facts, &due.to, due.posted.mark.place);
                        if let Recipient::Id(id) = due.to {
                            self.finish_single(self.pool(component), id, error, &sent);
                        }
                        // Last, since a `Drop` may panic.
                        self.heap.borrow_mut().drop_met(&due);
                    }
                    return Some(delivered + 1);
                }
            }
        }
        Some(delivered)
    }

    fn begin_merge(&self, lane: usize, entry: DueEntry) -> Option<Merge<'_>> {
        let mut heap = self.heap.borrow_mut();
        if self.trace.is_on() || !heap.alternates(entry) {
            return None;
        }
        let strand = |heap: &DelayHeap, entry: DueEntry| {
            let table = heap.facts(entry).table()?;
            let [route] = table.all() else { return None };
            let component = self.walks(Some(table.index))?;
            let call = heap.deliver(entry).alone;
            (entry.is_whole() && !route.takes_context).then_some(Strand {
                entry,
                component,
                call,
            })
        };
        let first = strand(&heap, entry)?;
        heap.forget_current(lane);
        let mut strands = SmallVec::new();
        if let Some(entry) = heap.rest_of(entry) {
            strands.push(Strand { entry, ..first });
        }
        let until = loop {
            let Some(other) = heap.first_at(lane, entry.due) else {
                break u64::MAX;
            };
            let Some(strand) = strand(&heap, other) else {
                break other.number;
            };
            if let Some(entry) = heap.take_first_batch(lane) {
                strands.push(Strand { entry, ..strand });
            }
        };
        Some(Merge {
            world: self,
            heap,
            lane,
            strands,
            until,
            calling: None,
        })
    }
}
