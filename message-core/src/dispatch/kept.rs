//! Messages for components and subscribers that are busy: kept in the order sent, delivered as soon
//! as they are free.
//!
//! A message can be kept for several of them at once, and is shared between them; also with the
//! subscribers that receive it in a stage of their own, and with those to come. Whoever
//! delivers it holds it; only after a panic, which frees several components at once, can another
//! want it meanwhile, and then it waits on.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::panic::Location;
use std::sync::{Arc, Mutex, TryLockError};

use crate::address::{MessageeId, Recipient, Sender, SubscriptionId};
use crate::dispatch::call::{Call, Frame, Posted, Sent, Spot};
use crate::dispatch::deliver::{Source, routes};
use crate::dispatch::verdict::Verdict;
use crate::error::{SendError, Undelivered};
use crate::message::{Message, MessageIndex};
use crate::receipt::Receipt;
use crate::subscription::Shared;
use crate::world::World;

/// A message that somebody receives later.
struct KeptSend<M> {
    message: M,
    sender: Sender,
    to: Recipient,
    place: &'static Location<'static>,
    posted: Posted,
    consumed: bool,
}

/// A kept message of whatever type.
pub(crate) trait Deliver: Send {
    /// Delivers it to one component or subscriber that is free.
    fn deliver(&mut self, world: &World, parent: Option<&Frame<'_>>, spot: Spot);

    /// Delivers it to a subscriber that asked for retained messages, if it passes its filter.
    fn deliver_retained(&mut self, world: &World, at: usize);
}

impl<M: Message> KeptSend<M> {
    fn new(sent: &Sent<'_>, message: M) -> Self {
        Self {
            message,
            sender: sent.sender,
            to: *sent.to,
            place: sent.place,
            posted: Posted::of(sent),
            consumed: false,
        }
    }
}

impl<M: Message> Deliver for KeptSend<M> {
    fn deliver(&mut self, world: &World, parent: Option<&Frame<'_>>, spot: Spot) {
        let sent = Sent {
            parent,
            posted: Some(&self.posted),
            depth: parent.map_or(1, |frame| frame.sent.depth + 1),
            ..Sent::outside::<M>(world, self.sender, &self.to, self.place)
        };
        if self.consumed {
            return;
        }
        if let Some(at) = spot.as_subscription() {
            return world.tell_kept(&sent, at, &self.message, false);
        }
        let Ok(routes) = routes::<M>() else { return };
        let Some(route) = routes.of(spot.component) else {
            return;
        };
        let pool = world.pool(spot.component);
        let verdict = (route.one)(pool, spot.slot, &mut self.message, &sent, &mut None);
        self.consumed = verdict == Verdict::Consumed;
    }

    fn deliver_retained(&mut self, world: &World, at: usize) {
        let sent = Sent {
            posted: Some(&self.posted),
            ..Sent::outside::<M>(world, self.sender, &self.to, self.place)
        };
        world.tell_kept(&sent, at, &self.message, true);
    }
}

/// A whole send that waits for an interceptor to be free.
struct KeptWhole<M> {
    send: Option<KeptSend<M>>,
    /// The number of the interceptor.
    interceptor: u64,
}

impl<M: Message> Deliver for KeptWhole<M> {
    fn deliver(&mut self, world: &World, parent: Option<&Frame<'_>>, _: Spot) {
        let Some(kept) = self.send.take() else { return };
        let sent = Sent {
            parent,
            posted: Some(&kept.posted),
            depth: parent.map_or(1, |frame| frame.sent.depth + 1),
            intercepted: self.interceptor,
            ..Sent::outside::<M>(world, kept.sender, &kept.to, kept.place)
        };
        // Its recipient was there when it was accepted, and nothing structural has changed since.
        let _ = world.send_posted(&sent, &mut Some(kept.message));
    }

