//! Messages for components that are busy: kept in the order sent, delivered as soon as the
//! component is free.
//!
//! A message can be kept for several components at once, and is shared between them. Whoever
//! delivers it holds it; only after a panic, which frees several components at once, can another
//! want it meanwhile, and then it waits on.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::panic::Location;
use std::sync::{Arc, Mutex, TryLockError};

use crate::address::{MessageeId, Recipient, Sender};
use crate::dispatch::call::{Call, Frame, Header, Spot};
use crate::dispatch::deliver::routes;
use crate::dispatch::verdict::Verdict;
use crate::error::SendError;
use crate::message::Message;
use crate::receipt::Receipt;
use crate::world::World;

/// A message that waits for components to be free.
struct KeptSend<M> {
    message: M,
    sender: Sender,
    to: Recipient,
    place: &'static Location<'static>,
    consumed: bool,
}

/// A kept message of whatever type.
trait Deliver: Send {
    fn deliver(&mut self, world: &World, parent: Option<&Frame<'_>>, spot: Spot);
}

impl<M: Message> Deliver for KeptSend<M> {
    fn deliver(&mut self, world: &World, parent: Option<&Frame<'_>>, spot: Spot) {
        let Ok(routes) = routes::<M>() else { return };
        let Some(route) = routes.of(spot.component) else {
            return;
        };
        if self.consumed {
            return;
        }
        let header = Header {
            parent,
            depth: parent.map_or(1, |frame| frame.header.depth + 1),
            kept: true,
            ..Header::outside::<M>(world, self.sender, &self.to, self.place)
        };
        let pool = world.pool(spot.component);
        let verdict = (route.one)(pool, spot.slot, &mut self.message, &header, &mut None);
        self.consumed = verdict == Verdict::Consumed;
    }
}

#[derive(Clone)]
struct Entry {
    /// How many messages had been kept before.
    number: u64,
    message: Arc<Mutex<dyn Deliver>>,
}

/// The kept messages of a manager.
#[derive(Default)]
pub(crate) struct Kept {
    queues: RefCell<HashMap<Spot, VecDeque<Entry>>>,
    waiting: Cell<usize>,
    /// How many deliveries have been kept since the outermost send began.
    accepted: Cell<usize>,
    count: Cell<u64>,
}

impl Kept {
    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.waiting.get() != 0
    }

    /// How many messages have been kept so far: taken down when a send begins, it tells which of
    /// the messages kept by then were sent before it.
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        self.count.get()
    }

    /// A new outermost send begins.
    pub(crate) fn restart_count(&self) {
        self.accepted.set(0);
    }

    fn accept(&self, deliveries: usize, limit: usize) -> bool {
        let accepted = self.accepted.get() + deliveries;
        let fits = accepted <= limit;
        if fits {
            self.accepted.set(accepted);
        }
        fits
    }

    /// Keeps a message behind those that were kept when its send began. What was kept since then
    /// was sent by its receivers, and so after it.
    fn push(&self, spot: Spot, begun: u64, message: Arc<Mutex<dyn Deliver>>) {
        let number = self.count.replace(self.count.get() + 1);
        let mut queues = self.queues.borrow_mut();
        let queue = queues.entry(spot).or_default();
        let since = queue.iter().rev();
        let since = since.take_while(|entry| entry.number >= begun);
        let at = queue.len() - since.count();
        queue.insert(at, Entry { number, message });
        self.waiting.set(self.waiting.get() + 1);
    }

    fn pop(&self, spot: Spot) -> Option<Entry> {
        let mut queues = self.queues.borrow_mut();
        let queue = queues.get_mut(&spot)?;
        let entry = queue.pop_front();
        if queue.is_empty() {
            queues.remove(&spot);
        }
        if entry.is_some() {
            self.waiting.set(self.waiting.get() - 1);
        }
        entry
    }

    fn put_back(&self, spot: Spot, entry: Entry) {
        let mut queues = self.queues.borrow_mut();
        queues.entry(spot).or_default().push_front(entry);
        self.waiting.set(self.waiting.get() + 1);
    }

    /// The components that something is kept for, the one that has waited longest first.
    fn spots(&self) -> Vec<Spot> {
        let queues = self.queues.borrow();
        let mut spots: Vec<Spot> = queues.keys().copied().collect();
        spots.sort_by_key(|spot| queues[spot].front().map(|entry| entry.number));
        spots
    }

    /// The component that has waited longest.
    pub(crate) fn first(&self) -> Option<Spot> {
        let queues = self.queues.borrow();
        let fronts = queues.iter();
        let oldest = fronts.min_by_key(|(_, queue)| queue.front().map(|entry| entry.number))?;
        Some(*oldest.0)
    }
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kept")
            .field("waiting", &self.waiting.get())
            .finish_non_exhaustive()
    }
}

