//! From a recipient to the components: `send`, `send_mut`, `request` and `request_all` all end
//! in [`World::deliver`].

use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::address::{MessageeId, Recipient};
use crate::dispatch::call::{Call, Header, OnBusy, Replies, Spot, Waiting};
use crate::dispatch::routes::{Route, Routes};
use crate::dispatch::run::RunOne;
use crate::dispatch::verdict::Verdict;
use crate::error::SendError;
use crate::message::{Message, Request};
use crate::receipt::Receipt;
use crate::storage::{AnyPool, HookRef, Record};
use crate::world::{Presence, World};

/// What is done at each stop of a send: at one slot of a pool, or at all of it.
type Visit<'v, M> = dyn FnMut(
        &Route<M>,
        &dyn AnyPool,
        Option<u32>,
        &mut Call<'_, <M as Message>::Reply>,
    ) -> ControlFlow<()>
    + 'v;

/// Who is meant by a recipient other than a plain id.
enum Audience {
    Messagees(SmallVec<[MessageeId; 8]>),
    Everyone,
    Unborn(MessageeId),
}

impl World {
    /// Delivers a message to everybody at the recipient; a busy receiver gets it when it is free.
    pub(crate) fn send<M: Message>(
        &self,
        header: &Header<'_>,
        mut message: M,
    ) -> Result<Receipt, SendError> {
        let routes = self.begin::<M>(header)?;
        if let Some((run, spot)) = self.sole_receiver(routes, header) {
            let pool = self.pool(spot.component);
            let verdict = run(pool, spot.slot, &mut message, header, &mut None);
            return match verdict {
                Verdict::Busy => self.keep_for_one(spot, header, message),
                verdict => Ok(verdict.receipt()),
            };
        }
        self.send_to_many(routes, header, message)
    }

    #[inline(never)]
    fn send_to_many<M: Message>(
        &self,
        routes: &Routes<M>,
        header: &Header<'_>,
        mut message: M,
    ) -> Result<Receipt, SendError> {
        let begun = self.kept.count();
        let mut call = Call::new(header, Replies::Ignore, OnBusy::Keep);
        self.deliver(routes, &mut call, &mut message)?;
        if call.waiting.is_some() {
            return self.keep(begun, call, message);
        }
        Ok(call.receipt())
    }

    /// Delivers an in–out message to everybody at the recipient.
    pub(crate) fn send_mut<M: Message>(
        &self,
        header: &Header<'_>,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        let routes = self.begin::<M>(header)?;
        if let Some((run, spot)) = self.sole_receiver(routes, header) {
            let pool = self.pool(spot.component);
            return match run(pool, spot.slot, message, header, &mut None) {
                Verdict::Busy => Err(self.busy(header, spot)),
                verdict => Ok(verdict.receipt()),
            };
        }
        let mut call = Call::new(header, Replies::Ignore, OnBusy::Refuse);
        self.deliver_now(routes, &mut call, message)?;
        Ok(call.receipt())
    }

    /// Asks everybody at the recipient in turn until somebody answers.
    pub(crate) fn request<M: Request>(
        &self,
        header: &Header<'_>,
        mut message: M,
    ) -> Result<M::Reply, SendError> {
        let routes = self.begin::<M>(header)?;
        let mut first = None;
        if let Some((run, spot)) = self.sole_receiver(routes, header) {
            let pool = self.pool(spot.component);
            let verdict = run(pool, spot.slot, &mut message, header, &mut first);
            if verdict == Verdict::Busy {
                return Err(self.busy(header, spot));
            }
        } else {
            let mut call = Call::new(header, Replies::First(&mut first), OnBusy::Refuse);
            self.deliver_now(routes, &mut call, &mut message)?;
        }
        match first {
            Some(reply) => Ok(reply),
            None => Err(SendError::NoAnswer {
                to: *header.to,
                message: M::NAME,
            }),
        }
    }

    /// Asks everybody at the recipient and collects the answers.
    pub(crate) fn request_all<M: Request>(
        &self,
        header: &Header<'_>,
        mut message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        let routes = self.begin::<M>(header)?;
        let mut all = Vec::new();
        let mut call = Call::new(header, Replies::All(&mut all), OnBusy::Refuse);
        self.deliver_now(routes, &mut call, &mut message)?;
        Ok(all)
    }

