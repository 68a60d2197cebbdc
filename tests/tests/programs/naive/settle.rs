//! What takes effect when the outermost send returns.

use super::reach::{Asks, Reach, priority};
use super::world::{Id, Life, Sent, Waiting, World};
use crate::program::To;

#[derive(Clone, Debug)]
pub(super) enum Change {
    Spawn(Id),
    Hook(usize),
    Unhook(usize),
    Despawn {
        id: Id,
        reparents: bool,
    },
    /// Of a component that was not there when that was asked for.
    Enable(usize, bool),
    /// The place in the storage follows the flag.
    Switch(usize),
    Subscribe(usize),
    /// A component has panicked with that text.
    Panicked(usize, String),
    /// A subscriber of that owner has.
    Unsubscribed(Option<Id>, String),
    /// A wire has ended.
    Unwire,
    /// A message that was kept for some who were lost.
    Bury(Sent),
}

impl World {
    /// Runs what is done from outside, or delivered by a pass; then what it has asked for.
    pub(super) fn outermost<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let done = work(self);
        if self.depth == 1 {
            while let Some(change) = self.changes.pop_front() {
                self.change(change);
            }
        }
        self.depth -= 1;
        done
    }

    fn change(&mut self, change: Change) {
        match change {
            Change::Spawn(id) => {
                self.messagees[id].life = Life::There;
                let along: Vec<usize> = (0..self.parts.len())
                    .filter(|&part| self.parts[part].owner == id && self.parts[part].came_along)
                    .collect();
                for &part in &along {
                    self.attach(part);
                }
                for waiting in std::mem::take(&mut self.messagees[id].waiting) {
                    self.hand_over(waiting, id, &along);
                }
            }
            Change::Hook(part) => {
                let owner = self.parts[part].owner;
                assert!(self.messagees[owner].life == Life::There, "it goes later");
                self.attach(part);
                for waiting in std::mem::take(&mut self.parts[part].waiting) {
                    self.hand_over(waiting, owner, &[part]);
                }
            }
            Change::Unhook(part) => self.detach(part),
            Change::Despawn { id, reparents } => self.remove(id, reparents),
            Change::Enable(part, on) => {
                if self.parts[part].life == Life::There {
                    self.enable(part, on);
                }
            }
            Change::Switch(part) => {
                if self.parts[part].life != Life::There {
                    return;
                }
                let (kind, is_enabled) = (self.parts[part].kind, self.parts[part].is_enabled);
                if is_enabled {
                    self.storage(kind).enable(part);
                } else {
                    self.storage(kind).disable(part);
                }
            }
            Change::Panicked(part, text) => {
                self.detach(part);
                let owner = self.parts[part].owner;
                self.panic_is_told(Some(owner), text);
            }
            Change::Unsubscribed(owner, text) => self.panic_is_told(owner, text),
            Change::Unwire => self.end_unused_wires(),
            Change::Bury(sent) => {
                let (number, lost) = (sent.message.number, sent.lost.take());
                self.aside
                    .push(format!("dead: Some({number}), lost {lost:?}"));
            }
            Change::Subscribe(at) => {
                let it = &mut self.subscriptions[at];
                if it.life == Life::Coming {
                    it.life = Life::There;
                }
            }
        }
    }

    /// To the messagee, or to everyone.
    fn panic_is_told(&mut self, to: Option<Id>, text: String) {
        if to.is_none_or(|id| self.messagees[id].life == Life::There) {
            self.aside.push(text);
        }
    }

    /// What has waited for a newborn, or for some of its components.
    fn hand_over(&mut self, waiting: Waiting, id: Id, parts: &[usize]) {
        let before = self.overhearing.clone();
        match waiting {
            Waiting::Whole(sent) => {
                self.sends += 1;
                let sent = Sent {
                    at: self.sends,
                    ..sent
                };
                self.overhearing.clone_from(&sent.overheard_by);
                let (reach, refused) = if let To::Part(part) = sent.to {
                    let refused = self.stays_hooked(part).is_err();
                    (Reach::Part(part), refused.then_some("HookGone"))
                } else {
                    let refused = self.stays(id).is_err();
                    (Reach::Several(vec![id]), refused.then_some("Gone"))
                };
                match refused {
                    None => {
                        self.deliver_now(&sent, &reach);
                    }
                    // To a post that is due the same happens.
                    Some(why) => {
                        let line = format!("dead: Some({}), {why}", sent.message.number);
                        self.aside.push(line);
                    }
                }
            }
            Waiting::Share(sent) => {
                self.overhearing.clone_from(&sent.overheard_by);
                let asks = Asks::Message(sent.message.what);
                let mut parts = parts.to_vec();
                parts.retain(|&part| priority(self.parts[part].kind, asks).is_some());
                parts.sort_by_key(|&part| -priority(self.parts[part].kind, asks).unwrap_or(0));
                for part in parts {
                    if sent.is_consumed.get() {
                        continue;
                    }
                    if self.receives(part) {
                        self.handle(part, &sent, false);
                    } else {
                        self.lose(part, &sent);
                    }
                }
            }
        }
        self.overhearing = before;
    }

    fn attach(&mut self, part: usize) {
        self.parts[part].life = Life::There;
        let kind = self.parts[part].kind;
        self.storage(kind).enter(part);
        if !self.parts[part].is_enabled {
            self.storage(kind).disable(part);
        }
    }

    fn detach(&mut self, part: usize) {
        if std::mem::replace(&mut self.parts[part].life, Life::Gone) == Life::There {
            let kind = self.parts[part].kind;
            self.storage(kind).remove(part);
        }
    }

    /// A messagee goes, and after it those of its family who go with it.
    fn remove(&mut self, id: Id, reparents: bool) {
        self.free_places.push(self.messagees[id].place);
        let (parent, children) = (self.parent(id), self.children(id));
        // The last component first: seen in the storage order alone.
        for part in self.parts_of(id).into_iter().rev() {
            self.detach(part);
        }
        for child in children {
            if reparents {
                self.set_parent(child, parent);
            } else {
                self.remove(child, false);
            }
        }
        self.set_parent(id, None);
        self.messagees[id].life = Life::Gone;
        for bound in &mut self.bound {
            bound.take_if(|bound| *bound == id);
        }
        for group in &mut self.groups {
            group.retain(|member| *member != id);
        }
        self.wires.retain(|wire| wire.from != id);
        self.end_unused_wires();
        self.sender_dies(id);
    }
}
