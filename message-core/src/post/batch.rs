//! The delivery of a batch of posted messages: in one walk where that makes no difference, one by
//! one otherwise.

use std::cell::RefMut;

use crate::address::Recipient;
use crate::error::HandlerError;
use crate::message::{Facts, MessageIndex};
use crate::post::delivery::{DueType, FromHeap};
use crate::post::queue::{DelayHeap, Due, DueEntry, Part};
use crate::send::Ways;
use crate::send::entry::settle_single;
use crate::send::origin::Origin;
use crate::trace::TraceId;
use crate::world::World;

/// A batch that is being walked over. The walk is ended also after a panic.
struct Walk<'w> {
    world: &'w World,
    heap: RefMut<'w, DelayHeap>,
    part: Part,
    is_over: bool,
}

impl Walk<'_> {
    /// Ends the walk, and reports the handler that has failed, if one has: that was called last. Returns
    /// how many messages were delivered.
    fn end(mut self, facts: &'static Facts, failure: Option<Box<HandlerError>>) -> usize {
        self.is_over = true;
        let delivered = self.heap.end_walk(self.part);
        if let Some(failure) = failure
            && let Some(due) = self.heap.met(self.part)
        {
            let world = self.world;
            drop(self);
            world.settle_due(facts, &due, Some(failure));
            // Last, since a `Drop` may panic.
            world.schedule.borrow_mut().drop_met(&due);
        }
        delivered
    }
}

impl Drop for Walk<'_> {
    fn drop(&mut self) {
        // Only after a panic of the handler that was called last.
        if !self.is_over {
            self.heap.end_walk(self.part);
            if let Some(due) = self.heap.met(self.part) {
                self.heap.drop_met(&due);
            }
        }
    }
}

impl World {
    /// Delivers what an entry stands for that is due: of a batch, what was posted before the posting of
    /// a number. Returns how many of the messages were not cancelled.
    pub(crate) fn deliver_entry(&mut self, lane: usize, entry: DueEntry, until: u64) -> usize {
        if !entry.is_whole() {
            return self.deliver_single(entry);
        }
        let mut delivered = 0;
        loop {
            let part = self.schedule.get_mut().part(entry, until);
            if part.is_none()
                && delivered == 0
                && let Some(delivered) = self.deliver_merged(lane, entry)
            {
                self.settle_outermost();
                return delivered;
            }
            let walked = part.and_then(|part| self.walk_batch(part, entry));
            let Some(walked) = walked else {
                return delivered + self.deliver_in_turn(entry, until, usize::MAX);
            };
            self.settle_outermost();
            // Behind a walk is one that cannot be delivered so.
            let other = self.deliver_in_turn(entry, until, 1);
            delivered += walked + other;
            if other == 0 {
                return delivered;
            }
        }
    }

    /// Delivers a message that is in no batch. Returns how many that are.
    #[inline(never)]
    fn deliver_single(&mut self, entry: DueEntry) -> usize {
        let number = self.number_of(entry);
        let heap = self.schedule.get_mut();
        let (deliver, of) = (heap.deliver(entry), DueType::of(heap.facts(entry)));
        let Some(due) = heap.take_single(entry) else {
            return 0;
        };
        self.deliver_one(deliver, &due, number, of);
        self.settle_outermost();
        1
    }

    /// Delivers the next messages of a batch one by one: so many at most.
    #[inline(never)]
    fn deliver_in_turn(&mut self, entry: DueEntry, until: u64, most: usize) -> usize {
        let heap = self.schedule.get_mut();
        let (deliver, of) = (heap.deliver(entry), DueType::of(heap.facts(entry)));
        let (mut delivered, mut last) = (0, None);
        while delivered < most {
            if of.takes_context {
                let (called, is_over) =
                    self.deliver_in_context(deliver, of, (entry, until), &mut last);
                delivered += called;
                self.settle_outermost();
                if is_over {
                    break;
                }
                if called > 0 {
                    continue;
                }
            }
            let number = self.number_of(entry);
            let heap = self.schedule.get_mut();
            let Some(due) = heap.take_next_behind(&mut last, entry, until) else {
                break;
            };
            self.deliver_one(deliver, due, number, of);
            delivered += 1;
            self.settle_outermost();
        }
        delivered
    }

    /// The number in the trace of the next message of an entry.
    #[inline]
    fn number_of(&mut self, entry: DueEntry) -> Option<TraceId> {
        if self.trace.is_on() {
            self.schedule.get_mut().number_of(entry)
        } else {
            None
        }
    }

    /// Delivers a part of a batch in one walk as far as that makes no difference. Returns how many were
    /// delivered; `None` if messages of the type are never delivered so.
    fn walk_batch(&mut self, part: Part, entry: DueEntry) -> Option<usize> {
        let heap = self.schedule.get_mut();
        let (facts, deliver) = (heap.facts(entry), heap.deliver(entry));
        let table = facts.table()?;
        // Without a context, there is nothing to settle between two messages.
        if table.takes_context {
            return None;
        }
        if !self.can_walk(table.index) {
            return Some(0);
        }
        let mut walk = Walk {
            world: self,
            heap: self.schedule.borrow_mut(),
            part,
            is_over: false,
        };
        let lent = walk.heap.lend(walk.part);
        let failure = (deliver.walk)(lent, &mut Ways::new(self, table.index), table);
        Some(walk.end(facts, failure))
    }

    /// Returns `true` if one message after the other can be delivered: nobody listens, and nothing is kept.
    pub(super) fn can_walk(&self, of: MessageIndex) -> bool {
        !self.waiting.kept.any() && self.listen.subscriptions.is_quiet(of)
    }

    /// Reports the failure of the handler that was called with a message that was due.
    pub(super) fn settle_due(
        &self,
        facts: &'static Facts,
        due: &Due,
        error: Option<Box<HandlerError>>,
    ) {
        let from = FromHeap::new(self, due, None);
        let sent = from.sent_of(facts, &due.to, due.posted.mark.place);
        if let Recipient::Id(id) = due.to {
            settle_single(&sent, id, error);
        }
    }
}
