//! Keeping a message for those that receive it later.

use std::sync::{Arc, Mutex};

use crate::address::Recipient;
use crate::error::{Limit, Receiver, SendError, Undelivered};
use crate::message::{AnyMessage, OwnedMessage};
use crate::receipt::Receipt;
use crate::send::deferred::send::{Cover, KeptSend, Shared};
use crate::send::{Delivery, OnBusy, Sent, Staging, Waiting};
use crate::structure::{Awaited, Unborn};
use crate::trace::WaitsUntil;

impl Delivery<'_> {
    /// Ends a send that not everybody has received yet: delivers it to the rest of a messagee that it was stopped at, and
    /// keeps it for those that receive it later, and for later subscribers if it is retained, or refuses it.
    #[cold]
    pub(crate) fn keep(
        &mut self,
        message: &mut dyn OwnedMessage,
        retains: bool,
    ) -> Result<Receipt, SendError> {
        self.finish_messagee(message.get());
        if let Some(waiting) = self.waiting.as_deref()
            && self.on_busy == OnBusy::Refuse
            && !waiting.is_for_later()
        {
            return Err(self.sent.cannot_wait(waiting));
        }
        self.carry_met(message.get());
        let mut receipt = self.tally.receipt();
        let sent = self.sent;
        let mut waiting = self.waiting.take().unwrap_or_default();
        receipt.set_unreached(waiting.unreached as usize);
        if let Some(unborn) = waiting.unborn {
            receipt.add_pending(sent.keep_for_unborn(unborn, message)?);
            return Ok(receipt);
        }
        let unborn = waiting.newborns.iter();
        let unborn = unborn.map(|&id| sent.unborn_receivers(Unborn::Messagee(id)));
        let mut unborn: usize = unborn.sum();
        let refused = sent.accept_kept(waiting.busy.len() + unborn).err();
        if refused.is_some() {
            // Those that cannot receive it now never will. Everybody else has received it.
            waiting.keep_only(|_| false);
            unborn = 0;
        }
        receipt.add_pending(match waiting.intercepting {
            // The number of receivers is not known yet.
            Some(_) => sent.wanted().max(1),
            None => waiting.busy.len().saturating_sub(waiting.hidden) + unborn,
        });
        let retains = retains && waiting.intercepting.is_none();
        if retains || !waiting.is_empty() {
            if let Some(message) = message.take() {
                receipt.add_pending(self.share(&mut waiting, message, retains));
            } else {
                sent.bury(Undelivered::NotCloned, self.tally.received, None);
                receipt.pending = 0;
            }
        }
        let refused = refused.or(waiting.not_carried.take());
        refused.map_or(Ok(receipt), Err)
    }

    /// Puts the message into the queues of all that receive it later, who share it. Returns the number of those that
    /// receive it in a stage of their own.
    fn share(
        &self,
        waiting: &mut Waiting<'_>,
        message: Box<dyn AnyMessage>,
        retains: bool,
    ) -> usize {
        let (sent, got) = (self.sent, self.tally.received);
        let later = waiting.staged.iter().map(|staging| staging.counts);
        let mut kept = KeptSend::new(Cover::of(sent), message);
        kept.whole = waiting.intercepting;
        kept.overhearing = std::mem::take(&mut waiting.overhearing);
        kept.got = got + later.sum::<usize>();
        let message: Shared = Arc::new(Mutex::new(kept));
        let (world, queues) = (sent.world, &sent.world.waiting.kept);
        for &spot in &waiting.busy {
            let (message, pools) = (Arc::clone(&message), &world.structure.pools);
            queues.push(spot, self.kept_before, message, pools);
            world.waiting.pending.mark_unsettled();
            sent.trace_waits(|| match spot.receiver(sent) {
                Receiver::Subscription { id, .. } if waiting.intercepting.is_some() => {
                    WaitsUntil::Intercepted(id)
                }
                receiver => WaitsUntil::Free(receiver),
            });
        }
        for &newborn in &waiting.newborns {
            sent.trace_waits(|| WaitsUntil::Alive(newborn));
            let (unborn, message) = (Unborn::Messagee(newborn), Arc::clone(&message));
            queues.push_unborn(unborn, self.kept_before, message);
        }
        let staged = waiting.staged.iter();
        let staged = staged.map(|&staging| sent.keep_for_stage(staging, &message, got));
        let staged = staged.sum();
        if retains {
            sent.retain(self.switches, &waiting.told, message);
        }
        staged
    }
}