    fn deliver_retained(&mut self, _: &World, _: usize) {}
}

struct Entry {
    /// How many messages had been kept before.
    number: u64,
    message: Shared,
}

/// The kept messages of a manager.
#[derive(Default)]
pub(crate) struct Kept {
    queues: RefCell<HashMap<Spot, VecDeque<Entry>>>,
    waiting: Cell<usize>,
    /// How many deliveries have been kept since the outermost send began.
    accepted: Cell<usize>,
    count: Cell<u64>,
    /// The receivers whose queues are being worked off. Whoever does that goes on with the next
    /// message, so that a long queue takes no more of the stack than a short one, and keeps its
    /// order.
    draining: RefCell<Vec<Spot>>,
}

/// A queue that is being worked off; after a panic it is not.
struct Draining<'k>(&'k Kept, Spot);

impl Drop for Draining<'_> {
    fn drop(&mut self) {
        self.0.draining.borrow_mut().retain(|spot| *spot != self.1);
    }
}

impl Kept {
    /// Begins to work off a queue, unless somebody does already.
    fn drain(&self, spot: Spot) -> Option<Draining<'_>> {
        let mut draining = self.draining.borrow_mut();
        if draining.contains(&spot) {
            return None;
        }
        draining.push(spot);
        Some(Draining(self, spot))
    }

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
    fn push(&self, spot: Spot, begun: u64, message: Shared) {
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

/// Calls with a shared message, unless it is being delivered already.
fn with_message(message: &Shared, call: impl FnOnce(&mut dyn Deliver)) -> bool {
    let mut message = match message.try_lock() {
        Ok(message) => message,
        Err(TryLockError::Poisoned(message)) => message.into_inner(),
        Err(TryLockError::WouldBlock) => return false,
    };
    call(&mut *message);
    true
}

impl World {
    /// The end of a send that not everybody has received yet: keeps the message for those who
    /// will, and for later subscribers if it is to be retained.
    #[cold]
    pub(super) fn keep<M: Message>(
        &self,
        begun: u64,
        mut call: Call<'_, M::Reply>,
        source: Source<'_, M>,
        retains: bool,
    ) -> Result<Receipt, SendError> {
        let mut receipt = call.receipt();
        let sent = call.sent;
        let waiting = *call.waiting.take().unwrap_or_default();
        if let Some(newborn) = waiting.unborn {
            receipt.pending = self.keep_for_newborn(newborn, sent, source)?;
            return Ok(receipt);
        }
        let busy: &[Spot] = match &waiting.intercepting {
            Some((spot, _)) => std::slice::from_ref(spot),
            None if call.tally.consumed => &[],
            None => &waiting.busy,
        };
        self.accept_kept(busy.len(), sent)?;
        receipt.pending = busy.len() + waiting.staged.len() - waiting.hidden;
        if busy.is_empty() && waiting.staged.is_empty() && !retains {
            return Ok(receipt);
        }
        let Some(message) = source.keep() else {
            self.bury_uncopied(sent);
            return Ok(Receipt {
                pending: 0,
                ..receipt
            });
        };
        let kept = KeptSend::new(sent, message);
        let message: Shared = match waiting.intercepting {
            Some((_, interceptor)) => Arc::new(Mutex::new(KeptWhole {
                send: Some(kept),
                interceptor,
            })),
            None => Arc::new(Mutex::new(kept)),
        };
        for &spot in busy {
            self.kept.push(spot, begun, Arc::clone(&message));
            self.mark_unsettled();
        }
        for &(spot, stage) in &waiting.staged {
            if !self.wait_for_stage(stage, spot, Arc::clone(&message)) {
                let limit = self.config.max_pending;
                let error = Box::new(SendError::QueueFull {
                    to: *sent.to,
                    message: M::NAME,
                    limit,
                });
                let got = receipt.received;
                self.bury(sent, Undelivered::Refused { error }, got, None);
            }
        }
        if retains && waiting.intercepting.is_none() {
            let of = M::index().expect("a message that was sent is in the registry");
            let to = match (*sent.to, sent.sender) {
                (Recipient::Me, Sender::Messagee(id)) => Recipient::Id(id),
                (to, _) => to,
            };
            drop(self.retained.put(of, to, message));
        }
        Ok(receipt)
    }

    /// The end of a send whose one receiver is busy. Nothing has run since it began.
    #[cold]
    pub(crate) fn keep_for_one<M: Message>(
        &self,
        spot: Spot,
        sent: &Sent<'_>,
        message: M,
    ) -> Result<Receipt, SendError> {
        self.accept_kept(1, sent)?;
        let message = Arc::new(Mutex::new(KeptSend::new(sent, message)));
        self.kept.push(spot, self.kept.count(), message);
        self.mark_unsettled();
        Ok(Receipt {
            pending: 1,
            ..Receipt::default()
        })
    }

    /// Keeps a message for a messagee that is not yet alive. How many components will receive it.
    fn keep_for_newborn<M: Message>(
        &self,
        newborn: MessageeId,
        sent: &Sent<'_>,
        source: Source<'_, M>,
    ) -> Result<usize, SendError> {
        let routes = routes::<M>()?;
        let components = self.newborn_components(newborn);
        let receivers = components.filter(|&component| routes.of(component).is_some());
        let receivers = receivers.count();
        let counting = receivers + self.count_listeners::<M>(sent);
        if counting < sent.wanted() {
            return Err(SendError::NotReceived {
                to: *sent.to,
                message: M::NAME,
                wanted: sent.wanted(),
                got: 0,
                why: if counting == 0 {
                    Undelivered::NoHandler
                } else {
                    Undelivered::TooFew
                },
            });
        }
        self.accept_kept(receivers.max(1), sent)?;
        let message = source.keep();
        let message = message.expect("only a message of its own is sent to who is not yet alive");
        let kept = KeptSend::new(sent, message);
        self.when_born(
            newborn,
            Box::new(move |world| {
                let sent = Sent {
                    posted: Some(&kept.posted),
                    ..Sent::outside::<M>(world, kept.sender, &kept.to, kept.place)
                };
                // It was alive a moment ago, and its despawning would have come after this.
                let _ = world.send_posted(&sent, &mut Some(kept.message));
            }),
        );
        Ok(counting)
    }

    fn accept_kept(&self, deliveries: usize, sent: &Sent<'_>) -> Result<(), SendError> {
        let limit = self.config.max_kept;
        if self.kept.accept(deliveries, limit) {
            return Ok(());
        }
        Err(SendError::TooManyKept {
            to: *sent.to,
            message: sent.message(),
            limit,
            chain: sent.chain(),
        })
    }

    /// Delivers what was kept for a component or a subscriber, if it is free now.
    #[cold]
    pub(crate) fn deliver_kept(&self, parent: Option<&Frame<'_>>, spot: Spot) {
        let Some(_draining) = self.kept.drain(spot) else {
            return;
        };
        while !self.is_running(spot) {
            let Some(entry) = self.kept.pop(spot) else {
                return;
            };
            let deliver = |message: &mut dyn Deliver| message.deliver(self, parent, spot);
            if !with_message(&entry.message, deliver) {
                self.kept.put_back(spot, entry);
                return;
            }
        }
    }

    /// Delivers a shared message to a subscriber whose stage has come.
    pub(super) fn deliver_staged(&self, message: &Shared, id: SubscriptionId) {
        let listed = self.subscriptions.listed(id.0.index());
        if listed.is_some_and(|listed| listed.id() == id) {
            let spot = Spot::subscription(id);
            // Nothing is running, so nobody else holds it.
            with_message(message, |message| message.deliver(self, None, spot));
        }
    }

    /// Queues the delivery of the retained messages of a type, or of all types, to a new subscriber.
    pub(crate) fn tell_retained(&mut self, id: SubscriptionId, of: Option<MessageIndex>) {
        for message in self.retained.all(of) {
            self.next(Box::new(move |world| {
                // Nothing is running, so nobody else holds it.
                with_message(&message, |message| {
                    message.deliver_retained(world, id.0.index());
                });
            }));
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
