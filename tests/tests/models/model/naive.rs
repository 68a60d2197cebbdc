//! The naive model: present and future messagees, in lists that are searched from end to end.

use std::cell::Cell;
use std::collections::BTreeMap;

use message_core::Children;
use message_core::Recipient::EveryoneElse;
use message_core::prelude::*;

use super::MNEMONICS;

/// In the order in which everyone is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Active,
    Late,
    Plain,
}

#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Not known before its messagee is alive, if it was spawned with it.
    pub(crate) hook: Option<HookId>,
    pub(crate) kind: Kind,
    pub(crate) label: u32,
    pub(crate) enabled: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Member {
    pub(crate) parts: Vec<Part>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) members: BTreeMap<MessageeId, Member>,
    pub(crate) bound: [Option<MessageeId>; MNEMONICS.len()],
}

impl State {
    pub(crate) fn parts(&self) -> impl Iterator<Item = (MessageeId, &Part)> {
        let members = self.members.iter();
        members.flat_map(|(&id, member)| member.parts.iter().map(move |part| (id, part)))
    }

    pub(crate) fn part_mut(&mut self, hook: HookId) -> Option<&mut Part> {
        let mut parts = self
            .members
            .values_mut()
            .flat_map(|member| &mut member.parts);
        parts.find(|part| part.hook == Some(hook))
    }

    pub(crate) fn has(&self, label: u32) -> bool {
        self.parts().any(|(_, part)| part.label == label)
    }

    pub(crate) fn remove(&mut self, id: MessageeId) {
        self.members.remove(&id);
        for bound in &mut self.bound {
            bound.take_if(|bound| *bound == id);
        }
    }
}

/// The parents of all messagees alive or about to be; children in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Family(Vec<(MessageeId, MessageeId)>);

impl Family {
    pub(crate) fn parent(&self, id: MessageeId) -> Option<MessageeId> {
        let link = self.0.iter().find(|(child, _)| *child == id);
        link.map(|(_, parent)| *parent)
    }

    pub(crate) fn children(&self, id: MessageeId) -> Vec<MessageeId> {
        let links = self.0.iter().filter(|(_, parent)| *parent == id);
        links.map(|(child, _)| *child).collect()
    }

    pub(crate) fn up(&self, id: MessageeId) -> Vec<MessageeId> {
        std::iter::successors(Some(id), |&id| self.parent(id)).collect()
    }

    pub(crate) fn down(&self, id: MessageeId) -> Vec<MessageeId> {
        let mut family = vec![id];
        for child in self.children(id) {
            family.extend(self.down(child));
        }
        family
    }

    pub(crate) fn set_parent(&mut self, child: MessageeId, parent: Option<MessageeId>) {
        self.0.retain(|(other, _)| *other != child);
        self.0.extend(parent.map(|parent| (child, parent)));
    }

    /// Removes a messagee.
    pub(crate) fn remove(&mut self, id: MessageeId, children: Children) {
        let parent = self.parent(id);
        for child in self.children(id) {
            match children {
                Children::Follow => self.remove(child, children),
                Children::Reparent => self.set_parent(child, parent),
            }
        }
        self.set_parent(id, None);
    }
}

/// A small generator of random numbers: xorshift.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end
    }
}

pub(crate) struct Model {
    pub(crate) random: Random,
    pub(crate) now: State,
    pub(crate) future: State,
    /// As it is at this moment.
    pub(crate) family: Family,
    /// The messagees that are despawned when the outermost send returns, in the order requested.
    pub(crate) going: Vec<(MessageeId, Children)>,
    /// The labels of each kind in storage order.
    pub(crate) stored: Vec<u32>,
    /// The messagees spawned since the outermost send began, with the messages that wait for them.
    pub(crate) born: Vec<(MessageeId, Vec<u32>)>,
    pub(crate) busy: Vec<u32>,
    pub(crate) kept: Vec<(u32, u32)>,
    pub(crate) expected: Vec<(u32, u32)>,
    pub(crate) heard: Vec<(u32, u32)>,
    pub(crate) all: Vec<MessageeId>,
    pub(crate) all_hooks: Vec<(HookId, Kind)>,
    pub(crate) labels: u32,
    /// Whether a messagee is leaving because of a request from outside.
    pub(crate) leaves: bool,
    /// How many messages were sent meanwhile.
    pub(crate) goodbyes: usize,
    /// How many changes were refused because a messagee was leaving.
    pub(crate) refused: Cell<usize>,
}

