//! From a recipient to those who are meant: the messagees, and the components of theirs that have a
//! route for the message.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::address::{HookId, MessageeId, Recipient, Sender};
use crate::error::{SendError, SendErrorKind};
use crate::handler::{RouteTable, Stop};
use crate::message::Facts;
use crate::send::call::{Call, OnBusy, ReceiverSlot, Sent, Unborn};
use crate::send::erased::Replies;
use crate::storage::{Hook, Pool, Record};
use crate::world::{Addresses, Hooking, Ids, Presence, World};

/// What is done at each stop of a send: at one slot of a pool, or at all of it.
pub(crate) type Visit<'v> =
    dyn FnMut(Stop<'_>, &Pool, Option<u32>, &mut Call<'_>) -> ControlFlow<()> + 'v;

/// Who is meant by a recipient.
#[derive(Debug)]
pub(crate) enum Audience {
    Messagees(Ids),
    Everyone,
    Component(Hook),
    Unborn(Unborn),
}

impl World {
    /// Returns `true` if anybody at the recipient has a handler for the message, whatever it does
    /// there.
    #[cold]
    pub(crate) fn has_handler(&self, table: &RouteTable, sent: &Sent<'_>) -> bool {
        let mut found = false;
        let mut probe = Call::new(sent, Replies::Ignore, OnBusy::Refuse);
        let _ = self.targets(table, &mut probe, &mut |_, pool, _, _| {
            found = pool.roster().len() > 0;
            if found {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        found
    }

    /// Returns `true` if a messagee is among those whom that sender means by a recipient.
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

    /// Returns `true` if a messagee is among those whom a message was sent to.
    pub(crate) fn was_meant(&self, id: MessageeId, sent: &Sent<'_>) -> bool {
        match sent.audience() {
            Some(Audience::Everyone) => sent.except() != Some(id),
            Some(Audience::Messagees(ids)) => ids.contains(&id),
            Some(Audience::Component(hook)) => hook.owner == id,
            Some(Audience::Unborn(_)) | None => self.is_meant(id, sent.meant(), sent.sender),
        }
    }

    /// Visits every route that a send takes, with the slots it takes it to. An error comes
    /// before the first visit.
    #[inline(never)]
    pub(crate) fn targets(
        &self,
        table: &RouteTable,
        call: &mut Call<'_>,
        visit: &mut Visit<'_>,
    ) -> Result<(), SendError> {
        if let Recipient::Id(id) = *call.sent.to
            && let Some(record) = self.messagees.get(id)
            && !record.is_leaving()
        {
            if record.outbox().is_some() {
                call.waiting().proxies.push(id);
                return Ok(());
            }
            let _ = self.targets_of(table, record, call, visit);
            return Ok(());
        }
        let audience = self.audience(call.sent)?;
        self.targets_in(&audience, table, call, visit);
        Ok(())
    }

    /// As [`targets`](Self::targets), when it is known who is meant.
    pub(crate) fn targets_in(
        &self,
        audience: &Audience,
        table: &RouteTable,
        call: &mut Call<'_>,
        visit: &mut Visit<'_>,
    ) {
        match audience {
            Audience::Unborn(unborn) => call.waiting().unborn = Some(*unborn),
            Audience::Component(Hook {
                component, slot, ..
            }) => {
                if let Some(stop) = table.stop(*component) {
                    let _ = visit(stop, self.pools.at(*component), Some(*slot), call);
                }
            }
            Audience::Messagees(ids) => {
                let _ = ids.iter().try_for_each(|&id| {
                    if let Some(record) = self.messagees.get(id) {
                        if record.outbox().is_some() {
                            if !record.is_leaving() {
                                call.waiting().proxies.push(id);
                            }
                            return ControlFlow::Continue(());
                        }
                        return self.targets_of(table, record, call, visit);
                    }
                    if self.presence(id) == Presence::Unborn {
                        call.waiting().newborns.push(id);
                    }
                    ControlFlow::Continue(())
                });
            }
            Audience::Everyone => {
                let mut routes = table.all().iter();
                let _ = routes.try_for_each(|route| match self.pools.get(route.component) {
                    Some(pool) => visit(Stop { route }, pool, None, call),
                    _ => ControlFlow::Continue(()),
                });
            }
        }
    }

    /// As [`targets`](Self::targets), for one messagee: its components in order of priority, then
    /// of hooking.
    fn targets_of(
        &self,
        table: &RouteTable,
        record: &Record,
        call: &mut Call<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        table
            .in_order(self.components_of(record))
            .try_for_each(|(stop, slot)| {
                visit(stop, self.pools.at(stop.route.component), Some(slot), call)
            })
    }

    /// The components of a messagee that handle a message, in order of priority, then of hooking.
    pub(crate) fn receivers_of(
        &self,
        id: MessageeId,
        facts: &Facts,
    ) -> SmallVec<[ReceiverSlot; 4]> {
        let (Some(record), Some(table)) = (self.messagees.get(id), facts.table()) else {
            return SmallVec::new();
        };
        let receivers = table.in_order(self.components_of(record));
        let spot = |(stop, slot): (Stop<'_>, u32)| ReceiverSlot {
            component: stop.route.component,
            slot,
        };
        receivers.map(spot).collect()
    }

    /// Who is meant, with every reason why nobody can be.
    #[inline(never)]
    pub(crate) fn audience(&self, sent: &Sent<'_>) -> Result<Audience, SendError> {
        let message = sent.message();
        let sender = || {
            sent.sender.id().ok_or(
                SendErrorKind::NoSender {
                    to: *sent.to,
                    message,
                }
                .into(),
            )
        };
        let (id, family): (_, fn(&Addresses, MessageeId) -> Ids) = match sent.meant() {
            Recipient::Everyone => return Ok(Audience::Everyone),
            Recipient::EveryoneElse => return sender().map(|_| Audience::Everyone),
            Recipient::Group(group) => {
                return Ok(self.audience_of_all(self.addresses.members(group)));
            }
            Recipient::Me => return self.audience_of_one(sender()?, sent),
            Recipient::Id(id) => return self.audience_of_one(id, sent),
            Recipient::Hook(hook) => return self.audience_of_hook(hook, sent),
            Recipient::Up(id) => (id, Addresses::up),
            Recipient::Down(id) => (id, Addresses::down),
            Recipient::Mnemonic(mnemonic)
            | Recipient::UpFrom(mnemonic)
            | Recipient::DownFrom(mnemonic) => {
                let mnemonic = mnemonic.name();
                return Err(SendErrorKind::Unbound { mnemonic, message }.into());
            }
        };
        match self.presence(id) {
            Presence::Gone => Err(SendErrorKind::Gone { id, message }.into()),
            Presence::Foreign => Err(SendErrorKind::OtherManager { id, message }.into()),
            _ => Ok(self.audience_of_all(family(&self.addresses, id))),
        }
    }

    /// One who is leaving receives only the manager's farewell.
    fn audience_of_one(&self, id: MessageeId, sent: &Sent<'_>) -> Result<Audience, SendError> {
        let message = sent.message();
        match self.presence(id) {
            Presence::Leaving if sent.sender != Sender::Manager => {
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

    fn audience_of_hook(&self, hook: HookId, sent: &Sent<'_>) -> Result<Audience, SendError> {
        self.owner_to_write_to(hook, sent.message())?;
        Ok(match self.find_hook(hook) {
            Some(at) => Audience::Component(at),
            None => Audience::Unborn(Unborn::Component(hook)),
        })
    }

    /// One that is alone and not yet alive is meant as if by its id.
    fn audience_of_all(&self, ids: Ids) -> Audience {
        match *ids {
            [id] if self.presence(id) == Presence::Unborn => Audience::Unborn(Unborn::Messagee(id)),
            _ => Audience::Messagees(ids),
        }
    }
}
