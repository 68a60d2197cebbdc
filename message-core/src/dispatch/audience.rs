//! From a recipient to those who are meant: the messagees, and the components of theirs that have a
//! route for the message.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::address::{MessageeId, Recipient, Sender};
use crate::dispatch::call::{Call, OnBusy, Sent};
use crate::dispatch::parcel::Replies;
use crate::dispatch::routes::{Route, RouteTable};
use crate::error::SendError;
use crate::storage::{AnyPool, HookRef, Record};
use crate::world::{Presence, World};

/// What is done at each stop of a send: at one slot of a pool, or at all of it.
pub(super) type Visit<'v> =
    dyn FnMut(Stop<'_>, &dyn AnyPool, Option<u32>, &mut Call<'_>) -> ControlFlow<()> + 'v;

/// A route that a send takes, and its position.
#[derive(Clone, Copy)]
pub(super) struct Stop<'r> {
    pub(super) at: usize,
    pub(super) route: &'r Route,
}

/// Who is meant by a recipient.
pub(super) enum Audience {
    Messagees(SmallVec<[MessageeId; 8]>),
    Everyone,
    Unborn(MessageeId),
}

impl World {
    /// Whether anybody at the recipient has a handler for the message, whatever it does there.
    #[cold]
    pub(super) fn has_handler(&self, table: &RouteTable, sent: &Sent<'_>) -> bool {
        let mut found = false;
        let mut probe = Call::new(sent, Replies::Ignore, OnBusy::Refuse);
        let _ = self.targets(table, &mut probe, &mut |_, pool, _, _| {
            found = pool.len() > 0;
            if found {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        found
    }

    /// Whether a messagee is among those whom that sender means by a recipient.
    pub(crate) fn is_meant(&self, id: MessageeId, recipient: Recipient, sender: Sender) -> bool {
        // The place of a messagee that is gone may have a newcomer with a family of its own.
        let is_above = |high: MessageeId, low: MessageeId| {
            high == low
                || self.messagees.is_alive(low) && self.families.up(low).any(|up| up == high)
        };
        match recipient {
            Recipient::Everyone => true,
            Recipient::EveryoneElse => sender.id() != Some(id),
            Recipient::Me => sender.id() == Some(id),
            Recipient::Id(to) => to == id,
            Recipient::Mnemonic(mnemonic) => self.bindings.get(&mnemonic) == Some(&id),
            Recipient::Group(group) => self.groups.contains(group, id),
            Recipient::Up(low) => is_above(id, low),
            Recipient::Down(high) => is_above(high, id),
        }
    }

    /// A recipient, with the messagee in the place of a mnemonic that is bound to it.
    pub(crate) fn resolve_mnemonic(&self, recipient: Recipient) -> Recipient {
        match recipient {
            Recipient::Mnemonic(mnemonic) => match self.bindings.get(&mnemonic) {
                Some(&id) => Recipient::Id(id),
                None => recipient,
            },
            _ => recipient,
        }
    }

    /// Visits every route that a send takes, with the slots it takes it to. An error comes
    /// before the first visit.
    #[inline(never)]
    pub(super) fn targets(
        &self,
        table: &RouteTable,
        call: &mut Call<'_>,
        visit: &mut Visit<'_>,
    ) -> Result<(), SendError> {
        if let Recipient::Id(id) = *call.sent.to
            && let Some(record) = self.messagees.get(id)
        {
            let _ = self.targets_of(table, record, call, visit);
            return Ok(());
        }
        let audience = self.audience(call.sent)?;
        self.targets_in(&audience, table, call, visit);
        Ok(())
    }

    /// As [`targets`](Self::targets), when it is known who is meant.
    pub(super) fn targets_in(
        &self,
        audience: &Audience,
        table: &RouteTable,
        call: &mut Call<'_>,
        visit: &mut Visit<'_>,
    ) {
        match audience {
            Audience::Unborn(id) => call.waiting().unborn = Some(*id),
            Audience::Messagees(ids) => {
                let _ = ids.iter().try_for_each(|&id| match self.messagees.get(id) {
                    Some(record) => self.targets_of(table, record, call, visit),
                    None => ControlFlow::Continue(()),
                });
            }
            Audience::Everyone => {
                let mut routes = table.all().iter().enumerate();
                let _ = routes.try_for_each(|(at, route)| {
                    match self.pools.get(route.component as usize) {
                        Some(Some(pool)) => visit(Stop { at, route }, &**pool, None, call),
                        _ => ControlFlow::Continue(()),
                    }
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
        let hooks = record.hooks.iter();
        let mut receivers = hooks.filter_map(|hook| {
            let at = table.position(hook.component)?;
            let route = &table.all()[at];
            Some((Stop { at, route }, hook))
        });
        let mut visit = |(stop, hook): (Stop<'_>, &HookRef)| {
            visit(stop, self.pool(hook.component), Some(hook.slot), call)
        };
        if !table.prioritized {
            return receivers.try_for_each(visit);
        }
        let mut receivers: SmallVec<[_; 8]> = receivers.collect();
        receivers.sort_by_key(|(stop, _)| std::cmp::Reverse(stop.route.priority));
        receivers.into_iter().try_for_each(&mut visit)
    }

    /// Who is meant, with every reason why nobody can be.
    #[inline(never)]
    pub(super) fn audience(&self, sent: &Sent<'_>) -> Result<Audience, SendError> {
        let message = sent.message();
        let sender = || {
            sent.sender.id().ok_or(SendError::NoSender {
                to: *sent.to,
                message,
            })
        };
        let (id, kin) = match *sent.to {
            Recipient::Everyone => return Ok(Audience::Everyone),
            Recipient::EveryoneElse => return sender().map(|_| Audience::Everyone),
            Recipient::Group(group) => {
                return Ok(Audience::Messagees(self.groups.members(group).collect()));
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
