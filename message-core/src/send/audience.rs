//! From a recipient to its audience: the messagees, and those of their components that have a route for the
//! message.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::error::{SendError, SendErrorKind};
use crate::handler::{Route, RouteTable};
use crate::message::Facts;
use crate::send::call::{ReceiverSlot, Sent, Unborn};
use crate::storage::{Hook, Pool, Record};
use crate::world::{Addresses, Hooking, Ids, Presence, World};

/// The messagees, the component or everyone that a recipient means.
#[derive(Debug)]
pub(crate) enum Audience {
    Messagees(Ids),
    Everyone,
    Component(Hook),
    Unborn(Unborn),
}

/// One part of an audience, as [`visit`](World::visit) meets it.
pub(crate) enum Met<'w> {
    Messagee(&'w Record),
    Component {
        route: &'w Route,
        pool: &'w Pool,
        slot: u32,
    },
    /// All components of a type.
    Pool {
        route: &'w Route,
        pool: &'w Pool,
    },
    /// A messagee that represents one of another manager.
    Proxy(MessageeId),
    /// A messagee that is not yet alive, in an audience of several.
    Newborn(MessageeId),
}

impl World {
    /// Returns `true` if a recipient, as that sender means it, includes a messagee.
    pub(crate) fn is_meant(&self, id: MessageeId, recipient: Recipient, sender: Sender) -> bool {
        // The place of a messagee that is gone may have a newcomer with a family of its own.
        let is_above = |high: MessageeId, low: MessageeId| {
            high == low || self.exists(low) && self.structure.addresses.is_above(high, low)
        };
        match self.structure.addresses.resolve(recipient) {
            Recipient::Everyone => true,
            Recipient::EveryoneElse => sender.id() != Some(id),
            Recipient::Me => sender.id() == Some(id),
            Recipient::Id(to) => to == id,
            Recipient::Mnemonic(_) | Recipient::UpFrom(_) | Recipient::DownFrom(_) => false,
            Recipient::Group(group) => self.structure.addresses.is_member(group, id),
            Recipient::Up(low) => is_above(id, low),
            Recipient::Down(high) => is_above(high, id),
            Recipient::Hook(hook) => match self.hooking(hook) {
                Hooking::Attached(at) => at.owner == id,
                Hooking::Awaited(owner) => owner == id,
                Hooking::Gone | Hooking::Foreign => false,
            },
        }
    }

    /// Returns `true` if a message was sent to a messagee, alone or among others.
    pub(crate) fn was_meant(&self, id: MessageeId, sent: &Sent<'_>) -> bool {
        match sent.audience() {
            Some(Audience::Everyone) => sent.except() != Some(id),
            Some(Audience::Messagees(ids)) => ids.contains(&id),
            Some(Audience::Component(hook)) => hook.owner == id,
            Some(Audience::Unborn(_)) | None => self.is_meant(id, sent.meant(), sent.sender),
        }
    }

