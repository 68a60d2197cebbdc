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
use crate::structure::{Addresses, Hooking, Ids, Presence, Structure};
use crate::world::World;

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

impl Structure {
    /// Returns `true` if a recipient, as that sender means it, includes a messagee.
    pub(crate) fn is_meant(&self, id: MessageeId, recipient: Recipient, sender: Sender) -> bool {
        // The place of a messagee that is gone may have a newcomer with a family of its own.
        let is_above = |high: MessageeId, low: MessageeId| {
            high == low || self.exists(low) && self.addresses.is_above(high, low)
        };
        match self.addresses.resolve(recipient) {
            Recipient::Everyone => true,
            Recipient::EveryoneElse => sender.id() != Some(id),
            Recipient::Me => sender.id() == Some(id),
            Recipient::Id(to) => to == id,
            Recipient::Mnemonic(_) | Recipient::UpFrom(_) | Recipient::DownFrom(_) => false,
            Recipient::Group(group) => self.addresses.is_member(group, id),
            Recipient::Up(low) => is_above(id, low),
            Recipient::Down(high) => is_above(high, id),
            Recipient::Hook(hook) => match self.hooking(hook) {
                Hooking::Attached(at) => at.owner == id,
                Hooking::Awaited(owner) => owner == id,
                Hooking::Gone | Hooking::Foreign => false,
            },
        }
    }
}

impl Audience {
    /// Visits an audience in the order of the contract, until a visit breaks. Visits nothing if the whole
    /// send is for a receiver that is not yet there.
    #[inline]
    pub(crate) fn visit<'w>(
        &self,
        structure: &'w Structure,
        table: &'w RouteTable,
        mut visit: impl FnMut(Met<'w>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            Self::Unborn(_) => {}
            Self::Component(Hook {
                component, slot, ..
            }) => {
                if let Some(route) = table.route_to(*component) {
                    let (pool, slot) = (structure.pools.at(*component), *slot);
                    visit(Met::Component { route, pool, slot })?;
                }
            }
            Self::Messagees(ids) => {
                for &id in ids {
                    let Some(record) = structure.messagees.get(id) else {
                        if structure.presence(id) == Presence::Unborn {
                            visit(Met::Newborn(id))?;
                        }
                        continue;
                    };
                    if record.outbox().is_some() {
                        if !structure.messagees.is_leaving(id) {
                            visit(Met::Proxy(id))?;
                        }
                        continue;
                    }
                    visit(Met::Messagee(record))?;
                }
            }
            Self::Everyone => {
                for route in table.in_order() {
                    if let Some(pool) = structure.pools.get(route.component) {
                        visit(Met::Pool { route, pool })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the audience of a send to these messagees. A single one that is not yet alive is treated as
    /// if addressed by its id.
    fn of_all(ids: Ids, structure: &Structure) -> Self {
        match *ids {
            [id] if structure.presence(id) == Presence::Unborn => {
                Self::Unborn(Unborn::Messagee(id))
            }
            _ => Self::Messagees(ids),
        }
    }
}

impl World {
    /// Returns the components of a messagee that receive a message, in the order of the contract.
    pub(crate) fn receivers_of(
        &self,
        id: MessageeId,
        facts: &Facts,
    ) -> SmallVec<[ReceiverSlot; 4]> {
        let (Some(record), Some(table)) = (self.structure.messagees.get(id), facts.table()) else {
            return SmallVec::new();
        };
        let stops = self
            .listen
            .subscriptions
            .plans
            .stops(table, record, &self.structure.messagees);
        let receivers = stops.iter().map(|stop| ReceiverSlot {
            component: stop.component.into(),
            slot: stop.slot(record, &self.structure.messagees),
        });
        receivers.collect()
    }
}

impl Sent<'_> {
    /// Returns `true` if a message was sent to a messagee, alone or among others.
    pub(crate) fn was_meant(&self, id: MessageeId) -> bool {
        match self.audience() {
            Some(Audience::Everyone) => self.except() != Some(id),
            Some(Audience::Messagees(ids)) => ids.contains(&id),
            Some(Audience::Component(hook)) => hook.owner == id,
            Some(Audience::Unborn(_)) | None => {
                self.world.structure.is_meant(id, self.meant(), self.sender)
            }
        }
    }

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
                let structure = &self.world.structure;
                let members = structure.addresses.members(group);
                return Ok(Audience::of_all(members, structure));
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
        match self.world.structure.presence(id) {
            Presence::Gone => Err(SendErrorKind::Gone { id, message }.into()),
            Presence::Foreign => Err(SendErrorKind::OtherManager { id, message }.into()),
            _ => {
                let structure = &self.world.structure;
                let family = family(&structure.addresses, id);
                Ok(Audience::of_all(family, structure))
            }
        }
    }

    /// Returns the audience of a send to one messagee. If it is leaving, it receives only the manager's
    /// farewell.
    fn audience_of_one(&self, id: MessageeId) -> Result<Audience, SendError> {
        let message = self.message();
        match self.world.structure.presence(id) {
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
        self.world
            .structure
            .owner_to_write_to(hook, self.message())?;
        Ok(match self.world.structure.find_hook(hook) {
            Some(at) => Audience::Component(at),
            None => Audience::Unborn(Unborn::Component(hook)),
        })
    }
}
