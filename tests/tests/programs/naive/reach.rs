//! The receivers that a recipient refers to, and their order.

use super::world::{Id, Life, World};
use crate::program::{Kind, To, What};

/// The receivers that a recipient refers to when a message is sent.
#[derive(Clone, Debug)]
pub(super) enum Reach {
    Part(usize),
    Several(Vec<Id>),
    All { but: Option<Id> },
}

/// A call that a component may have a handler for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    Message(What),
    Tour,
    Ask,
}

/// Returns the priority of its handler, if it has one.
pub(super) fn priority(kind: Kind, asks: Asks) -> Option<i32> {
    match (kind, asks) {
        (Kind::Quick, Asks::Message(What::Act)) => Some(1),
        (Kind::Actor | Kind::Calm, Asks::Message(What::Act))
        | (Kind::Calm | Kind::Quick, Asks::Message(What::Note))
        | (Kind::Actor | Kind::Quick, Asks::Tour)
        | (Kind::Actor, Asks::Ask) => Some(0),
        (Kind::Calm, Asks::Ask) => Some(-1),
        _ => None,
    }
}

impl World {
    /// Resolves a recipient to its current meaning: replaces a mnemonic or `Myself` with the messagee.
    pub(super) fn resolve(&self, to: To, me: Option<Id>) -> Result<To, &'static str> {
        let there = |id: Id| match self.messagees[id].life {
            Life::Gone => Err("Gone"),
            _ => Ok(id),
        };
        let stays = |id: Id| self.stays(id).map(|()| To::Id(id));
        Ok(match to {
            To::Id(id) => stays(id)?,
            To::Back => unreachable!("it was replaced by an id"),
            To::Myself => stays(me.ok_or("NoSender")?)?,
            To::AllButMe => {
                me.ok_or("NoSender")?;
                to
            }
            To::All | To::Group(_) => to,
            To::UpFrom(id) => To::UpFrom(there(id)?),
            To::DownFrom(id) => To::DownFrom(there(id)?),
            To::UpFromBound(at) => To::UpFrom(self.bound[at].ok_or("Unbound")?),
            To::Bound(at) => stays(self.bound[at].ok_or("Unbound")?)?,
            To::Part(part) => match self.parts[part].life {
                Life::Gone => return Err("Gone"),
                _ if self.stays_hooked(part).is_err() => return Err("Leaving"),
                _ => to,
            },
        })
    }

    /// Returns the messagees that are meant, or a component, or all.
    pub(super) fn reach(&self, to: To, sender: Option<Id>) -> Reach {
        match to {
            To::Id(id) => Reach::Several(vec![id]),
            To::UpFrom(id) => Reach::Several(self.up(id)),
            To::DownFrom(id) => Reach::Several(self.down(id)),
            To::Group(at) => Reach::Several(self.groups[at].clone()),
            To::Part(part) => Reach::Part(part),
            To::All => Reach::All { but: None },
            To::AllButMe => {
                let is_alive = |id: &Id| self.messagees[*id].life != Life::Gone;
                Reach::All {
                    but: sender.filter(is_alive),
                }
            }
            To::Myself | To::Back | To::Bound(_) | To::UpFromBound(_) => {
                unreachable!("it was replaced by an id")
            }
        }
    }

    /// Returns the components that are meant and alive, in the order of delivery.
    pub(super) fn receivers(&self, reach: &Reach, asks: Asks) -> Vec<usize> {
        let handles = |part: &usize| priority(self.parts[*part].kind, asks).is_some();
        let mut found = Vec::new();
        match reach {
            Reach::Part(part) => {
                if self.parts[*part].life == Life::There {
                    found.push(*part);
                }
            }
            Reach::Several(ids) => {
                for id in ids {
                    found.extend(self.in_order(*id, asks));
                }
            }
            Reach::All { but } => {
                // Sorted by priority, then by the name of the type.
                let mut kinds = [Kind::Actor, Kind::Calm, Kind::Quick];
                kinds.sort_by_key(|kind| -priority(*kind, asks).unwrap_or(i32::MIN + 1));
                for kind in kinds {
                    let stored = &self.storage[kind as usize].parts;
                    let stored = stored.iter().copied();
                    found.extend(stored.filter(|part| Some(self.parts[*part].owner) != *but));
                }
            }
        }
        found.retain(handles);
        found
    }

    /// Returns the components of a messagee, higher priority first, then in the order of hooking.
    pub(super) fn in_order(&self, id: Id, asks: Asks) -> Vec<usize> {
        let mut parts = self.parts_of(id);
        parts.retain(|part| priority(self.parts[*part].kind, asks).is_some());
        parts.sort_by_key(|part| -priority(self.parts[*part].kind, asks).expect("it has one"));
        parts
    }

    /// Returns the messagees that are meant and still newborn.
    pub(super) fn newborns(&self, reach: &Reach) -> Vec<Id> {
        let ids = match reach {
            Reach::Several(ids) => ids.clone(),
            Reach::Part(_) | Reach::All { .. } => Vec::new(),
        };
        let ids = ids.into_iter();
        ids.filter(|id| self.messagees[*id].life == Life::Coming && !self.messagees[*id].is_leaving)
            .collect()
    }

    /// Returns the messagees that a message sent now reaches.
    pub(super) fn reached(&self, reach: &Reach) -> Vec<Id> {
        match reach {
            Reach::Part(part) => vec![self.parts[*part].owner],
            Reach::Several(ids) => ids.clone(),
            Reach::All { but } => {
                let all = 0..self.messagees.len();
                all.filter(|id| self.messagees[*id].life == Life::There && Some(*id) != *but)
                    .collect()
            }
        }
    }
}
