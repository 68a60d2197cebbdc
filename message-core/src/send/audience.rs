//! From a recipient to its audience: the messagees, and those of their components that have a route for the
//! message.

use std::borrow::Cow;
use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::error::{Absence, SendError, SendErrorKind};
use crate::handler::{Route, RouteTable};
use crate::send::{Callee, ReceiverSlot, Sent, Stop};
use crate::storage::{Hook, Pool, Record};
use crate::structure::{Addresses, Ids, Structure, Unborn};

/// The messagees, the component or everyone that a recipient means.
#[derive(Debug)]
pub(crate) enum Audience<'w> {
    /// One messagee that is there and stays.
    Messagee(MessageeId, &'w Record),
    Messagees(Ids),
    Everyone,
    Component(Hook),
    Unborn(Unborn),
}

/// One part of an audience, as [`visit`](Audience::visit) meets it.
pub(crate) enum Met<'w> {
    Messagee(&'w Record),
    Component(Callee<'w>),
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

impl<'w> Met<'w> {
    /// Returns the part of an audience for a messagee that is a proxy, leaving or not yet alive. Returns `None` if it
    /// receives nothing.
    #[cold]
    fn not_here(id: MessageeId, structure: &'w Structure) -> Option<Self> {
        match structure.messagees.get(id) {
            Some(record) if record.destination().is_none() => Some(Self::Messagee(record)),
            Some(_) => (!structure.messagees.is_leaving(id)).then_some(Self::Proxy(id)),
            None => {
                (structure.absence(id) == Some(Absence::NotYetThere)).then_some(Self::Newborn(id))
            }
        }
    }
}

impl<'w> Audience<'w> {
    /// Visits an audience in the order of the contract, until a visit breaks. Visits nothing if the whole
    /// send is for a receiver that is not yet there.
    pub(crate) fn visit(
        &self,
        structure: &'w Structure,
        table: &'w RouteTable,
        mut visit: impl FnMut(Met<'w>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            Self::Messagee(_, record) => visit(Met::Messagee(record))?,
            Self::Unborn(_) => {}
            Self::Component(Hook {
                component, slot, ..
            }) => {
                if let Some(route) = table.route_to(*component) {
                    let (pool, slot) = (structure.pools.at(*component), *slot);
                    visit(Met::Component(Callee { route, pool, slot }))?;
                }
            }
            Self::Messagees(ids) => {
                for &id in ids {
                    let here = structure.messagees.here(id).map(Met::Messagee);
                    if let Some(met) = here.or_else(|| Met::not_here(id, structure)) {
                        visit(met)?;
                    }
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
            [id] if structure.absence(id) == Some(Absence::NotYetThere) => {
                Self::Unborn(Unborn::Messagee(id))
            }
            _ => Self::Messagees(ids),
        }
    }
}

impl<'a> Sent<'a> {
    /// Returns the components of a messagee that receive the message, in the order of the contract.
    #[inline]
    pub(super) fn stops(&self, table: &RouteTable, record: &Record) -> Cow<'a, [Stop]> {
        let plans = &self.world.listen.subscriptions.plans;
        plans.stops(table, record, &self.world.structure.messagees)
    }

    /// Like [`stops`](Self::stops), for a messagee that may be gone. Returns where its components are.
    pub(crate) fn receivers_at(&self, id: MessageeId) -> SmallVec<[ReceiverSlot; 4]> {
        let messagees = &self.world.structure.messagees;
        let (Some(record), Some(table)) = (messagees.get(id), self.facts.table()) else {
            return SmallVec::new();
        };
        let stops = self.stops(table, record);
        let receivers = stops.iter().map(|stop| ReceiverSlot {
            component: stop.component.into(),
            slot: stop.slot(record, messagees),
        });
        receivers.collect()
    }

    /// Returns `true` if anybody at the recipient has a handler for the message, even if it is disabled or declines.
    #[cold]
    pub(crate) fn has_handler(&self, table: &RouteTable) -> bool {
        let Ok(audience) = self.find_audience() else {
            return false;
        };
        let found = audience.visit(&self.world.structure, table, |met| {
            let has_any = match met {
                Met::Component(_) => true,
                Met::Messagee(record) => !self.stops(table, record).is_empty(),
                Met::Pool { pool, .. } => pool.len() > 0,
                Met::Proxy(_) | Met::Newborn(_) => false,
            };
            if has_any {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found.is_break()
    }

    /// Returns `true` if a message was sent to a messagee, alone or among others.
    pub fn was_meant(&self, id: MessageeId) -> bool {
        match self.audience() {
            Some(Audience::Everyone) => self.except() != Some(id),
            Some(Audience::Messagee(only, _)) => *only == id,
            Some(Audience::Messagees(ids)) => ids.contains(&id),
            Some(Audience::Component(hook)) => hook.owner == id,
            Some(Audience::Unborn(_)) | None => {
                self.world.structure.is_meant(id, self.meant(), self.sender)
            }
        }
    }

    /// Returns the audience of a send, or the reason why it has none.
    pub(crate) fn find_audience(&self) -> Result<Audience<'a>, SendError> {
        if let Recipient::Id(id) = self.to
            && let Some(record) = self.world.structure.messagees.here(id)
        {
            return Ok(Audience::Messagee(id, record));
        }
        self.find_any_audience()
    }

    /// Like [`find_audience`](Self::find_audience), not inlined.
    #[inline(never)]
    fn find_any_audience(&self) -> Result<Audience<'a>, SendError> {
        let no_sender = || self.error(SendErrorKind::NoSender);
        let sender = || self.sender.id().ok_or_else(no_sender);
        let (structure, message) = (&self.world.structure, || self.message());
        let (id, family): (_, fn(&Addresses, MessageeId) -> Ids) = match self.meant() {
            Recipient::Everyone => return Ok(Audience::Everyone),
            Recipient::EveryoneElse => {
                sender()?;
                return Ok(Audience::Everyone);
            }
            Recipient::Group(group) => {
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
                return Err(SendError::absent(message(), mnemonic, Absence::Unbound));
            }
        };
        structure.absence_for(id, message())?;
        let family = family(&structure.addresses, id);
        Ok(Audience::of_all(family, structure))
    }

    /// Returns the audience of a send to one messagee. If it is leaving, it receives only the manager's
    /// farewell.
    fn audience_of_one(&self, id: MessageeId) -> Result<Audience<'a>, SendError> {
        let message = self.message();
        match self.world.structure.absence_for(id, message)? {
            Some(Absence::NotYetThere) => Ok(Audience::Unborn(Unborn::Messagee(id))),
            Some(why @ Absence::Leaving) if self.sender != Sender::Manager => {
                Err(SendError::absent(message, id, why))
            }
            _ => Ok(Audience::Messagees(std::iter::once(id).collect())),
        }
    }

    fn audience_of_hook(&self, hook: HookId) -> Result<Audience<'a>, SendError> {
        let structure = &self.world.structure;
        structure.owner_to_write_to(hook, self.message())?;
        let unborn = Audience::Unborn(Unborn::Component(hook));
        let attached = structure.find_hook(hook);
        Ok(attached.map_or(unborn, Audience::Component))
    }
}