    /// What every send begins with: the bound on nesting, what a panic has freed receivers for,
    /// and the routes of the message.
    #[inline]
    fn begin<M: Message>(&self, header: &Header<'_>) -> Result<&'static Routes<M>, SendError> {
        if header.depth <= self.config.max_depth
            && !self.kept.any()
            && let Some(routes) = M::cell().get()
        {
            return Ok(routes);
        }
        self.begin_slowly(header)
    }

    #[cold]
    #[inline(never)]
    fn begin_slowly<M: Message>(
        &self,
        header: &Header<'_>,
    ) -> Result<&'static Routes<M>, SendError> {
        if header.depth > self.config.max_depth {
            return Err(self.too_deep(header));
        }
        self.deliver_overdue(header.parent);
        routes::<M>()
    }

    /// The component and the function of the most common send of all: to one messagee, with a
    /// message that one component type handles, and one component of it at the most. `None` when
    /// it is another kind of send, or nobody is there.
    #[inline]
    fn sole_receiver<M: Message>(
        &self,
        routes: &Routes<M>,
        header: &Header<'_>,
    ) -> Option<(RunOne<M>, Spot)> {
        let Recipient::Id(id) = *header.to else {
            return None;
        };
        let (component, run) = routes.sole()?;
        let record = self.messagees.get(id)?;
        if record.repeats {
            return None;
        }
        let mut hooks = record.hooks.iter();
        let hook = hooks.find(|hook| hook.component == component)?;
        let slot = hook.slot;
        Some((run, Spot { component, slot }))
    }

    /// Delivers what cannot wait: to nobody at all if one of several receivers is busy, since
    /// otherwise the message would have been half sent.
    #[inline(never)]
    fn deliver_now<M: Message>(
        &self,
        routes: &Routes<M>,
        call: &mut Call<'_, M::Reply>,
        message: &mut M,
    ) -> Result<(), SendError> {
        if call.header.parent.is_some() {
            self.refuse_if_busy(routes, call.header)?;
        }
        self.deliver(routes, call, message)?;
        match &call.waiting {
            None => Ok(()),
            Some(waiting) => Err(self.refusal(call.header, waiting)),
        }
    }

    #[cold]
    fn refusal(&self, header: &Header<'_>, waiting: &Waiting) -> SendError {
        match (waiting.unborn, waiting.busy.first()) {
            (None, Some(&busy)) => self.busy(header, busy),
            (unborn, _) => SendError::NotYetSpawned {
                id: unborn.expect("who cannot receive is busy or not yet alive"),
                message: header.message,
            },
        }
    }

