//! From a recipient to the components: `send`, `send_mut`, `request` and `request_all` all end
//! in [`World::deliver`].

use std::ops::{ControlFlow, Range};

use smallvec::SmallVec;

use crate::address::{MessageeId, Recipient};
use crate::dispatch::call::{Call, Farewell, Header, OnBusy, Origin, Replies, Spot};
use crate::dispatch::routes::{Route, Routes};
use crate::error::SendError;
use crate::message::{Message, Request};
use crate::receipt::Receipt;
use crate::storage::AnyPool;
use crate::world::{Presence, World};

/// Every slot of a pool.
const ALL_SLOTS: Range<u32> = 0..u32::MAX;

/// Who is meant by a recipient other than a plain id.
enum Audience {
    Messagees(SmallVec<[MessageeId; 8]>),
    Everyone { except: Option<MessageeId> },
    Unborn(MessageeId),
}

impl World {
    /// Delivers a message to everybody at the recipient; a busy receiver gets it when it is free.
    pub(crate) fn send<M: Message>(
        &self,
        origin: Origin<'_>,
        to: Recipient,
        message: M,
    ) -> Result<Receipt, SendError> {
        self.send_as(origin, to, message, Farewell::None)
    }

    pub(crate) fn send_as<M: Message>(
        &self,
        origin: Origin<'_>,
        to: Recipient,
        mut message: M,
        farewell: Farewell,
    ) -> Result<Receipt, SendError> {
        let sequence = self.kept.next_sequence();
        let mut header = self.header::<M>(origin, to)?;
        header.farewell = farewell;
        let mut call = Call::new(&header, Replies::Ignore, OnBusy::Keep);
        self.deliver(&mut call, &mut message)?;
        let mut receipt = Receipt {
            received: call.received,
            pending: 0,
            failed: call.failed,
            consumed: call.consumed,
        };
        if let Some(unborn) = call.unborn {
            receipt.pending = self.keep_for_newborn(unborn, &header, message)?;
        } else if !call.busy.is_empty() && !call.consumed {
            receipt.pending = call.busy.len();
            self.keep(sequence, &call.busy, &header, message)?;
        }
        Ok(receipt)
    }

    /// Delivers an in–out message to everybody at the recipient.
    pub(crate) fn send_mut<M: Message>(
        &self,
        origin: Origin<'_>,
        to: Recipient,
        message: &mut M,
    ) -> Result<Receipt, SendError> {
        let header = self.header::<M>(origin, to)?;
        let mut call = Call::new(&header, Replies::Ignore, OnBusy::Refuse);
        self.deliver_now(&mut call, message)?;
        Ok(Receipt {
            received: call.received,
            pending: 0,
            failed: call.failed,
            consumed: call.consumed,
        })
    }

    /// Asks everybody at the recipient in turn until somebody answers.
    pub(crate) fn request<M: Request>(
        &self,
        origin: Origin<'_>,
        to: Recipient,
        mut message: M,
    ) -> Result<M::Reply, SendError> {
        let mut first = None;
        let header = self.header::<M>(origin, to)?;
        let mut call = Call::new(&header, Replies::First(&mut first), OnBusy::Refuse);
        self.deliver_now(&mut call, &mut message)?;
        first.ok_or(SendError::NoAnswer {
            to,
            message: M::NAME,
        })
    }

