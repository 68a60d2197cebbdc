//! Messages for busy components and subscribers. They are kept in the order sent and delivered as soon as
//! the receiver is free.
//!
//! A message can be kept for several receivers at once, who share it. Subscribers that receive it in a
//! stage of their own share it too, as do later subscribers of a retained message. The running delivery
//! holds it. Another receiver can want it meanwhile only after a panic, which frees several components at
//! once. That receiver then waits.

pub(crate) mod delivering;
mod keep;
mod missed;
pub(crate) mod send;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use crate::caught::FirstPanic;
use crate::hash::HashedMap;
use crate::send::ReceiverSlot;
use crate::sort::sort_by_number;
use crate::storage::Pools;
use crate::structure::Unborn;
pub(crate) use delivering::Redelivery;
use delivering::lock;
pub(crate) use missed::tell_missed;
pub(crate) use send::{Copies, Shared, not_cloned};

pub(crate) struct Entry {
    /// The number of messages that had been kept before.
    number: u64,
    pub message: Shared,
}

/// The kept messages of a manager.
#[derive(Default)]
pub(crate) struct Kept {
    queues: RefCell<HashedMap<ReceiverSlot, VecDeque<Entry>>>,
    /// The messages for receivers that will come when the outermost send ends.
    unborn: RefCell<HashedMap<Unborn, VecDeque<Entry>>>,
    /// The number of sends under way that will be kept for a receiver when they end.
    promised: RefCell<HashedMap<ReceiverSlot, usize>>,
    /// The number of deliveries that are kept or promised.
    waiting: Cell<usize>,
    /// The number of deliveries that have been kept since the outermost send began.
    pub(crate) accepted: Cell<usize>,
    count: Cell<u64>,
    /// The receivers whose queues are being drained. Draining is a loop, so that a long queue needs no more
    /// stack than a short one and keeps its order.
    draining: RefCell<Vec<ReceiverSlot>>,
}

/// A queue that is being drained. A panic ends the draining.
pub(crate) struct Draining<'k>(&'k Kept, ReceiverSlot);

impl Drop for Draining<'_> {
    fn drop(&mut self) {
        self.0.draining.borrow_mut().retain(|spot| *spot != self.1);
    }
}

impl Kept {
    /// Begins to drain a queue, unless it is being drained already.
    pub(crate) fn drain(&self, spot: ReceiverSlot) -> Option<Draining<'_>> {
        let mut draining = self.draining.borrow_mut();
        if draining.contains(&spot) {
            return None;
        }
        draining.push(spot);
        Some(Draining(self, spot))
    }

    pub(crate) fn any(&self) -> bool {
        self.waiting.get() != 0
    }

    /// Returns the number of messages that have been kept so far. A send notes it when it begins: messages
    /// with a lower number were sent before.
    pub(crate) fn count(&self) -> u64 {
        self.count.get()
    }

    /// Accepts more deliveries. Returns `false` if these exceed the limit.
    pub(crate) fn accept(&self, deliveries: usize, limit: usize) -> bool {
        let accepted = self.accepted.get() + deliveries;
        let is_within = accepted <= limit;
        if is_within {
            self.accepted.set(accepted);
        }
        is_within
    }

    /// Adds a message behind those that were kept when its send began. Messages kept since then were sent
    /// by its receivers, and so after it.
    fn enter(&self, queue: &mut VecDeque<Entry>, before: u64, message: Shared) {
        let number = self.count.replace(self.count.get() + 1);
        let since = queue.iter().rev();
        let since = since.take_while(|entry| entry.number >= before);
        let at = queue.len() - since.count();
        queue.insert(at, Entry { number, message });
    }

    /// Keeps a message for a receiver that is not yet there.
    pub(crate) fn push_unborn(&self, unborn: Unborn, before: u64, message: Shared) {
        let mut queues = self.unborn.borrow_mut();
        self.enter(queues.entry(unborn).or_default(), before, message);
    }

    /// Takes the messages for a receiver that is there now.
    pub(crate) fn take_unborn(&mut self, unborn: Unborn) -> impl Iterator<Item = Shared> + use<> {
        let queue = self.unborn.get_mut().remove(&unborn).unwrap_or_default();
        queue.into_iter().map(|entry| entry.message)
    }

    /// Keeps a message for a busy receiver.
    pub(crate) fn push(&self, spot: ReceiverSlot, before: u64, message: Shared, pools: &Pools) {
        let mut queues = self.queues.borrow_mut();
        self.enter(queues.entry(spot).or_default(), before, message);
        self.count_waiting(spot, pools, true);
    }

    /// Counts one more delivery that waits, or one less. The pool of a component counts it, too.
    fn count_waiting(&self, spot: ReceiverSlot, pools: &Pools, one_more: bool) {
        let waiting = self.waiting.get();
        let waiting = if one_more { waiting + 1 } else { waiting - 1 };
        self.waiting.set(waiting);
        if spot.as_subscription().is_none() {
            pools.at(spot.component).count_kept(one_more);
        }
    }

    /// Takes the message that is delivered to a receiver next.
    pub(crate) fn pop(&self, spot: ReceiverSlot, pools: &Pools) -> Option<Entry> {
        let mut queues = self.queues.borrow_mut();
        let queue = queues.get_mut(&spot)?;
        let entry = queue.pop_front();
        if queue.is_empty() {
            queues.remove(&spot);
        }
        if entry.is_some() {
            self.count_waiting(spot, pools, false);
        }
        entry
    }

    pub(crate) fn put_back(&self, spot: ReceiverSlot, entry: Entry, pools: &Pools) {
        let mut queues = self.queues.borrow_mut();
        queues.entry(spot).or_default().push_front(entry);
        self.count_waiting(spot, pools, true);
    }

    /// Notes that a message will be kept for a receiver when its send ends.
    pub(super) fn promise(&self, spot: ReceiverSlot, pools: &Pools) {
        *self.promised.borrow_mut().entry(spot).or_default() += 1;
        self.count_waiting(spot, pools, true);
    }

    /// Withdraws a promise at the end of the send, when the message is kept or need not be.
    pub(super) fn withdraw(&self, spot: ReceiverSlot, pools: &Pools) {
        let mut promised = self.promised.borrow_mut();
        let Some(count) = promised.get_mut(&spot) else {
            return;
        };
        *count -= 1;
        if *count == 0 {
            promised.remove(&spot);
        }
        self.count_waiting(spot, pools, false);
    }

    /// Returns `true` if something is kept for a component or a subscriber, or will be when its send ends.
    pub(crate) fn waits_for(&self, spot: ReceiverSlot) -> bool {
        self.queues.borrow().contains_key(&spot) || self.promised.borrow().contains_key(&spot)
    }

    /// Drops the kept messages one by one.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        let queues = self.queues.get_mut().values_mut();
        for queue in queues.chain(self.unborn.get_mut().values_mut()) {
            panics.drop_each(queue.drain(..));
        }
    }

    /// Returns the receivers that messages are kept for, in order of their oldest message.
    pub(crate) fn spots(&self) -> Vec<ReceiverSlot> {
        let queues = self.queues.borrow();
        let mut spots: Vec<ReceiverSlot> = queues.keys().copied().collect();
        sort_by_number(&mut spots, |spot| {
            queues[spot].front().map_or(0, |entry| entry.number)
        });
        spots
    }
}
