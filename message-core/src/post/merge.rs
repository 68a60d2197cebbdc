//! The delivery of batches whose messages alternate: of several types that were posted in turn for one
//! moment.
//!
//! Each message comes at its place among all of them. As in a walk over one batch, nothing can look at
//! the heap from within, since no handler among these takes a context: so it stays borrowed, and nothing
//! has to be settled in between.

use std::cell::RefMut;

use crate::address::Recipient;
use crate::handler::run::At;
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
    /// When they are due.
    due: u64,
    /// Those that were begun.
    strands: Vec<Strand>,
    /// The first posting that is of none of them.
    until: u64,
    /// The batch of the message whose handler is running.
    calling: Option<usize>,
}

impl Merge<'_> {
    /// The batch that the next message is of, if it can be delivered here.
    #[inline]
    fn first(&mut self) -> Option<usize> {
        loop {
            let (mut first, mut number) = (None, self.until);
            for (at, strand) in self.strands.iter().enumerate() {
                if strand.entry.number < number {
                    (first, number) = (Some(at), strand.entry.number);
                }
            }
            if first.is_some() {
                return first;
            }
            self.begin_another()?;
        }
    }

    /// Begins the batch of the pass that comes first.
    #[inline(never)]
    fn begin_another(&mut self) -> Option<()> {
        let other = self.heap.first_at(self.lane, self.due)?;
        let strand = self.world.strand(&self.heap, other)?;
        if let Some(entry) = self.heap.take_first_batch(self.lane) {
            self.strands.push(Strand { entry, ..strand });
        }
        self.look_ahead();
        Some(())
    }

    fn look_ahead(&mut self) {
        let other = self.heap.first_at(self.lane, self.due);
        self.until = other.map_or(u64::MAX, |other| other.number);
    }

    /// The next message of a batch was delivered. The batch stands at the one behind, if anything is left.
    #[inline]
    fn go_on(&mut self, at: usize) {
        let entry = &mut self.strands[at].entry;
        match self.heap.delivered(*entry) {
            Some(number) => entry.number = number,
            None => drop(self.strands.swap_remove(at)),
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
            let pool = merge.world.pools.at(component);
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
                        (deliver.one)(self, self.messages(&due), &due, None, None);
                    } else {
                        let facts = self.heap.get_mut().facts(entry);
                        let from = FromHeap::new(self, &due, None);
                        let sent = from.sent_of(facts, &due.to, due.posted.mark.place);
                        if let Recipient::Id(id) = due.to {
                            let at = (self.pools.at(component), At::only(id));
                            self.finish_single(at, error, &sent);
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
        let first = self.strand(&heap, entry)?;
        heap.forget_current(lane);
        let due = entry.due;
        let entry = heap.rest_of(entry);
        let strands = entry.map(|entry| Strand { entry, ..first });
        let mut merge = Merge {
            world: self,
            heap,
            lane,
            due,
            strands: strands.into_iter().collect(),
            until: 0,
            calling: None,
        };
        merge.look_ahead();
        Some(merge)
    }

    /// The batch of an entry, if its messages are only for handlers that take no context.
    fn strand(&self, heap: &DelayHeap, entry: DueEntry) -> Option<Strand> {
        let table = heap.facts(entry).table()?;
        let route = table.single_route()?;
        let component = self.walks(table.index)?;
        let call = heap.deliver(entry).alone;
        (entry.is_whole() && !route.takes_context).then_some(Strand {
            entry,
            component,
            call,
        })
    }
}