    /// Visits an audience in the order of the contract, until a visit breaks. Visits nothing if the whole
    /// send is for a receiver that is not yet there.
    #[inline]
    pub(crate) fn visit<'w>(
        &'w self,
        audience: &Audience,
        table: &'w RouteTable,
        mut visit: impl FnMut(Met<'w>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match audience {
            Audience::Unborn(_) => {}
            Audience::Component(Hook {
                component, slot, ..
            }) => {
                if let Some(route) = table.route_to(*component) {
                    let (pool, slot) = (self.structure.pools.at(*component), *slot);
                    visit(Met::Component { route, pool, slot })?;
                }
            }
            Audience::Messagees(ids) => {
                for &id in ids {
                    let Some(record) = self.structure.messagees.get(id) else {
                        if self.presence(id) == Presence::Unborn {
                            visit(Met::Newborn(id))?;
                        }
                        continue;
                    };
                    if record.outbox().is_some() {
                        if !self.structure.messagees.is_leaving(id) {
                            visit(Met::Proxy(id))?;
                        }
                        continue;
                    }
                    visit(Met::Messagee(record))?;
                }
            }
            Audience::Everyone => {
                for route in table.in_order() {
                    if let Some(pool) = self.structure.pools.get(route.component) {
                        visit(Met::Pool { route, pool })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the components of a messagee that receive a message, in the order of the contract.
    pub(crate) fn receivers_of(
        &self,
        id: MessageeId,
        facts: &Facts,
    ) -> SmallVec<[ReceiverSlot; 4]> {
        let (Some(record), Some(table)) = (self.structure.messagees.get(id), facts.table()) else {
            return SmallVec::new();
        };
        let stops = self.plans.stops(table, record, &self.structure.messagees);
        let receivers = stops.iter().map(|stop| ReceiverSlot {
            component: stop.component.into(),
            slot: stop.slot(record, &self.structure.messagees),
        });
        receivers.collect()
    }

    /// Returns the audience of a send to these messagees. A single one that is not yet alive is treated as
    /// if addressed by its id.
    fn audience_of_all(&self, ids: Ids) -> Audience {
        match *ids {
            [id] if self.presence(id) == Presence::Unborn => Audience::Unborn(Unborn::Messagee(id)),
            _ => Audience::Messagees(ids),
        }
    }
}

impl Sent<'_> {
    /// Returns the audience of a send, or the reason why it has none.
    #[inline(never)]
    pub(crate) fn find_audience(&self) -> Result<Audience, SendError> {
        let message = self.message();
        let sender = || {
            self.sender.id().ok_or(
                SendErrorKind::NoSender {
                    to: *self.to,
                    message,
                }
                .into(),
            )
        };
        let (id, family): (_, fn(&Addresses, MessageeId) -> Ids) = match self.meant() {
            Recipient::Everyone => return Ok(Audience::Everyone),
            Recipient::EveryoneElse => return sender().map(|_| Audience::Everyone),
            Recipient::Group(group) => {
                return Ok(self
                    .world
                    .audience_of_all(self.world.structure.addresses.members(group)));
            }
            Recipient::Me => return self.audience_of_one(sender()?),
            Recipient::Id(id) => return self.audience_of_one(id),
            Recipient::Hook(hook) => return self.audience_of_hook(hook),
            Recipient::Up(id) => (id, Addresses::up),
            Recipient::Down(id) => (id, Addresses::down),
            Recipient::Mnemonic(mnemonic)
            | Recipient::UpFrom(mnemonic)
            | Recipient::DownFrom(mnemonic) => {
                let mnemonic = mnemonic.name();
                return Err(SendErrorKind::Unbound { mnemonic, message }.into());
            }
        };
        match self.world.presence(id) {
            Presence::Gone => Err(SendErrorKind::Gone { id, message }.into()),
            Presence::Foreign => Err(SendErrorKind::OtherManager { id, message }.into()),
            _ => Ok(self
                .world
                .audience_of_all(family(&self.world.structure.addresses, id))),
        }
    }

    /// Returns the audience of a send to one messagee. If it is leaving, it receives only the manager's
    /// farewell.
    fn audience_of_one(&self, id: MessageeId) -> Result<Audience, SendError> {
        let message = self.message();
        match self.world.presence(id) {
            Presence::Leaving if self.sender != Sender::Manager => {
                Err(SendErrorKind::Leaving { id, message }.into())
            }
            Presence::Alive | Presence::Leaving => {
                Ok(Audience::Messagees(std::iter::once(id).collect()))
            }
            Presence::Unborn => Ok(Audience::Unborn(Unborn::Messagee(id))),
            Presence::Gone => Err(SendErrorKind::Gone { id, message }.into()),
            Presence::Foreign => Err(SendErrorKind::OtherManager { id, message }.into()),
        }
    }

    fn audience_of_hook(&self, hook: HookId) -> Result<Audience, SendError> {
        self.world.owner_to_write_to(hook, self.message())?;
        Ok(match self.world.find_hook(hook) {
            Some(at) => Audience::Component(at),
            None => Audience::Unborn(Unborn::Component(hook)),
        })
    }
}
