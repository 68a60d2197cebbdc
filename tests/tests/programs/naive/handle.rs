//! Running components and subscribers, and the messages kept for them meanwhile.

use super::lines::Doer;
use super::panics::escape;
use super::reach::Asks;
use super::settle::Change;
use super::world::{Kept, Life, OpenTo, Role, Sent, World};
use crate::program::{End, Kind, To, What};

/// Its handler takes `&self`.
fn shares(kind: Kind, asks: Asks) -> bool {
    kind == Kind::Calm && asks != Asks::Message(What::Note)
}

impl World {
    /// Returns whether a component cannot take this now, or other messages wait for it.
    pub(super) fn is_busy(&self, part: usize, asks: Asks) -> bool {
        // Busy receivers do not get a message that another one has consumed.
        let owner = self.parts[part].owner;
        let waits = |kept: &Kept| kept.sent.open_to.get().admits(owner);
        self.is_running(part, asks) || self.parts[part].kept.iter().any(waits)
    }

    /// Like `is_busy`, for messages that wait for nothing.
    pub(super) fn is_running(&self, part: usize, asks: Asks) -> bool {
        let part = &self.parts[part];
        part.alone || (part.running > 0 && !shares(part.kind, asks))
    }

    pub(super) fn handle_overheard(&mut self, part: usize, sent: &Sent, at: usize) -> bool {
        let Role::Overhears(id) = self.subscriptions[at].role else {
            unreachable!("it overhears")
        };
        let before = self.overhearing.clone();
        self.overhearing.push(id);
        let is_consumed = self.handle(part, sent, true);
        self.overhearing = before;
        is_consumed
    }

    /// Makes a component handle a message, then those kept for it meanwhile. Returns whether it consumes.
    pub(super) fn handle(&mut self, part: usize, sent: &Sent, is_overheard: bool) -> bool {
        let asks = Asks::Message(sent.message.what);
        let (label, kind) = (self.parts[part].label, self.parts[part].kind);
        let number = sent.message.number;
        let from = sent.sender.map_or("outside".into(), |id| format!("m{id}"));
        let to = self.addressee(sent);
        let how = if is_overheard { " overheard" } else { "" };
        if kind == Kind::Quick {
            self.say(format!("c{label} has {number}"));
            return false;
        }
        self.say(format!("c{label} has {number} from {from}{to}{how}"));
        if sent.message.what == What::Note {
            return false;
        }
        self.parts[part].running += 1;
        let was_alone = std::mem::replace(&mut self.parts[part].alone, !shares(kind, asks));
        let doer = Doer {
            me: Some(self.parts[part].owner),
            back: sent.sender,
            is_inside: true,
            is_handler: true,
        };
        let end = self.run_script(self.parts[part].script, sent.message.fuel, doer);
        self.say(format!("c{label} is done with {number}"));
        let consumes = matches!(end, End::Consumes | End::StopsAtMessagee);
        match end {
            End::Returns => {}
            End::Consumes => sent.open_to.set(OpenTo::Nobody),
            End::StopsAtMessagee => {
                let owner = self.parts[part].owner;
                sent.open_to.set(OpenTo::Messagee(owner));
            }
            End::Fails => self.aside.push(format!("c{label} fails at {number}")),
            End::Panics => self.panics(part, number),
        }
        self.parts[part].running -= 1;
        self.parts[part].alone = was_alone;
        self.hand_over_kept(part);
        consumes
    }

    pub(super) fn run_script(&mut self, script: usize, fuel: u32, doer: Doer) -> End {
        let script = self.program.scripts[script].clone();
        if fuel > 0 {
            for line in &script.lines {
                if self.left == 0 {
                    continue;
                }
                self.left -= 1;
                let seen = self.line(line, fuel - 1, doer);
                self.say(format!("in handler: {seen}"));
            }
        }
        script.end
    }

    /// Describes the one messagee that a message was sent to.
    pub(super) fn addressee(&self, sent: &Sent) -> String {
        match sent.to {
            To::Id(id) => format!(" to m{id}"),
            To::Part(part) => format!(" to m{}", self.parts[part].owner),
            _ => String::new(),
        }
    }

    /// Passes a panic to the caller, or unhooks the component that panicked and notifies its messagee.
    pub(super) fn panics(&mut self, part: usize, number: u32) {
        let text = format!("c{} panics at {number}", self.parts[part].label);
        if self.program.catches() {
            escape(text);
        }
        self.parts[part].is_leaving = true;
        self.parts[part].has_panicked = true;
        self.changes.push_back(Change::Panicked(part, text));
    }

