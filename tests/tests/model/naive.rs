//! The naive model: who there is and will be, in lists that are searched from end to end.

use std::collections::BTreeMap;

use message_core::prelude::*;

use crate::MNEMONICS;

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
    pub(crate) parent: Option<MessageeId>,
    pub(crate) children: Vec<MessageeId>,
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

    pub(crate) fn parent(&self, id: MessageeId) -> Option<MessageeId> {
        self.members.get(&id).and_then(|member| member.parent)
    }

    pub(crate) fn up(&self, id: MessageeId) -> Vec<MessageeId> {
        std::iter::successors(Some(id), |&id| self.parent(id)).collect()
    }

    pub(crate) fn down(&self, id: MessageeId) -> Vec<MessageeId> {
        let mut family = vec![id];
        for &child in &self.members[&id].children {
            family.extend(self.down(child));
        }
        family
    }

    pub(crate) fn set_parent(&mut self, child: MessageeId, parent: Option<MessageeId>) {
        if let Some(old) = self.parent(child) {
            let old = self.members.get_mut(&old).expect("a parent is alive");
            old.children.retain(|&other| other != child);
        }
        self.members.get_mut(&child).expect("checked").parent = parent;
        if let Some(parent) = parent {
            let parent = self.members.get_mut(&parent).expect("checked");
            parent.children.push(child);
        }
    }

    pub(crate) fn despawn(&mut self, id: MessageeId, children: Children) {
        let parent = self.parent(id);
        for child in self.members[&id].children.clone() {
            match children {
                Children::Follow => self.despawn(child, children),
                Children::Reparent => self.set_parent(child, parent),
            }
        }
        self.set_parent(id, None);
        self.members.remove(&id);
        for bound in &mut self.bound {
            bound.take_if(|bound| *bound == id);
        }
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
    /// The labels of each kind in storage order.
    pub(crate) stored: Vec<u32>,
    /// Who was spawned since the outermost send began, with the messages that wait for it.
    pub(crate) born: Vec<(MessageeId, Vec<u32>)>,
    pub(crate) busy: Vec<u32>,
    pub(crate) kept: Vec<(u32, u32)>,
    pub(crate) expected: Vec<(u32, u32)>,
    pub(crate) heard: Vec<(u32, u32)>,
    pub(crate) all: Vec<MessageeId>,
    pub(crate) all_hooks: Vec<(HookId, Kind)>,
    pub(crate) labels: u32,
    /// Whether somebody is leaving who was asked to from outside.
    pub(crate) leaves: bool,
    /// How many messages were sent meanwhile.
    pub(crate) goodbyes: usize,
}

impl Model {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: Random(seed),
            now: State::default(),
            future: State::default(),
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
        }
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    pub(crate) fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    /// Mostly one that will be there, sometimes one that is long gone.
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

    /// Checks who is asked to stay in the future.
    pub(crate) fn stays(&self, id: MessageeId) -> Result<(), &'static str> {
        if self.future.members.contains_key(&id) {
            Ok(())
        } else {
            Err("Gone")
        }
    }

    pub(crate) fn set_parent(&mut self, child: MessageeId, parent: Option<MessageeId>) -> Expected {
        self.stays(child)?;
        if let Some(parent) = parent {
            self.stays(parent)?;
            if self.future.up(parent).contains(&child) {
                return Err("Cycle");
            }
        }
        self.future.set_parent(child, parent);
        Ok(())
    }

    pub(crate) fn bind(&mut self, at: usize, id: MessageeId) -> Expected {
        self.stays(id)?;
        if self.future.bound[at].is_some() {
            return Err("AlreadyBound");
        }
        self.future.bound[at] = Some(id);
        Ok(())
    }

    pub(crate) fn unbind(&mut self, at: usize, id: MessageeId) -> Expected {
        self.stays(id)?;
        if self.future.bound[at] != Some(id) {
            return Err("NotBound");
        }
        self.future.bound[at] = None;
        Ok(())
    }

    pub(crate) fn despawn(&mut self, id: MessageeId, children: Children) -> Expected {
        self.stays(id)?;
        self.future.despawn(id, children);
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
        Ok(())
    }

    /// How many receive the message, and how many will.
    pub(crate) fn send(
        &mut self,
        ping: u32,
        sender: Option<MessageeId>,
        to: Recipient,
    ) -> Result<(usize, usize), &'static str> {
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
                    Recipient::Id(id) | Up(id) | Down(id) => id,
                    Recipient::Mnemonic(mnemonic) => {
                        let at = MNEMONICS.iter().position(|known| *known == mnemonic);
                        self.now.bound[at.expect("one of two")].ok_or("Unbound")?
                    }
                    _ => sender.ok_or("NoSender")?,
                };
                if !self.now.members.contains_key(&id) {
                    return self.send_to_newborn(ping, id);
                }
                let ids = match to {
                    Up(id) => self.now.up(id),
                    Down(id) => self.now.down(id),
                    _ => vec![id],
                };
                let parts = ids.into_iter().flat_map(|id| {
                    let parts = in_order(&self.now.members[&id]).into_iter();
                    parts.map(move |part| (id, part))
                });
                parts.collect()
            }
        };
        let (mut received, mut pending) = (0, 0);
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

    pub(crate) fn send_to_newborn(
        &mut self,
        ping: u32,
        id: MessageeId,
    ) -> Result<(usize, usize), &'static str> {
        let mut born = self.born.iter_mut();
        let (_, mail) = born.find(|(born, _)| *born == id).ok_or("Gone")?;
        mail.push(ping);
        let member = self.future.members.get(&id);
        let came_along = member.into_iter().flat_map(|member| &member.parts);
        Ok((0, came_along.filter(|part| part.hook.is_none()).count()))
    }

    pub(crate) fn become_free(&mut self, label: u32) {
        assert_eq!(self.busy.pop(), Some(label));
        let (free, kept) = std::mem::take(&mut self.kept)
            .into_iter()
            .partition(|&(_, receiver)| receiver == label);
        self.kept = kept;
        if self.future.has(label) {
            self.expected.extend::<Vec<_>>(free);
        }
    }

    /// The outermost send returns: what was to be is.
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
        self.now = self.future.clone();
    }
}

/// The parts of a messagee in the order in which they are reached.
pub(crate) fn in_order(member: &Member) -> Vec<Part> {
    let mut parts = member.parts.clone();
    parts.sort_by_key(|part| part.kind != Kind::Active);
    parts
}

/// What the model expects of a change: nothing, or the name of an error.
pub(crate) type Expected = Result<(), &'static str>;
