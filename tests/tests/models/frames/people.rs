//! The messagees of the naive model, and which of them a recipient refers to.

use std::collections::BTreeMap;

use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;

use super::message::Kind;

group!(pub(crate) CREW);
mnemonic!(pub(crate) CAPTAIN);

/// A component: either one that acts and sees the envelope, or one that only hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Agent(u32),
    Ear(u32),
}

impl Part {
    pub(crate) fn handles(self, kind: Kind) -> bool {
        match self {
            Self::Agent(_) => !matches!(kind, Kind::Leaf | Kind::Petal),
            Self::Ear(_) => kind != Kind::Pallet,
        }
    }

    /// Returns whether it counts as a receiver of the message.
    pub(crate) fn accepts(self, kind: Kind, number: u64) -> bool {
        matches!(self, Self::Agent(_)) || kind != Kind::Parcel || !number.is_multiple_of(3)
    }
}

#[derive(Debug, Default)]
struct Person {
    parts: Vec<Part>,
    parent: Option<MessageeId>,
    children: Vec<MessageeId>,
    /// Despawned, until the outermost send returns.
    leaving: bool,
}

#[derive(Debug, Default)]
pub(crate) struct People {
    alive: BTreeMap<MessageeId, Person>,
    /// Spawned by a handler, until the outermost send returns.
    unborn: Vec<(MessageeId, Vec<Part>)>,
    crew: Vec<MessageeId>,
    pub(crate) captain: Option<MessageeId>,
    /// Every messagee there has ever been.
    pub(crate) all: Vec<MessageeId>,
}

/// The components that a recipient refers to, in order.
pub(crate) struct Audience {
    pub(crate) parts: Vec<(MessageeId, Part)>,
    /// Whether the order is that of the storage, which is not modelled.
    pub(crate) any_order: bool,
    /// Whether anybody at the recipient has a handler, including those that are left out.
    pub(crate) can_hear: bool,
}

impl People {
    pub(crate) fn spawn(&mut self, id: MessageeId, parts: Vec<Part>) {
        self.unborn.push((id, parts));
        self.all.push(id);
    }

    pub(crate) fn settle_births(&mut self) {
        for (id, parts) in self.unborn.drain(..) {
            let person = Person {
                parts,
                ..Person::default()
            };
            self.alive.insert(id, person);
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.alive.len() + self.unborn.len()
    }

    pub(crate) fn alive(&self) -> Vec<MessageeId> {
        self.alive.keys().copied().collect()
    }

    pub(crate) fn stays(&self, id: MessageeId) -> bool {
        self.alive.get(&id).is_some_and(|person| !person.leaving)
    }

    /// Returns whether a message can be posted to it.
    pub(crate) fn is_known(&self, id: MessageeId) -> bool {
        self.alive.contains_key(&id) || self.is_unborn(id)
    }

    pub(crate) fn is_unborn(&self, id: MessageeId) -> bool {
        self.unborn.iter().any(|(unborn, _)| *unborn == id)
    }

    pub(crate) fn mark_leaving(&mut self, id: MessageeId) {
        for id in self.down(id) {
            self.alive.get_mut(&id).expect("it is alive").leaving = true;
        }
    }

    /// Removes a messagee and its descendants, and returns them in order.
    pub(crate) fn despawn(&mut self, id: MessageeId) -> Vec<MessageeId> {
        let family = self.down(id);
        self.set_parent(id, None);
        for id in &family {
            self.alive.remove(id);
            self.crew.retain(|member| member != id);
            self.captain.take_if(|captain| captain == id);
        }
        family
    }

    pub(crate) fn set_parent(&mut self, child: MessageeId, parent: Option<MessageeId>) {
        if let Some(old) = self.alive[&child].parent {
            let old = self.alive.get_mut(&old).expect("a parent is alive");
            old.children.retain(|&other| other != child);
        }
        self.alive.get_mut(&child).expect("it is alive").parent = parent;
        if let Some(parent) = parent {
            let parent = self.alive.get_mut(&parent).expect("it is alive");
            parent.children.push(child);
        }
    }

    pub(crate) fn toggle_crew(&mut self, id: MessageeId) -> bool {
        let count = self.crew.len();
        self.crew.retain(|&member| member != id);
        let joins = self.crew.len() == count;
        if joins {
            self.crew.push(id);
        }
        joins
    }

    pub(crate) fn up(&self, id: MessageeId) -> Vec<MessageeId> {
        std::iter::successors(Some(id), |id| self.alive[id].parent).collect()
    }

    pub(crate) fn down(&self, id: MessageeId) -> Vec<MessageeId> {
        let mut family = vec![id];
        for &child in &self.alive[&id].children {
            family.extend(self.down(child));
        }
        family
    }

    pub(crate) fn is_leaving(&self, id: MessageeId) -> bool {
        self.alive.get(&id).is_some_and(|person| person.leaving)
    }

    /// Returns the components that a message is for, or the text of the error if there are none.
    pub(crate) fn audience(
        &self,
        to: Recipient,
        sender: Option<MessageeId>,
        kind: Kind,
    ) -> Result<Audience, String> {
        let alive = |id: MessageeId| {
            let there = self.alive.contains_key(&id);
            there
                .then_some(id)
                .ok_or(format!("Gone {{ to: Id({id:?}) }}"))
        };
        let unbound = || format!("Unbound {{ mnemonic: {:?} }}", CAPTAIN.name());
        let any_order = matches!(to, Everyone | EveryoneElse);
        let mut ids = match to {
            Recipient::Id(id) => vec![alive(id)?],
            Me => vec![alive(sender.expect("it was checked"))?],
            Recipient::Mnemonic(_) => vec![self.captain.ok_or_else(unbound)?],
            Recipient::Group(_) => self.crew.clone(),
            Recipient::Up(id) => self.up(alive(id)?),
            Recipient::Down(id) => self.down(alive(id)?),
            _ => self.alive(),
        };
        let can_hear = ids.iter().any(|id| {
            let mut parts = self.alive[id].parts.iter();
            parts.any(|part| part.handles(kind))
        });
        if to == EveryoneElse {
            ids.retain(|&id| Some(id) != sender);
        }
        let parts = ids.into_iter().flat_map(|id| {
            let parts = self.alive[&id].parts.iter();
            parts.map(move |&part| (id, part))
        });
        Ok(Audience {
            parts: parts.filter(|(_, part)| part.handles(kind)).collect(),
            any_order,
            can_hear,
        })
    }

    /// Returns why too few have received a message, as the `Debug` output of the reason.
    pub(crate) fn why_too_few(&self, to: Recipient, got: usize, can_hear: bool) -> String {
        match to {
            _ if got > 0 => "TooFew".to_owned(),
            Recipient::Group(_) if self.crew.is_empty() => {
                format!("EmptyGroup {{ group: {:?} }}", CREW.name())
            }
            _ if can_hear => "Filtered".to_owned(),
            _ => "NoHandler".to_owned(),
        }
    }
}
