//! A batch that is lent out to be delivered in one walk.
//!
//! Only to a walk that nothing can look at from within: until the batch is given back, the heap
//! knows of its messages no more than how many they are.

use crate::address::Sender;
use crate::message::Message;
use crate::post::queue::batch::Batched;
use crate::post::queue::pending_of::PendingOf;
use crate::post::queue::slot::Slot;
use crate::post::queue::{DelayHeap, DueEntry, PostMeta};

/// The messages of a batch, those that were delivered or cancelled among them.
pub(crate) struct Lent<M> {
    pub(crate) messages: Vec<Batched<M>>,
    /// Those before this one have been walked over.
    pub(crate) next: usize,
}

impl DelayHeap {
    /// Lends the batch that an entry stands for. `None` if that cannot be: its messages have to be
    /// taken out one by one.
    pub(crate) fn lend<M: Message>(&mut self, entry: DueEntry) -> Option<Lent<M>> {
        let Slot::Batch(at) = Slot::of(entry.slot) else {
            return None;
        };
        if !self.traced.is_empty() {
            return None;
        }
        let queue = PendingOf::<M>::of(&mut *self.place_mut(entry.slab).queue);
        let (messages, next) = queue.batches.get_mut(at)?.lend()?;
        Some(Lent { messages, next })
    }

    /// Takes back what was lent, without the messages that the walk has taken out.
    pub(crate) fn give_back<M: Message>(&mut self, entry: DueEntry, lent: Lent<M>) {
        let Slot::Batch(at) = Slot::of(entry.slot) else {
            return;
        };
        let place = self.places[entry.slab as usize].as_mut();
        let place = place.expect("the message type of what is pending has a place");
        let batches = &mut PendingOf::<M>::of(&mut *place.queue).batches;
        let Some(batch) = batches.get_mut(at) else {
            return;
        };
        let (postmarks, pending) = (&mut self.postmarks, &mut self.pending);
        batch.give_back(lent.messages, lent.next, &mut |origin, messages| {
            postmarks.leave_many(origin.post_meta, messages);
            *pending -= messages as usize;
        });
    }

    /// What is known of the message at a position of a batch that is lent, besides the message: who
    /// posted it, its post's metadata, and when it was due.
    #[cold]
    pub(crate) fn origin_of(
        &self,
        entry: DueEntry,
        position: usize,
    ) -> Option<(Sender, PostMeta, u64)> {
        let place = self.places.get(entry.slab as usize)?.as_ref()?;
        let (origin, due) = place.queue.origin(entry.slot, position)?;
        let sender = origin.sender.map_or(Sender::Outside, Sender::Messagee);
        Some((sender, *self.postmarks.get(origin.post_meta), due))
    }
}