impl World {
    /// The end of a send that could not reach everybody: keeps the message for those who will
    /// receive it.
    #[cold]
    pub(crate) fn keep<M: Message>(
        &self,
        begun: u64,
        mut call: Call<'_, M::Reply>,
        message: M,
    ) -> Result<Receipt, SendError> {
        let mut receipt = call.receipt();
        let waiting = call.waiting.take().unwrap_or_default();
        if let Some(newborn) = waiting.unborn {
            receipt.pending = self.keep_for_newborn(newborn, call.header, message)?;
        } else if !call.tally.consumed {
            receipt.pending = waiting.busy.len();
            self.keep_for_busy(begun, &waiting.busy, call.header, message)?;
        }
        Ok(receipt)
    }

    /// The end of a send whose one receiver is busy. Nothing has run since it began.
    #[cold]
    pub(crate) fn keep_for_one<M: Message>(
        &self,
        spot: Spot,
        header: &Header<'_>,
        message: M,
    ) -> Result<Receipt, SendError> {
        self.keep_for_busy(self.kept.count(), &[spot], header, message)?;
        Ok(Receipt {
            pending: 1,
            ..Receipt::default()
        })
    }

    /// Keeps a message for components that are busy.
    fn keep_for_busy<M: Message>(
        &self,
        begun: u64,
        spots: &[Spot],
        header: &Header<'_>,
        message: M,
    ) -> Result<(), SendError> {
        self.accept_kept(spots.len(), header)?;
        let message: Arc<Mutex<dyn Deliver>> = Arc::new(Mutex::new(KeptSend {
            message,
            sender: header.sender,
            to: *header.to,
            place: header.place,
            consumed: false,
        }));
        for &spot in spots {
            let message = Arc::clone(&message);
            self.kept.push(spot, begun, message);
        }
        self.mark_unsettled();
        Ok(())
    }

    /// Keeps a message for a messagee that is not yet alive. How many components will receive it.
    fn keep_for_newborn<M: Message>(
        &self,
        newborn: MessageeId,
        header: &Header<'_>,
        message: M,
    ) -> Result<usize, SendError> {
        let routes = routes::<M>()?;
        let components = self.newborn_components(newborn);
        let receivers = components.filter(|&component| routes.of(component).is_some());
        let receivers = receivers.count();
        self.accept_kept(receivers.max(1), header)?;
        let (sender, place, to) = (header.sender, header.place, *header.to);
        self.when_born(
            newborn,
            Box::new(move |world| {
                let header = Header::outside::<M>(world, sender, &to, place);
                // It was alive a moment ago, and its despawning would have come after this.
                let _ = world.send(&header, message);
            }),
        );
        Ok(receivers)
    }

    fn accept_kept(&self, deliveries: usize, header: &Header<'_>) -> Result<(), SendError> {
        let limit = self.config.max_kept;
        if self.kept.accept(deliveries, limit) {
            return Ok(());
        }
        Err(SendError::TooManyKept {
            to: *header.to,
            message: header.message,
            limit,
            chain: header.chain(),
        })
    }

    /// Delivers what was kept for a component, if it is free now.
    #[cold]
    pub(crate) fn deliver_kept(&self, parent: Option<&Frame<'_>>, spot: Spot) {
        while !self.pool(spot.component).is_busy(spot.slot as usize, false) {
            let Some(entry) = self.kept.pop(spot) else {
                return;
            };
            let mut message = match entry.message.try_lock() {
                Ok(message) => message,
                Err(TryLockError::Poisoned(message)) => message.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    self.kept.put_back(spot, entry.clone());
                    return;
                }
            };
            message.deliver(self, parent, spot);
        }
    }

    /// Delivers what was kept for components that a panic has freed. It was sent before whatever
    /// is sent now.
    #[cold]
    pub(crate) fn deliver_overdue(&self, parent: Option<&Frame<'_>>) {
        for spot in self.kept.spots() {
            self.deliver_kept(parent, spot);
        }
    }
}
