//! Keeping a message for those that receive it later, and delivering kept messages.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use crate::address::{HookId, MessageeId, SubscriptionId};
use crate::error::{SendError, SendErrorKind, Undelivered};
use crate::receipt::Receipt;
use crate::send::call::{Delivery, Frame, ReceiverSlot, Sent, Staging, Unborn};
use crate::send::deferred::Deliver;
use crate::send::deferred::send::{KeptSend, KeptWhole};
use crate::send::erased::Source;
use crate::storage::Pools;
use crate::subscription::Shared;
use crate::trace::WaitsUntil;
use crate::world::{Task, World};

/// A shared message that is being delivered.
pub(super) struct Delivering<'a> {
    world: &'a World,
    shared: &'a Shared,
    pub(super) message: MutexGuard<'a, dyn Deliver + 'static>,
}

impl<'a> Delivering<'a> {
    /// Begins to deliver a shared message. Returns `None` if it is being delivered already.
    pub(super) fn begin(world: &'a World, shared: &'a Shared) -> Option<Self> {
        let message = match shared.try_lock() {
            Ok(message) => message,
            Err(TryLockError::Poisoned(message)) => message.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(Self {
            world,
            shared,
            message,
        })
    }
}

/// Reports lost receivers when the outermost send ends, also after a panic.
impl Drop for Delivering<'_> {
    fn drop(&mut self) {
        if self.message.owes_letter() {
            self.world.bury_later(Arc::clone(self.shared));
        }
    }
}

impl Pools {
    /// Updates the count of kept messages in the pool of a component.
    fn count_kept(&self, spot: ReceiverSlot, one_more: bool) {
        if spot.as_subscription().is_none() {
            self.at(spot.component).roster().count_kept(one_more);
        }
    }
}

impl World {
    /// Delivers the messages kept for a component or a subscriber, if it is free now.
    #[cold]
    pub(crate) fn deliver_kept(&self, parent: Option<&Frame<'_>>, spot: ReceiverSlot) {
        let Some(_draining) = self.waiting.kept.drain(spot) else {
            return;
        };
        let is_running = || match spot.as_subscription() {
            None => {
                let pool = self.structure.pools.at(spot.component);
                pool.is_busy(spot.slot as usize, false)
            }
            Some(at) => {
                let subscriptions = &self.listen.subscriptions;
                let it = subscriptions.at(at);
                it.is_some_and(|it| subscriptions.is_running(it))
            }
        };
        while !is_running() {
            let Some(entry) = self.waiting.kept.pop(spot) else {
                return;
            };
            self.structure.pools.count_kept(spot, false);
            let Some(mut delivering) = Delivering::begin(self, &entry.message) else {
                self.waiting.kept.put_back(spot, entry);
                self.structure.pools.count_kept(spot, true);
                return;
            };
            delivering.message.deliver(self, parent, spot);
        }
    }

    /// Queues the dead letter of a kept message for the end of the outermost send, since more receivers can
    /// be lost until then.
    #[cold]
    fn bury_later(&self, message: Shared) {
        self.later(move |world| {
            // No handler is running, so nobody else holds it.
            let is_last = Arc::strong_count(&message) == 1;
            if let Some(mut delivering) = Delivering::begin(world, &message) {
                delivering.message.bury(world, is_last);
            }
        });
    }

    /// Notes that a message will be kept for a busy receiver when its send ends.
    pub(crate) fn promise(&self, spot: ReceiverSlot) {
        self.waiting.kept.promise(spot);
        self.structure.pools.count_kept(spot, true);
    }

    /// Withdraws a promise at the end of the send, when the message is kept or need not be.
    pub(crate) fn withdraw(&self, spot: ReceiverSlot) {
        self.waiting.kept.withdraw(spot);
        self.structure.pools.count_kept(spot, false);
    }

    /// Delivers a shared message to a subscriber whose stage has come.
    pub(crate) fn deliver_staged(&self, message: &Shared, id: SubscriptionId) {
        if self.listen.subscriptions.find(id).is_some() {
            let spot = ReceiverSlot::subscription(id);
            // No handler is running, so nobody else holds it.
            if let Some(mut delivering) = Delivering::begin(self, message) {
                delivering.message.deliver_staged(self, spot);
            }
        }
    }

    /// Delivers the messages kept for receivers that a panic has freed, since they were sent before the
    /// message that is sent now.
    #[cold]
    pub(crate) fn deliver_overdue(&self, parent: Option<&Frame<'_>>) {
        for spot in self.waiting.kept.spots() {
            self.deliver_kept(parent, spot);
        }
    }
}

