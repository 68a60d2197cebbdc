//! The delivery of a batch of posted messages: in one walk where that makes no difference, one by
//! one otherwise.

use crate::address::{MessageeId, Recipient};
use crate::handler::HandlerError;
use crate::handler::run::{At, Run, RunAlone};
use crate::message::Message;
use crate::post::queue::{DueEntry, Lent};
use crate::send::call::{Extras, Posted, Sent};
use crate::storage::Pool;
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
        // As for the short way of a send: nobody listens, and there is one route; and the handler takes
        // no context, so that between two messages there is nothing to settle.
        let Some(routes) = M::cell().get().filter(|_| !self.kept.any()) else {
            return 0;
        };
        let component = self.subscriptions.fast_routes.component(routes.index);
        let (Some(component), Some(Run::Alone(run))) = (component, routes.single()) else {
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
    /// Delivers messages to components of one pool, up to the first that is in any way unusual: its
    /// messagee is gone, or has no such component, or several, or a disabled one, or one that is
    /// borrowed. Also stops behind a handler that fails.
    fn run(&mut self, component: u32, run: RunAlone<M>) {
        let Some(lent) = &mut self.lent else { return };
        let pool = self.world.pool(component);
        while let Some(batched) = lent.messages.get_mut(lent.next) {
            // Whatever becomes of it, also if the handler panics, it is delivered then; unless the
            // component cannot be called.
            lent.next += 1;
            let to = batched.to();
            let Some(mut message) = batched.message.take() else {
                continue;
            };
            match run(pool, At::only(to), &mut message, &mut None) {
                (Some(_), None) => {}
                (Some(_), Some(error)) => {
                    let position = lent.next - 1;
                    self.report(position, to, pool, error);
                    // Behind that: a `Drop` may panic.
                    drop(message);
                    return;
                }
                (None, _) => {
                    batched.message = Some(message);
                    lent.next -= 1;
                    return;
                }
            }
        }
    }

    /// Reports the handler that has failed at the message at a position.
    #[cold]
    fn report(&self, position: usize, id: MessageeId, pool: &Pool, error: Box<HandlerError>) {
        let world: &World = self.world;
        let origin = world.heap.borrow().origin_of(self.entry, position);
        let Some((sender, mark, due)) = origin else {
            return;
        };
        let posted = Posted {
            mark,
            due,
            since: self.entry.due,
        };
        let to = Recipient::Id(id);
        let extras = Extras {
            posted: Some(&posted),
            ..Extras::NONE
        };
        let sent = Sent {
            extras: &extras,
            ..Sent::outside::<M>(world, sender, &to, mark.place)
        };
        world.finish_single(pool, id, Some(error), &sent);
    }
}