    /// Makes a subscriber receive a message, then those kept for it meanwhile. Returns how its script has
    /// ended.
    pub(super) fn follow(&mut self, at: usize, sent: &Sent) -> End {
        let it = &mut self.subscriptions[at];
        let Role::Follows { script } = it.role else {
            unreachable!("it runs a script")
        };
        it.is_running = true;
        if it.hears.once {
            (it.life, it.may_go_on) = (Life::Gone, true);
        }
        let (label, owner, number) = (it.label, it.owner, sent.message.number);
        let from = sent.sender.map_or("outside".into(), |id| format!("m{id}"));
        let to = self.addressee(sent);
        self.say(format!("s{label} has {number} from {from}{to}"));
        let fuel = match sent.message.what {
            What::Act => sent.message.fuel,
            What::Note => 1,
        };
        let doer = Doer {
            me: owner,
            back: sent.sender,
            is_inside: true,
            is_handler: false,
        };
        let end = self.run_script(script, fuel, doer);
        self.say(format!("s{label} is done with {number}"));
        let it = &mut self.subscriptions[at];
        it.is_running = false;
        let may_go_on = std::mem::take(&mut it.may_go_on);
        match end {
            End::Consumes => sent.open_to.set(OpenTo::Nobody),
            End::Fails if may_go_on => it.life = Life::There,
            End::Panics => {
                let text = format!("s{label} panics at {number}");
                if self.program.catches() {
                    escape(text);
                }
                it.end();
                self.changes.push_back(Change::Unsubscribed(owner, text));
            }
            End::Returns | End::StopsAtMessagee | End::Fails => {}
        }
        self.hand_over_to_subscriber(at);
        end
    }

    /// Returns whether a kept message is with another of its receivers: this one gets it afterwards.
    fn is_in_hand(&self, kept: Option<&Kept>) -> bool {
        kept.is_some_and(|kept| self.in_hand.contains(&kept.sent.at))
    }

    /// Delivers the messages kept for a subscriber, unless it is already handing them over.
    pub(super) fn hand_over_to_subscriber(&mut self, at: usize) {
        if std::mem::replace(&mut self.subscriptions[at].hands_over, true) {
            return;
        }
        while !self.is_in_hand(self.subscriptions[at].kept.front()) {
            let Some(next) = self.subscriptions[at].kept.pop_front() else {
                break;
            };
            let it = &self.subscriptions[at];
            let is_open = next.sent.open_to.get() == OpenTo::Everyone;
            if !is_open || it.life != Life::There || it.is_paused {
                continue;
            }
            let before = std::mem::replace(&mut self.overhearing, next.sent.overheard_by.clone());
            self.in_hand.push(next.sent.at);
            self.follow(at, &next.sent);
            self.in_hand.pop();
            self.overhearing = before;
        }
        self.subscriptions[at].hands_over = false;
    }

    /// Returns whether a subscription still wants a message: hidden, paused and ended ones lose nothing.
    fn still_overhears(&self, at: usize, sent: &Sent) -> bool {
        let it = &self.subscriptions[at];
        let is_its_own = it.used_up_by == Some(sent.at);
        (it.life == Life::There || is_its_own) && !it.is_paused && !it.hears.hidden
    }

    /// Records that a component can no longer receive a message kept for it. When the outermost send ends, one
    /// dead letter names all who were lost.
    pub(super) fn lose(&mut self, part: usize, sent: &Sent) {
        let it = &self.parts[part];
        let why = if it.has_panicked {
            "Panicked"
        } else if it.is_leaving || self.messagees[it.owner].is_leaving {
            "Left"
        } else {
            "Disabled"
        };
        let is_first = sent.lost.borrow().is_empty();
        let line = format!("m{} {:?} {why}", it.owner, it.kind);
        sent.lost.borrow_mut().push(line);
        if is_first {
            self.changes.push_back(Change::Bury(sent.clone()));
        }
    }

    /// Delivers the messages kept for a component, as long as it is free.
    pub(super) fn hand_over_kept(&mut self, part: usize) {
        while self.parts[part].running == 0 && !self.is_in_hand(self.parts[part].kept.front()) {
            let Some(kept) = self.parts[part].kept.pop_front() else {
                return;
            };
            if !kept.sent.open_to.get().admits(self.parts[part].owner) {
                continue;
            }
            if !self.receives(part) {
                let overhears = |at| self.still_overhears(at, &kept.sent);
                if kept.overheard.is_none_or(overhears) {
                    self.lose(part, &kept.sent);
                }
                continue;
            }
            self.in_hand.push(kept.sent.at);
            let before = std::mem::replace(&mut self.overhearing, kept.sent.overheard_by.clone());
            match kept.overheard {
                None => {
                    self.handle(part, &kept.sent, false);
                }
                Some(at) => {
                    let it = &mut self.subscriptions[at];
                    let is_its_own = it.used_up_by == Some(kept.sent.at);
                    if (it.life == Life::There || is_its_own) && !it.is_paused {
                        it.overheard(&kept.sent);
                        self.handle_overheard(part, &kept.sent, at);
                    }
                }
            }
            self.overhearing = before;
            self.in_hand.pop();
        }
    }
}