impl Model {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: Random(seed),
            now: State::default(),
            future: State::default(),
            family: Family::default(),
            going: Vec::new(),
            stored: Vec::new(),
            born: Vec::new(),
            busy: Vec::new(),
            kept: Vec::new(),
            expected: Vec::new(),
            heard: Vec::new(),
            all: Vec::new(),
            all_hooks: Vec::new(),
            labels: 0,
            leaves: false,
            goodbyes: 0,
            refused: Cell::new(0),
        }
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    pub(crate) fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    /// Returns usually a messagee that will be alive, sometimes one that is long gone.
    pub(crate) fn any_id(&mut self) -> Option<MessageeId> {
        let stays: Vec<MessageeId> = self.future.members.keys().copied().collect();
        let from = if self.below(8) == 0 {
            &self.all
        } else {
            &stays
        };
        let length = from.len();
        (length > 0).then(|| from[self.random.below(length)])
    }

    pub(crate) fn any_hook(&mut self) -> Option<(HookId, Kind)> {
        let stays = self.future.parts();
        let stays = stays.filter_map(|(_, part)| Some((part.hook?, part.kind)));
        let stays: Vec<(HookId, Kind)> = stays.collect();
        let from = if self.below(8) == 0 {
            &self.all_hooks
        } else {
            &stays
        };
        let length = from.len();
        (length > 0).then(|| from[self.random.below(length)])
    }

    /// Checks that a messagee will stay. One that was asked to go in this dispatch is still
    /// leaving, even if it was spawned in it.
    pub(crate) fn stays(&self, id: MessageeId) -> Result<(), &'static str> {
        if self.future.members.contains_key(&id) {
            Ok(())
        } else if self.now.members.contains_key(&id)
            || self.born.iter().any(|(born, _)| *born == id)
        {
            self.refused.update(|refused| refused + 1);
            Err("Leaving")
        } else {
            Err("Gone")
        }
    }

    pub(crate) fn set_parent(&mut self, child: MessageeId, parent: Option<MessageeId>) -> Expected {
        self.stays(child)?;
        if let Some(parent) = parent {
            self.stays(parent)?;
            if self.family.up(parent).contains(&child) {
                return Err("Cycle");
            }
        }
        self.family.set_parent(child, parent);
        Ok(())
    }

    pub(crate) fn bind(&mut self, at: usize, id: MessageeId) -> Expected {
        self.stays(id)?;
        if self.future.bound[at].is_some() {
            return Err("AlreadyBound");
        }
        self.future.bound[at] = Some(id);
        self.now.bound[at] = Some(id);
        Ok(())
    }

    pub(crate) fn unbind(&mut self, at: usize, id: MessageeId) -> Expected {
        self.stays(id)?;
        if self.future.bound[at] != Some(id) {
            return Err("NotBound");
        }
        self.future.bound[at] = None;
        self.now.bound[at] = None;
        Ok(())
    }

    pub(crate) fn despawn(&mut self, id: MessageeId, children: Children) -> Expected {
        self.stays(id)?;
        let leaving = match children {
            Children::Follow => self.family.down(id),
            Children::Reparent => vec![id],
        };
        for id in leaving {
            self.future.remove(id);
        }
        self.going.push((id, children));
        Ok(())
    }

    pub(crate) fn unhook(&mut self, hook: HookId) -> Expected {
        self.future.part_mut(hook).ok_or("NotHooked")?;
        for member in self.future.members.values_mut() {
            member.parts.retain(|part| part.hook != Some(hook));
        }
        Ok(())
    }

    pub(crate) fn set_enabled(&mut self, hook: HookId, enabled: bool) -> Expected {
        self.future.part_mut(hook).ok_or("NotHooked")?.enabled = enabled;
        if let Some(part) = self.now.part_mut(hook) {
            part.enabled = enabled;
        }
        Ok(())
    }

    /// Sends a message, and returns how many have received it and how many will.
    pub(crate) fn send(
        &mut self,
        ping: u32,
        sender: Option<MessageeId>,
        to: Recipient,
    ) -> Result<(usize, usize), &'static str> {
        let (mut received, mut pending) = (0, 0);
        let receivers: Vec<(MessageeId, Part)> = match to {
            Everyone | EveryoneElse => {
                let except = match to {
                    Everyone => None,
                    _ => Some(sender.ok_or("NoSender")?),
                };
                let labels = self.stored.iter();
                let parts = labels.filter_map(|&label| {
                    let mut parts = self.now.parts();
                    parts.find(|(_, part)| part.label == label)
                });
                let parts = parts.filter(|(owner, _)| Some(*owner) != except);
                parts.map(|(owner, part)| (owner, part.clone())).collect()
            }
            _ => {
                let id = match to {
                    Recipient::Id(id) | Recipient::Up(id) | Recipient::Down(id) => id,
                    Recipient::Mnemonic(mnemonic) => {
                        let at = MNEMONICS.iter().position(|known| *known == mnemonic);
                        self.now.bound[at.expect("one of two")].ok_or("Unbound")?
                    }
                    _ => sender.ok_or("NoSender")?,
                };
                let is_there = self.now.members.contains_key(&id);
                if !is_there && !self.born.iter().any(|(born, _)| *born == id) {
                    return Err("Gone");
                }
                let is_alone = !matches!(to, Recipient::Up(_) | Recipient::Down(_));
                if is_alone && !self.future.members.contains_key(&id) {
                    return Err("Leaving");
                }
                let ids = match to {
                    Recipient::Up(id) => self.family.up(id),
                    Recipient::Down(id) => self.family.down(id),
                    _ => vec![id],
                };
                let mut parts = Vec::new();
                for id in ids {
                    match self.now.members.get(&id) {
                        Some(member) => {
                            parts.extend(in_order(member).into_iter().map(|part| (id, part)));
                        }
                        None => pending += self.send_to_newborn(ping, id),
                    }
                }
                parts
            }
        };
        for (_, part) in receivers {
            if !part.enabled || !self.future.has(part.label) {
                continue;
            }
            if self.busy.contains(&part.label) {
                self.kept.push((ping, part.label));
                pending += 1;
            } else {
                self.expected.push((ping, part.label));
                received += 1;
            }
        }
        Ok((received, pending))
    }

    /// Sends a message to a newborn, and returns how many of its components will receive it.
    fn send_to_newborn(&mut self, ping: u32, id: MessageeId) -> usize {
        let mut born = self.born.iter_mut();
        let Some((_, mail)) = born.find(|(born, _)| *born == id) else {
            return 0;
        };
        mail.push(ping);
        let member = self.future.members.get(&id);
        let came_along = member.into_iter().flat_map(|member| &member.parts);
        came_along.filter(|part| part.hook.is_none()).count()
    }

    pub(crate) fn become_free(&mut self, label: u32) {
        assert_eq!(self.busy.pop(), Some(label));
        let (free, kept) = std::mem::take(&mut self.kept)
            .into_iter()
            .partition(|&(_, receiver)| receiver == label);
        self.kept = kept;
        // One that was disabled or is leaving since does not receive it.
        let mut parts = self.future.parts();
        if parts.any(|(_, part)| part.label == label && part.enabled) {
            self.expected.extend::<Vec<_>>(free);
        }
    }

    /// Ends the outermost send: the future state becomes the present one.
    pub(crate) fn settle(&mut self, manager: &MessageManager) {
        for (id, mail) in std::mem::take(&mut self.born) {
            let Some(member) = self.future.members.get_mut(&id) else {
                continue;
            };
            let mut parts = in_order(member);
            parts.retain(|part| part.hook.is_none());
            for ping in mail {
                let heard = parts.iter().map(|part| (ping, part.label));
                self.expected.extend(heard);
            }
            for (part, hook) in member.parts.iter_mut().zip(manager.hooks(id)) {
                part.hook.get_or_insert(hook);
                self.all_hooks.push((hook, part.kind));
            }
        }
        assert!(self.kept.is_empty() && self.busy.is_empty());
        for (id, children) in std::mem::take(&mut self.going) {
            self.family.remove(id, children);
        }
        self.now = self.future.clone();
    }
}

/// Returns the parts of a messagee in the order in which they are reached.
pub(crate) fn in_order(member: &Member) -> Vec<Part> {
    let mut parts = member.parts.clone();
    parts.sort_by_key(|part| part.kind != Kind::Active);
    parts
}

/// The result that the model expects of a change: success, or the name of an error.
pub(crate) type Expected = Result<(), &'static str>;