    /// That no receiver is busy, asked before any of them is called.
    fn refuse_if_busy<M: Message>(
        &self,
        routes: &Routes<M>,
        header: &Header<'_>,
    ) -> Result<(), SendError> {
        let mut busy = None;
        let mut probe = Call::new(header, Replies::Ignore, OnBusy::Refuse);
        self.targets(routes, &mut probe, &mut |route, pool, slot, _| {
            let found = pool.find_busy(slot, route.shared, header.except());
            busy = found.map(|slot| Spot {
                component: route.component,
                slot,
            });
            match found {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        })?;
        match busy {
            Some(busy) => Err(self.busy(header, busy)),
            None => Ok(()),
        }
    }

    #[cold]
    fn busy(&self, header: &Header<'_>, spot: Spot) -> SendError {
        let pool = self.pool(spot.component);
        SendError::Busy {
            to: *header.to,
            message: header.message,
            id: pool.meta(spot.slot as usize).owner,
            component: pool.component_name(),
            chain: header.chain(),
        }
    }

    /// Runs every handler that a send reaches, in the order of the contract.
    fn deliver<M: Message>(
        &self,
        routes: &Routes<M>,
        call: &mut Call<'_, M::Reply>,
        message: &mut M,
    ) -> Result<(), SendError> {
        self.targets(routes, call, &mut |route, pool, slot, call| match slot {
            Some(slot) => {
                let mut reply = None;
                let verdict = (route.one)(pool, slot, message, call.header, &mut reply);
                call.take(verdict, reply, pool, slot as usize)
            }
            None => (route.all)(pool, message, call),
        })
    }

    #[cold]
    fn too_deep(&self, header: &Header<'_>) -> SendError {
        SendError::TooDeep {
            to: *header.to,
            message: header.message,
            limit: self.config.max_depth,
            chain: header.chain(),
        }
    }

    /// Visits every route that a send takes, with the slots it takes it to. An error comes
    /// before the first visit.
    #[inline(never)]
    fn targets<M: Message>(
        &self,
        routes: &Routes<M>,
        call: &mut Call<'_, M::Reply>,
        visit: &mut Visit<'_, M>,
    ) -> Result<(), SendError> {
        if let Recipient::Id(id) = *call.header.to
            && let Some(record) = self.messagees.get(id)
        {
            let _ = self.targets_of(routes, record, call, visit);
            return Ok(());
        }
        match self.audience(call.header)? {
            Audience::Unborn(id) => call.waiting().unborn = Some(id),
            Audience::Messagees(ids) => {
                let _ = ids.iter().try_for_each(|&id| match self.messagees.get(id) {
                    Some(record) => self.targets_of(routes, record, call, visit),
                    None => ControlFlow::Continue(()),
                });
            }
            Audience::Everyone => {
                let _ = routes.all().iter().try_for_each(|route| {
                    match self.pools.get(route.component as usize) {
                        Some(Some(pool)) => visit(route, &**pool, None, call),
                        _ => ControlFlow::Continue(()),
                    }
                });
            }
        }
        Ok(())
    }

    /// As [`targets`](Self::targets), for one messagee: its components in order of priority, then
    /// of hooking.
    fn targets_of<M: Message>(
        &self,
        routes: &Routes<M>,
        record: &Record,
        call: &mut Call<'_, M::Reply>,
        visit: &mut Visit<'_, M>,
    ) -> ControlFlow<()> {
        let hooks = record.hooks.iter();
        let mut receivers = hooks.filter_map(|hook| Some((routes.of(hook.component)?, hook)));
        let mut visit = |(route, hook): (&Route<M>, &HookRef)| {
            visit(route, self.pool(hook.component), Some(hook.slot), call)
        };
        if !routes.prioritized {
            return receivers.try_for_each(visit);
        }
        let mut receivers: SmallVec<[_; 8]> = receivers.collect();
        receivers.sort_by_key(|(route, _)| std::cmp::Reverse(route.priority));
        receivers.into_iter().try_for_each(&mut visit)
    }

    /// Who is meant, with every reason why nobody can be.
    #[inline(never)]
    fn audience(&self, header: &Header<'_>) -> Result<Audience, SendError> {
        let message = header.message;
        let sender = || {
            header.sender.id().ok_or(SendError::NoSender {
                to: *header.to,
                message,
            })
        };
        let (id, kin) = match *header.to {
            Recipient::Everyone => return Ok(Audience::Everyone),
            Recipient::EveryoneElse => return sender().map(|_| Audience::Everyone),
            Recipient::Me => (sender()?, Kin::Alone),
            Recipient::Id(id) => (id, Kin::Alone),
            Recipient::Up(id) => (id, Kin::Ancestors),
            Recipient::Down(id) => (id, Kin::Descendants),
            Recipient::Mnemonic(mnemonic) => match self.bindings.get(&mnemonic) {
                Some(&id) => (id, Kin::Alone),
                None => {
                    return Err(SendError::Unbound {
                        mnemonic: mnemonic.name(),
                        message,
                    });
                }
            },
        };
        match self.presence(id) {
            Presence::Alive | Presence::Leaving => Ok(Audience::Messagees(match kin {
                Kin::Alone => std::iter::once(id).collect(),
                Kin::Ancestors => self.families.up(id).collect(),
                Kin::Descendants => self.families.down(id).collect(),
            })),
            Presence::Unborn => Ok(Audience::Unborn(id)),
            Presence::Gone => Err(SendError::Gone { id, message }),
            Presence::Foreign => Err(SendError::OtherManager { id, message }),
        }
    }
}

/// Who beside a messagee itself is meant.
enum Kin {
    Alone,
    Ancestors,
    Descendants,
}

#[inline]
pub(crate) fn routes<M: Message>() -> Result<&'static Routes<M>, SendError> {
    match M::cell().get() {
        Some(routes) => Ok(routes),
        None => Err(SendError::Unregistered { message: M::NAME }),
    }
}