impl Delivery<'_> {
    /// Ends a send that not everybody has received yet: keeps the message for those that will, and for
    /// later subscribers if it is retained.
    #[cold]
    pub(crate) fn keep(
        &mut self,
        mut source: Source<'_>,
        retains: bool,
    ) -> Result<Receipt, SendError> {
        self.carry_met(source.get());
        let mut receipt = self.tally.receipt();
        let (sent, world, begun) = (self.sent, self.sent.world, self.kept);
        let mut waiting = self.waiting.take().unwrap_or_default();
        receipt.set_unreached(waiting.unreached as usize);
        let retains = retains && waiting.intercepting.is_none();
        if let Some(unborn) = waiting.unborn {
            receipt.add_pending(sent.keep_for_unborn(unborn, source)?);
            return Ok(receipt);
        }
        if self.tally.consumed {
            // Nobody else receives it.
            waiting.newborns.clear();
            waiting.staged.clear();
        }
        let mut newborns: &[MessageeId] = &waiting.newborns;
        let not_carried = waiting.not_carried.take();
        let overhearing = std::mem::take(&mut waiting.overhearing);
        let told = std::mem::take(&mut waiting.told);
        let mut busy: &[ReceiverSlot] = match &waiting.intercepting {
            Some((spot, _)) => std::slice::from_ref(spot),
            None if self.tally.consumed => &[],
            None => waiting.busy(),
        };
        let unborn = newborns.iter().map(|&id| sent.newborn_receivers(id));
        let mut unborn: usize = unborn.sum();
        let refused = sent.accept_kept(busy.len() + unborn).err();
        if refused.is_some() {
            // Those that cannot receive it now never will. Everybody else has received it.
            (busy, newborns, unborn) = (&[], &[], 0);
        }
        receipt.add_pending(match waiting.intercepting {
            // The number of receivers is not known yet.
            Some(_) => sent.wanted().max(1),
            None => busy.len().saturating_sub(waiting.hidden) + unborn,
        });
        let answer = |receipt| refused.or(not_carried).map_or(Ok(receipt), Err);
        if busy.is_empty() && newborns.is_empty() && waiting.staged.is_empty() && !retains {
            return answer(receipt);
        }
        let Some(message) = source.keep() else {
            sent.bury(Undelivered::NotCloned, self.tally.received, None);
            return answer(Receipt {
                pending: 0,
                ..receipt
            });
        };
        let staged = waiting.staged.iter().map(|staging| staging.counts);
        let got = self.tally.received + staged.sum::<usize>();
        let kept = KeptSend::new(sent, message)
            .overheard_at(overhearing)
            .received_by(got);
        let message: Shared = match waiting.intercepting {
            Some((_, interceptor)) => Arc::new(Mutex::new(KeptWhole {
                send: Some(kept),
                interceptor,
            })),
            None => Arc::new(Mutex::new(kept)),
        };
        for &spot in busy {
            world.waiting.kept.push(spot, begun, Arc::clone(&message));
            world.structure.pools.count_kept(spot, true);
            world.waiting.pending.mark_unsettled();
            if world.trace.is_on() {
                sent.trace_waits(spot, waiting.intercepting.is_some());
            }
        }
        for &newborn in newborns {
            sent.keep_for_one_of_many(newborn, begun, &message);
        }
        for &staging in &waiting.staged {
            let received = self.tally.received;
            receipt.add_pending(sent.keep_for_stage(staging, &message, received));
        }
        if retains {
            sent.retain(self.begun, &told, message);
        }
        answer(receipt)
    }
}

