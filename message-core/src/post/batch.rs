//! The delivery of a batch of posted messages: in one walk where that makes no difference, one by
//! one otherwise.

use crate::address::Recipient;
use crate::handler::run::report;
use crate::handler::run_due::{Failure, RunDue};
use crate::message::Message;
use crate::post::queue::{DueEntry, Lent};
use crate::send::call::{Posted, Sent};
use crate::world::World;

/// A batch that is being walked over. It is given back also after a panic.
struct Walk<'w, M: Message> {
    world: &'w mut World,
    entry: DueEntry,
    lent: Option<Lent<M>>,
}

impl<M: Message> Drop for Walk<'_, M> {
    fn drop(&mut self) {
        if let Some(lent) = self.lent.take() {
            self.world.heap.get_mut().give_back(self.entry, lent);
        }
    }
}

impl World {
    /// Delivers what an entry stands for that is due. Returns how many of the messages were not
    /// cancelled.
    pub(crate) fn deliver_entry<M: Message>(&mut self, entry: DueEntry) -> usize {
        if !entry.is_whole() {
            return usize::from(self.deliver_due::<M>(entry));
        }
        let mut delivered = 0;
        loop {
            delivered += self.walk_batch::<M>(entry);
            self.settle_outermost();
            let Some(next) = self.heap.get_mut().front(entry) else {
                return delivered;
            };
            delivered += usize::from(self.deliver_due::<M>(next));
            self.settle_outermost();
        }
    }

    /// Delivers a batch in one walk, as far as that makes no difference. Returns how many were
    /// delivered.
    fn walk_batch<M: Message>(&mut self, entry: DueEntry) -> usize {
        // As for the short way of a send: nobody listens, and there is one route.
        let Some(routes) = M::cell().get().filter(|_| !self.kept.any()) else {
            return 0;
        };
        let component = self.subscriptions.fast_routes.component(routes.index);
        let (Some(component), Some(run)) = (component, routes.run_due()) else {
            return 0;
        };
        if !matches!(self.pools.get(component as usize), Some(Some(_))) {
            return 0;
        }
        let before = self.heap.get_mut().pending();
        let Some(lent) = self.heap.get_mut().lend::<M>(entry) else {
            return 0;
        };
        let mut walk = Walk {
            world: self,
            entry,
            lent: Some(lent),
        };
        walk.run(component, run);
        drop(walk);
        before - self.heap.get_mut().pending()
    }
}

impl<M: Message> Walk<'_, M> {
    fn run(&mut self, component: u32, run: RunDue<M>) {
        let Some(lent) = &mut self.lent else { return };
        let world: &World = self.world;
        let pool = world.pool(component);
        if let Some(failure) = run(pool, lent) {
            let Failure {
                message,
                slot,
                method,
                error,
            } = failure;
            let position = lent.next - 1;
            let to = Recipient::Id(lent.messages[position].to());
            let origin = world.heap.borrow().origin_of(self.entry, position);
            let Some((sender, mark, due)) = origin else {
                return;
            };
            let posted = Posted {
                mark,
                due,
                since: self.entry.due,
            };
            let sent = Sent {
                posted: Some(&posted),
                ..Sent::outside::<M>(world, sender, &to, mark.place)
            };
            report(error, method, pool, slot, &sent);
            drop(message);
        }
    }
}
