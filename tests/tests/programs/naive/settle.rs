//! Changes that take effect when the outermost send returns.

use super::lines::{Doer, OUTSIDE};
use super::reach::{Asks, Reach, priority};
use super::world::{Id, Kept, Life, Sent, Waiting, World};
use crate::FUEL;
use crate::program::{Line, To};

#[derive(Clone, Debug)]
pub(super) enum Change {
    Spawn(Id),
    Hook(usize),
    Unhook(usize),
    Despawn {
        id: Id,
        reparents: bool,
    },
    /// Enables or disables a component that was not yet alive when this was requested.
    Enable(usize, bool),
    /// The place in the storage follows the flag.
    Switch(usize),
    Subscribe(usize),
    /// One that was paused has been resumed.
    Resumed(usize),
    /// Hands over a message that has waited for a newborn, or for some of its components.
    HandOver {
        waiting: Waiting,
        id: Id,
        parts: Vec<usize>,
    },
    /// The next of the retained messages that a subscription has missed.
    Missed(usize),
    /// A component has panicked with that text.
    Panicked(usize, String),
    /// A subscriber of that owner has.
    Unsubscribed(Option<Id>, String),
    /// A wire has ended.
    Unwire,
    /// A message kept for receivers that were lost becomes a dead letter.
    Bury(Sent),
}

#[derive(Clone, Copy, Debug)]
enum Receiver {
    Part(usize),
    Subscriber(usize),
}

impl World {
    /// Does work as an outermost send, then carries out the changes it has requested.
    pub(super) fn outermost<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let done = work(self);
        self.settle();
        done
    }

    /// Does a line from outside.
    pub(super) fn do_from_outside(&mut self, line: &Line) -> String {
        self.is_called = false;
        let seen = self.line(line, FUEL, OUTSIDE);
        if self.is_called {
            self.settle();
        }
        seen
    }

    /// Begins a call that may change something: whatever a panic has left is carried out first.
    pub(super) fn call(&mut self, doer: Doer) {
        if !doer.is_inside {
            self.is_called = true;
            self.settle();
        }
    }

    /// Carries out the requested changes in order; first, whatever a panic has left to busy receivers.
    pub(super) fn settle(&mut self) {
        loop {
            self.hand_over_all();
            let Some(change) = self.changes.pop_front() else {
                return;
            };
            self.change(change);
        }
    }

    /// Hands over all kept messages: first to the receiver that has waited longest.
    fn hand_over_all(&mut self) {
        while let Some(first) = self.waiting_longest().first() {
            self.hand_over_to(*first);
        }
    }

    /// Hands over the messages kept for receivers that a panic has freed, before a send begins.
    pub(super) fn hand_over_to_freed(&mut self) {
        for receiver in self.waiting_longest() {
            self.hand_over_to(receiver);
        }
    }

    /// Returns the receivers of kept messages, longest wait first, counted from the end of the send.
    fn waiting_longest(&self) -> Vec<Receiver> {
        let mut waiting = Vec::new();
        for (at, part) in self.parts.iter().enumerate() {
            let first = part.kept.front();
            waiting.extend(first.map(|kept| (self.waits_since(kept), Receiver::Part(at))));
        }
        for (at, it) in self.subscriptions.iter().enumerate() {
            let first = it.kept.front();
            waiting.extend(first.map(|kept| (self.waits_since(kept), Receiver::Subscriber(at))));
        }
        waiting.sort_by_key(|(first, _)| *first);
        waiting.into_iter().map(|(_, receiver)| receiver).collect()
    }

    /// Returns the end of its send, and its number for messages of the same send.
    fn waits_since(&self, kept: &Kept) -> (Option<usize>, u64) {
        let end = self.ended.iter().position(|at| *at == kept.sent.at);
        (end, kept.number)
    }

    fn hand_over_to(&mut self, receiver: Receiver) {
        match receiver {
            Receiver::Part(part) => self.hand_over_kept(part),
            Receiver::Subscriber(at) if self.subscriptions[at].is_running => {}
            Receiver::Subscriber(at) => self.hand_over_to_subscriber(at),
        }
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
                let waiting = std::mem::take(&mut self.messagees[id].waiting);
                self.hand_over_next(waiting, id, &along);
            }
            Change::Hook(part) => {
                let owner = self.parts[part].owner;
                assert!(self.messagees[owner].life == Life::There, "it goes later");
                self.attach(part);
                let waiting = std::mem::take(&mut self.parts[part].waiting);
                self.hand_over_next(waiting, owner, &[part]);
            }
            Change::Unhook(part) => self.detach(part),
            Change::Despawn { id, reparents } => self.remove(id, reparents),
            Change::Enable(part, on) => {
                // One that was switched since it was attached is moved when that was asked for.
                let is_first = !self.is_switched(part);
                if self.parts[part].life == Life::There && self.enable(part, on) && is_first {
                    self.settle_switch(part);
                }
            }
            Change::Switch(part) => self.settle_switch(part),
            Change::Panicked(part, text) => {
                self.detach(part);
                let owner = self.parts[part].owner;
                self.panic_is_told(Some(owner), text);
            }
            Change::Unsubscribed(owner, text) => self.panic_is_told(owner, text),
            Change::Unwire => self.end_unused_wires(),
            Change::Bury(sent) => {
                let (number, mut lost) = (sent.message.number, sent.lost.take());
                lost.sort();
                self.aside
                    .push(format!("dead: Some({number}), lost {lost:?}"));
            }
            Change::Subscribe(at) => {
                let it = &mut self.subscriptions[at];
                if it.life == Life::Coming {
                    it.life = Life::There;
                }
                self.catch_up(at);
            }
            Change::Resumed(at) => self.catch_up(at),
            Change::HandOver { waiting, id, parts } => self.hand_over(waiting, id, &parts),
            Change::Missed(at) => self.hear_missed(at),
        }
    }

    /// Returns whether it was enabled or disabled and its place in the storage has not followed yet.
    fn is_switched(&self, part: usize) -> bool {
        let is_it = |change: &Change| matches!(change, Change::Switch(other) if *other == part);
        self.changes.iter().any(is_it)
    }

    /// Its place in the storage follows.
    fn settle_switch(&mut self, part: usize) {
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

    /// Reports a panic to the messagee, or to everyone.
    fn panic_is_told(&mut self, to: Option<Id>, text: String) {
        if to.is_none_or(|id| self.messagees[id].life == Life::There) {
            self.aside.push(text);
        }
    }

    /// Hands over the waiting messages before any later change.
    fn hand_over_next(&mut self, waiting: Vec<Waiting>, id: Id, parts: &[usize]) {
        for waiting in waiting.into_iter().rev() {
            let parts = parts.to_vec();
            let change = Change::HandOver { waiting, id, parts };
            self.changes.push_front(change);
        }
    }

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
                    (Reach::Part(part), refused.then_some("Gone"))
                } else {
                    let refused = self.stays(id).is_err();
                    (Reach::Several(vec![id]), refused.then_some("Gone"))
                };
                match refused {
                    // It is delivered like a post that is due.
                    None => {
                        let receipt = self.deliver_now(&sent, &reach);
                        if sent.requires && receipt.received + receipt.pending == 0 {
                            self.too_few(sent.message, |other| other.at == sent.at);
                        }
                    }
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
                    if !sent.open_to.get().admits(self.parts[part].owner) {
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
        self.forget_part(part);
    }

    /// Removes a messagee, then those of its family that go with it.
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
        self.forget_messagee(id);
        self.wires.retain(|wire| wire.from != id);
        self.end_unused_wires();
        self.sender_dies(id);
    }
}
