//! Messages for components that are busy: kept in the order sent, delivered as soon as the
//! component is free.
//!
//! A message can be kept for several components at once. They never want it at the same time: a
//! component is busy because it is further out in the chain of running handlers, and one that is
//! further out becomes free later. So the message is shared, and whoever delivers it holds it.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::Location;
use std::sync::{Arc, Mutex, PoisonError};

use crate::address::{MessageeId, Recipient, Sender};
use crate::dispatch::call::{Call, Farewell, Frame, Header, OnBusy, Origin, Replies, Spot};
use crate::dispatch::deliver::routes;
use crate::error::SendError;
use crate::message::Message;
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
        let origin = Origin {
            sender: self.sender,
            parent,
            place: self.place,
        };
        let header = Header {
            world,
            origin,
            to: self.to,
            message: M::NAME,
            depth: origin.depth(),
            farewell: Farewell::None,
        };
        let mut call = Call::new(&header, Replies::Ignore, OnBusy::Keep);
        let slots = spot.slot..spot.slot + 1;
        let flow = (route.run)(world.pool(spot.component), slots, &mut self.message, &mut call);
        self.consumed = flow == ControlFlow::Break(());
    }
}

struct Entry {
    /// The number of the send, by which the queues are sorted.
    sequence: u64,
    message: Arc<Mutex<dyn Deliver>>,
}

/// The kept messages of a manager.
#[derive(Default)]
pub(crate) struct Kept {
    queues: RefCell<HashMap<Spot, VecDeque<Entry>>>,
    waiting: Cell<usize>,
    /// How many deliveries have been kept since the outermost send began.
    accepted: Cell<usize>,
    sequence: Cell<u64>,
}

impl Kept {
    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.waiting.get() != 0
    }

    #[inline]
    pub(crate) fn next_sequence(&self) -> u64 {
        self.sequence.replace(self.sequence.get() + 1)
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

    fn push(&self, spot: Spot, entry: Entry) {
        let mut queues = self.queues.borrow_mut();
        let queue = queues.entry(spot).or_default();
        let behind = queue.iter().rev();
        let behind = behind.take_while(|other| other.sequence > entry.sequence);
        let at = queue.len() - behind.count();
        queue.insert(at, entry);
        self.waiting.set(self.waiting.get() + 1);
    }

    fn pop(&self, spot: Spot) -> Option<Arc<Mutex<dyn Deliver>>> {
        let mut queues = self.queues.borrow_mut();
        let queue = queues.get_mut(&spot)?;
        let entry = queue.pop_front();
        if queue.is_empty() {
            queues.remove(&spot);
        }
        let entry = entry?;
        self.waiting.set(self.waiting.get() - 1);
        Some(entry.message)
    }

    /// The component that has waited longest.
    pub(crate) fn first(&self) -> Option<Spot> {
        let queues = self.queues.borrow();
        let fronts = queues.iter();
        let oldest = fronts.min_by_key(|(_, queue)| queue.front().map(|entry| entry.sequence))?;
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
    /// Keeps a message for components that are busy.
    #[cold]
    pub(crate) fn keep<M: Message>(
        &self,
        sequence: u64,
        spots: &[Spot],
        header: &Header<'_>,
        message: M,
    ) -> Result<(), SendError> {
        self.accept_kept(spots.len(), header)?;
        let message: Arc<Mutex<dyn Deliver>> = Arc::new(Mutex::new(KeptSend {
            message,
            sender: header.origin.sender,
            to: header.to,
            place: header.origin.place,
            consumed: false,
        }));
        for &spot in spots {
            let message = Arc::clone(&message);
            self.kept.push(spot, Entry { sequence, message });
        }
        self.mark_unsettled();
        Ok(())
    }

    /// Keeps a message for a messagee that is not yet alive. How many components will receive it.
    #[cold]
    pub(crate) fn keep_for_newborn<M: Message>(
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
        let (sender, place, to) = (header.origin.sender, header.origin.place, header.to);
        self.when_born(
            newborn,
            Box::new(move |world| {
                let origin = Origin {
                    sender,
                    parent: None,
                    place,
                };
                // It was alive a moment ago, and its despawning would have come after this.
                let _ = world.send(origin, to, message);
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
            to: header.to,
            message: header.message,
            limit,
            chain: header.origin.chain(self),
        })
    }

    /// Delivers what was kept for a component, if it is free now.
    #[cold]
    pub(crate) fn deliver_kept(&self, parent: Option<&Frame<'_>>, spot: Spot) {
        while !self.pool(spot.component).is_busy(spot.slot as usize, false) {
            let Some(message) = self.kept.pop(spot) else {
                return;
            };
            let mut message = message.lock().unwrap_or_else(PoisonError::into_inner);
            message.deliver(self, parent, spot);
        }
    }
}
