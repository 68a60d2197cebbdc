//! The delivery of a batch of posted messages: in one walk where that makes no difference, one by
//! one otherwise.

use crate::handler::run::report;
use crate::handler::run_due::RunDue;
use crate::message::{Message, MessageIndex};
use crate::post::delivery::FromHeap;
use crate::post::queue::{DueEntry, Lent, Rows};
use crate::send::origin::Origin;
use crate::world::World;

/// A batch that is being walked over. It is given back also after a panic.
struct Walk<'w, M: Message> {
    world: &'w mut World,
    entry: DueEntry,
    lent: Option<Lent<M>>,
    delivered: usize,
}

impl<M: Message> Walk<'_, M> {
    fn give_back(&mut self) {
        if let Some(lent) = self.lent.take() {
            let heap = self.world.heap.get_mut();
            self.delivered = heap.give_back(self.entry, lent);
        }
    }
}

impl<M: Message> Drop for Walk<'_, M> {
    fn drop(&mut self) {
        if let Some(lent) = &mut self.lent {
            // Only after a panic of the handler that was called last.
            lent.drop_met();
        }
        self.give_back();
    }
}

impl World {
    /// Delivers what an entry stands for that is due: of a batch, what was posted before the posting of
    /// a number. Returns how many of the messages were not cancelled.
    pub(crate) fn deliver_entry<M: Message>(&mut self, entry: DueEntry, until: u64) -> usize {
        if !entry.is_whole() {
            let delivered = self.deliver_single::<M>(entry);
            self.settle_outermost();
            return usize::from(delivered);
        }
        let mut delivered = 0;
        let run = M::cell().get().and_then(|routes| routes.run_due());
        loop {
            if let Some(run) = run {
                delivered += self.walk_batch::<M>(entry, until, run);
                self.settle_outermost();
            }
            let heap = self.heap.get_mut();
            let number = self.trace.is_on().then(|| heap.number_of_next(entry)).flatten();
            let Some((due, messages)) = heap.take_next(entry, until) else {
                return delivered;
            };
            let message = Rows::<M>::of(messages).take(due.entry.slot);
            self.deliver_taken(&due, number, message);
            delivered += 1;
            self.settle_outermost();
        }
    }

    /// Delivers a batch in one walk, as far as that makes no difference. Returns how many were
    /// delivered.
    fn walk_batch<M: Message>(&mut self, entry: DueEntry, until: u64, run: RunDue<M>) -> usize {
        let Some(component) = self.walks(M::index()) else {
            return 0;
        };
        let Some(lent) = self.heap.get_mut().lend::<M>(entry, until) else {
            return 0;
        };
        let mut walk = Walk {
            world: self,
            entry,
            lent: Some(lent),
            delivered: 0,
        };
        walk.run(component, run);
        walk.give_back();
        walk.delivered
    }

    /// The component type whose handler can be called for one message after the other: as for the short
    /// way of a send, nobody listens, and there is one route.
    fn walks(&self, of: Option<MessageIndex>) -> Option<u32> {
        if self.kept.any() {
            return None;
        }
        let component = self.subscriptions.fast_routes.component(of?)?;
        let pool = self.pools.get(component as usize)?;
        pool.is_some().then_some(component)
    }
}

impl<M: Message> Walk<'_, M> {
    fn run(&mut self, component: u32, run: RunDue<M>) {
        let Some(lent) = &mut self.lent else { return };
        let world: &World = self.world;
        let pool = world.pool(component);
        if let Some(failure) = run(pool, lent) {
            let due = world.heap.borrow().due_of(self.entry, &lent.part);
            if let Some(due) = &due {
                let from = FromHeap { world, due };
                let sent = from.sent_from::<M>(&due.to, due.posted.mark.place);
                report(failure.error, failure.method, pool, failure.slot, &sent);
            }
            // Last, since a `Drop` may panic.
            lent.drop_met();
        }
    }
}