    /// Asks everybody at the recipient and collects the answers.
    pub(crate) fn request_all<M: Request>(
        &self,
        origin: Origin<'_>,
        to: Recipient,
        mut message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, SendError> {
        let mut all = Vec::new();
        let header = self.header::<M>(origin, to)?;
        let mut call = Call::new(&header, Replies::All(&mut all), OnBusy::Refuse);
        self.deliver_now(&mut call, &mut message)?;
        Ok(all)
    }

    #[inline]
    fn header<'a, M: Message>(
        &'a self,
        origin: Origin<'a>,
        to: Recipient,
    ) -> Result<Header<'a>, SendError> {
        let depth = origin.depth();
        if depth > self.config.max_depth {
            return Err(self.too_deep(origin, to, M::NAME));
        }
        Ok(Header {
            world: self,
            origin,
            to,
            message: M::NAME,
            depth,
            farewell: Farewell::None,
        })
    }

    #[cold]
    fn too_deep(&self, origin: Origin<'_>, to: Recipient, message: &'static str) -> SendError {
        SendError::TooDeep {
            to,
            message,
            limit: self.config.max_depth,
            chain: origin.chain(self),
        }
    }

    /// Delivers what cannot wait: to nobody at all if one of several receivers is busy, since
    /// otherwise the message would have been half sent.
    fn deliver_now<M: Message>(
        &self,
        call: &mut Call<'_, M::Reply>,
        message: &mut M,
    ) -> Result<(), SendError> {
        if call.header.origin.parent.is_some() {
            self.refuse_if_busy::<M>(call)?;
        }
        self.deliver(call, message)?;
        match (call.unborn, call.busy.first()) {
            (Some(id), _) => Err(SendError::NotYetSpawned {
                id,
                message: M::NAME,
            }),
            (None, Some(&busy)) => Err(self.busy(call.header, busy)),
            (None, None) => Ok(()),
        }
    }

    /// A single receiver tells that it is busy before anything has happened; several have to be
    /// asked beforehand.
    fn refuse_if_busy<M: Message>(&self, call: &Call<'_, M::Reply>) -> Result<(), SendError> {
        let routes = routes::<M>()?;
        if let Recipient::Id(id) = call.header.to {
            let Some(record) = self.messagees.get(id) else {
                return Ok(());
            };
            let handling = record.hooks.iter();
            let handling = handling.filter(|hook| routes.of(hook.component).is_some());
            if handling.count() <= 1 {
                return Ok(());
            }
        }
        let mut busy = None;
        let mut probe = Call::new(call.header, Replies::Ignore, OnBusy::Refuse);
        self.targets(routes, &mut probe, |route, pool, slots, probe| {
            let found = pool.find_busy(slots, route.shared, probe.except);
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
            Some(busy) => Err(self.busy(call.header, busy)),
            None => Ok(()),
        }
    }

    #[cold]
    fn busy(&self, header: &Header<'_>, spot: Spot) -> SendError {
        let pool = self.pool(spot.component);
        SendError::Busy {
            to: header.to,
            message: header.message,
            id: pool.meta(spot.slot as usize).owner,
            component: pool.component_name(),
            chain: header.origin.chain(self),
        }
    }

    /// Runs every handler that a send reaches, in the order of the contract.
    fn deliver<M: Message>(
        &self,
        call: &mut Call<'_, M::Reply>,
        message: &mut M,
    ) -> Result<(), SendError> {
        self.targets(routes::<M>()?, call, |route, pool, slots, call| {
            (route.run)(pool, slots, message, call)
        })
    }

    /// Visits every route that a send takes, with the slots it takes it to. An error comes
    /// before the first visit.
    #[inline]
    fn targets<'w, M: Message>(
        &'w self,
        routes: &'w Routes<M>,
        call: &mut Call<'_, M::Reply>,
        mut visit: impl FnMut(
            &Route<M>,
            &dyn AnyPool,
            Range<u32>,
            &mut Call<'_, M::Reply>,
        ) -> ControlFlow<()>,
    ) -> Result<(), SendError> {
        if let Recipient::Id(id) = call.header.to
            && let Some(record) = self.messagees.get(id)
        {
            let _ = self.targets_of(routes, record, call, &mut visit);
            return Ok(());
        }
        match self.audience(call.header)? {
            Audience::Unborn(id) => call.unborn = Some(id),
            Audience::Messagees(ids) => {
                let _ = ids.iter().try_for_each(|&id| match self.messagees.get(id) {
                    Some(record) => self.targets_of(routes, record, call, &mut visit),
                    None => ControlFlow::Continue(()),
                });
            }
            Audience::Everyone { except } => {
                call.except = except;
                let _ = routes.all().iter().try_for_each(|route| {
                    match self.pools.get(route.component as usize) {
                        Some(Some(pool)) => visit(route, &**pool, ALL_SLOTS, call),
                        _ => ControlFlow::Continue(()),
                    }
                });
            }
        }
        Ok(())
    }

    /// As [`targets`](Self::targets), for one messagee: its components in order of priority, then
    /// of hooking.
    #[inline]
    fn targets_of<M: Message>(
        &self,
        routes: &Routes<M>,
        record: &crate::storage::Record,
        call: &mut Call<'_, M::Reply>,
        visit: &mut impl FnMut(
            &Route<M>,
            &dyn AnyPool,
            Range<u32>,
            &mut Call<'_, M::Reply>,
        ) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !routes.prioritized {
            for hook in &record.hooks {
                if let Some(route) = routes.of(hook.component) {
                    let slots = hook.slot..hook.slot + 1;
                    visit(route, self.pool(hook.component), slots, call)?;
                }
            }
            return ControlFlow::Continue(());
        }
        let mut hooks: SmallVec<[_; 8]> = record
            .hooks
            .iter()
            .filter_map(|hook| Some((routes.of(hook.component)?, hook)))
            .collect();
        hooks.sort_by_key(|(route, _)| std::cmp::Reverse(route.priority));
        hooks.into_iter().try_for_each(|(route, hook)| {
            let slots = hook.slot..hook.slot + 1;
            visit(route, self.pool(hook.component), slots, call)
        })
    }

    /// Who is meant, with every reason why nobody can be.
    fn audience(&self, header: &Header<'_>) -> Result<Audience, SendError> {
        let message = header.message;
        let sender = header.origin.sender.id();
        let sender = || {
            sender.ok_or(SendError::NoSender {
                to: header.to,
                message,
            })
        };
        let (id, kin) = match header.to {
            Recipient::Everyone => return Ok(Audience::Everyone { except: None }),
            Recipient::EveryoneElse => {
                let except = Some(sender()?);
                return Ok(Audience::Everyone { except });
            }
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
    M::cell()
        .get()
        .ok_or(SendError::Unregistered { message: M::NAME })
}