impl Sent<'_> {
    /// Keeps a message for a subscriber that receives it in a stage of its own. Returns the number of
    /// receivers this counts for. `got` is the number that have received it.
    fn keep_for_stage(&self, staging: Staging, message: &Shared, got: usize) -> usize {
        let Staging {
            spot,
            stage,
            counts,
        } = staging;
        self.trace_waits(|| WaitsUntil::Stage(stage));
        let (listen, most) = (&self.world.listen, self.world.common.config.max_pending);
        let lane = stage.lane().expect("a stage of its own is not `Immediate`");
        let lane = &listen.staged.lanes[lane];
        let it = spot
            .as_subscription()
            .and_then(|at| listen.subscriptions.at(at));
        let Some(it) = it else { return 0 };
        if lane.borrow().len() >= most {
            let error = self.at_limit(Limit::Pending { most, bulk: None });
            self.bury(Undelivered::Refused { error }, got, None);
            return 0;
        }
        if !it.reserve() {
            return 0;
        }
        lane.borrow_mut().push_back((it.id(), Arc::clone(message)));
        counts
    }

    /// Returns the number of components that will receive the message, of a receiver that is not yet there. A component
    /// will not if it or its messagee leaves at once.
    fn unborn_receivers(&self, unborn: Unborn) -> usize {
        let structure = &self.world.structure;
        let awaited = structure.expected.look(unborn, Awaited::clone);
        let stays = |it: &Awaited| !it.leaving && structure.check_stays(it.owner).is_ok();
        let components = awaited.filter(stays).map(|it| it.components);
        let components = components.into_iter().flatten();
        let components = components.filter_map(|of| structure.pools.index_of(of));
        let table = self.facts.table();
        let handles = |&of: &u32| table.is_some_and(|table| table.route_to(of).is_some());
        components.filter(handles).count()
    }

    /// Keeps a message for a receiver that is not yet there. Returns the number of receivers this counts
    /// for.
    fn keep_for_unborn(
        &self,
        unborn: Unborn,
        message: &mut dyn OwnedMessage,
    ) -> Result<usize, SendError> {
        let receivers = self.unborn_receivers(unborn);
        let counting = receivers + self.count_listeners();
        if counting < self.wanted() {
            let why = if counting == 0 {
                Undelivered::NoHandler
            } else {
                Undelivered::TooFew
            };
            return Err(self.not_received(0, why));
        }
        self.accept_kept(receivers.max(1))?;
        self.trace_waits(|| match unborn {
            Unborn::Messagee(id) => WaitsUntil::Alive(id),
            Unborn::Component(hook) => WaitsUntil::Hooked(hook),
        });
        let message = message.take();
        let message = message.expect("only a message of its own is sent to who is not yet alive");
        let mut cover = Cover::of(self);
        if let Unborn::Messagee(id) = unborn {
            // It is for that one, whatever its recipient will mean.
            cover.resolved = Recipient::Id(id);
        }
        let mut kept = KeptSend::new(cover, message);
        kept.whole = Some(0);
        // Nothing else was kept between the send and now.
        let queues = &self.world.waiting.kept;
        queues.push_unborn(unborn, queues.count(), Arc::new(Mutex::new(kept)));
        Ok(counting)
    }

    /// Checks that this number of deliveries may be kept, for receivers that are busy or not yet alive.
    fn accept_kept(&self, deliveries: usize) -> Result<(), SendError> {
        let (waiting, limit) = (&self.world.waiting, self.world.common.config.max_kept);
        if waiting.kept.accept(deliveries, limit) {
            return Ok(());
        }
        let error = self.at_limit(Limit::Kept(limit));
        if self.parent.is_some() {
            let mut not_kept = waiting.failures.not_kept.borrow_mut();
            not_kept.get_or_insert_with(|| error.clone());
            waiting.pending.mark_unsettled();
        }
        Err(error)
    }
}