impl Sent<'_> {
    /// Returns `true` if components of a type have a handler for the message.
    fn is_handled_by(&self, component: u32) -> bool {
        let table = self.facts.table();
        table.is_some_and(|table| table.route_to(component).is_some())
    }

    /// Keeps a message for a messagee that is not yet alive, as part of a larger audience.
    fn keep_for_one_of_many(&self, newborn: MessageeId, begun: u64, message: &Shared) {
        if self.world.trace.is_on() {
            self.world
                .trace
                .waits(self.subject(), WaitsUntil::Alive(newborn));
        }
        let message = Arc::clone(message);
        self.world.waiting.pending.when_born(
            newborn,
            begun,
            Box::new(move |world| {
                // No handler is running, so nobody else holds it.
                if let Some(mut delivering) = Delivering::begin(world, &message) {
                    delivering.message.deliver_to_newborn(world, newborn);
                }
            }),
            &self.world.waiting.kept,
        );
    }

    /// Keeps a message for a subscriber that receives it in a stage of its own. Returns the number of
    /// receivers this counts for. `got` is the number that have received it.
    fn keep_for_stage(&self, staging: Staging, message: &Shared, got: usize) -> usize {
        if self.world.trace.is_on() {
            self.world
                .trace
                .waits(self.subject(), WaitsUntil::Stage(staging.stage));
        }
        let limit = self.world.common.config.max_pending;
        match self.world.listen.wait_for_stage(staging, message, limit) {
            Ok(waits) => usize::from(waits) * staging.counts,
            Err(limit) => {
                let error = SendErrorKind::QueueFull {
                    to: *self.to,
                    message: self.message(),
                    limit,
                    bulk: None,
                    chain: self.chain_at_limit(),
                };
                let error = error.into();
                self.bury(Undelivered::Refused { error }, got, None);
                0
            }
        }
    }

    /// Returns the number of components that will receive the message, of a messagee that is not yet alive.
    fn newborn_receivers(&self, newborn: MessageeId) -> usize {
        let structure = &self.world.structure;
        let components = structure.expected.newborn_components(newborn).into_iter();
        let components = components.filter_map(|of| structure.pools.index_of(of));
        components.filter(|&it| self.is_handled_by(it)).count()
    }

    /// Returns `true` if a component that is not yet attached will receive the message. It will not if it or
    /// its messagee leaves at once.
    fn awaited_receives(&self, hook: HookId) -> bool {
        let structure = &self.world.structure;
        let awaited = structure.expected.awaited_to_stay(hook);
        awaited.is_some_and(|awaited| {
            let component = structure.pools.index_of(awaited.component);
            structure.check_stays(awaited.owner).is_ok()
                && component.is_some_and(|component| self.is_handled_by(component))
        })
    }

    /// Keeps a message for a receiver that is not yet there. Returns the number of receivers this counts
    /// for.
    fn keep_for_unborn(&self, unborn: Unborn, source: Source<'_>) -> Result<usize, SendError> {
        let receivers = match unborn {
            Unborn::Messagee(id) => self.newborn_receivers(id),
            Unborn::Component(hook) => usize::from(self.awaited_receives(hook)),
        };
        let counting = receivers + self.count_listeners();
        if counting < self.wanted() {
            return Err(SendErrorKind::NotReceived {
                to: *self.to,
                message: self.message(),
                wanted: self.wanted(),
                got: 0,
                why: if counting == 0 {
                    Undelivered::NoHandler
                } else {
                    Undelivered::TooFew
                },
            }
            .into());
        }
        self.accept_kept(receivers.max(1))?;
        if self.world.trace.is_on() {
            self.world.trace.waits(
                self.subject(),
                match unborn {
                    Unborn::Messagee(id) => WaitsUntil::Alive(id),
                    Unborn::Component(hook) => WaitsUntil::Hooked(hook),
                },
            );
        }
        let message = source.keep();
        let message = message.expect("only a message of its own is sent to who is not yet alive");
        let mut kept = KeptSend::new(self, message);
        if let Unborn::Messagee(id) = unborn {
            kept = kept.for_one(id);
        }
        let task: Task = Box::new(move |world| kept.deliver_whole(world, None, 0));
        match unborn {
            // Nothing else was kept between the send and now.
            Unborn::Messagee(id) => {
                let begun = self.world.waiting.kept.count();
                self.world
                    .waiting
                    .pending
                    .when_born(id, begun, task, &self.world.waiting.kept);
            }
            Unborn::Component(hook) => self.world.waiting.pending.when_hooked(hook, task),
        }
        Ok(counting)
    }

    /// Checks that this number of deliveries may be kept, for receivers that are busy or not yet alive.
    #[inline]
    fn accept_kept(&self, deliveries: usize) -> Result<(), SendError> {
        if self
            .world
            .waiting
            .kept
            .accept(deliveries, self.world.common.config.max_kept)
        {
            return Ok(());
        }
        Err(self.too_many_kept())
    }

    #[cold]
    fn too_many_kept(&self) -> SendError {
        let error: SendError = SendErrorKind::TooManyKept {
            to: *self.to,
            message: self.message(),
            limit: self.world.common.config.max_kept,
            chain: self.chain_at_limit(),
        }
        .into();
        if self.parent.is_some() {
            self.world.waiting.note_not_kept(&error);
        }
        error
    }
}
