//! The delivery of a batch of posted messages: in one walk where that makes no difference, one by
//! one otherwise.

use std::cell::RefMut;

use crate::address::Recipient;
use crate::handler::HandlerError;
use crate::handler::run::{At, Run, Steps, WalkEnd};
use crate::message::{Facts, Message, MessageIndex, index_of};
use crate::post::delivery::FromHeap;
use crate::post::queue::{DelayHeap, DueEntry, Met, Part, Together};
use crate::send::origin::Origin;
use crate::trace::TraceId;
use crate::world::World;

/// A batch that is being walked over. The walk is ended also after a panic.
struct Walk<'w> {
    world: &'w World,
    heap: RefMut<'w, DelayHeap>,
    part: Part,
    component: u32,
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
            let (world, component) = (self.world, self.component);
            drop(self);
            let from = FromHeap::new(world, &due, None);
            let sent = from.sent_of(facts, &due.to, due.posted.mark.place);
            if let Recipient::Id(id) = due.to {
                let at = (world.pool(component), At::only(id));
                world.finish_single(at, Some(failure), &sent);
            }
            // Last, since a `Drop` may panic.
            world.heap.borrow_mut().drop_met(&due);
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
        let deliver = self.heap.get_mut().deliver(entry);
        if !entry.is_whole() {
            let number = self.number_of(entry);
            let Some(due) = self.heap.get_mut().take_single(entry) else {
                return 0;
            };
            (deliver.one)(self, &due, number);
            self.settle_outermost();
            return 1;
        }
        let (mut delivered, mut walks, mut last) = (0, true, None);
        loop {
            walks = walks && self.heap.get_mut().part(entry, until).is_some();
            if !walks
                && delivered == 0
                && let Some(delivered) = self.deliver_merged(lane, entry)
            {
                self.settle_outermost();
                return delivered;
            }
            if walks {
                let walked = (deliver.walk)(self, entry, until);
                walks = walked.is_some();
                delivered += walked.unwrap_or(0);
                self.settle_outermost();
            }
            let number = self.number_of(entry);
            let heap = self.heap.get_mut();
            let Some(due) = heap.take_next_behind(&mut last, entry, until) else {
                return delivered;
            };
            (deliver.one)(self, due, number);
            delivered += 1;
            self.settle_outermost();
        }
    }

    /// The number in the trace of the next message of an entry.
    #[inline]
    fn number_of(&mut self, entry: DueEntry) -> Option<TraceId> {
        if self.trace.is_on() {
            self.heap.get_mut().number_of(entry)
        } else {
            None
        }
    }

    /// Delivers a batch in one walk: see [`Deliver`](crate::post::queue::Deliver).
    pub(crate) fn walk_batch<M: Message>(&mut self, entry: DueEntry, until: u64) -> Option<usize> {
        // Its handler takes no context, so that between two messages there is nothing to settle.
        let typed = M::cell().routes().single()?;
        let Run::Alone(run) = typed.run else {
            return None;
        };
        let Some(mut walk) = self.begin_walk(index_of::<M>(), entry, until) else {
            return Some(0);
        };
        let pool = self.pool(walk.component);
        let mut failure = None;
        if !std::mem::needs_drop::<M>() {
            let mut lent = walk.heap.lend::<M>(walk.part);
            let find = |to| pool.roster().at_hand(to);
            let ended = lent.walk_together(find, |each| {
                match (typed.walk)(pool, Steps::Each(each), &mut None).end {
                    WalkEnd::Through => Together::Ended,
                    WalkEnd::At(_, _, error) => {
                        failure = error;
                        Together::Failed
                    }
                    _ => Together::Refused,
                }
            });
            if !matches!(ended, Together::Refused) {
                return Some(walk.end(M::FACTS, failure));
            }
        }
        walk.heap.lend::<M>(walk.part).walk(|to, message| {
            match run(pool, At::only(to), message, &mut None) {
                (Some(_), None) => Met::Delivered,
                (Some(_), error) => {
                    failure = error;
                    Met::Failed
                }
                (None, _) => Met::Unusual,
            }
        });
        Some(walk.end(M::FACTS, failure))
    }

    fn begin_walk(
        &self,
        of: Option<MessageIndex>,
        entry: DueEntry,
        until: u64,
    ) -> Option<Walk<'_>> {
        let component = self.walks(of)?;
        let mut heap = self.heap.borrow_mut();
        let part = heap.part(entry, until)?;
        Some(Walk {
            world: self,
            heap,
            part,
            component,
            is_over: false,
        })
    }

    /// The component type whose handler can be called for one message after the other: as for the short
    /// way of a send, nobody listens, and there is one route.
    pub(super) fn walks(&self, of: Option<MessageIndex>) -> Option<u32> {
        if self.kept.any() {
            return None;
        }
        let component = self.subscriptions.fast_routes.component(of?)?;
        self.pools.get(component).map(|_| component)
    }
}
