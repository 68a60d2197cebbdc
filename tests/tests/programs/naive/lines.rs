//! The lines of a program.

use super::clock::{Posted, contradicts_itself};
use super::settle::Change;
use super::world::{Id, Life, Made, Message, Messagee, Part, Role, World};
use crate::program::{Kind, Line, Tie, To, What};

const NOTHING: &str = "nothing";

/// The one that executes a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doer {
    /// Nobody outside, and in a subscriber without an owner.
    pub(super) me: Option<Id>,
    /// The sender of the message it is answering.
    pub(super) back: Option<Id>,
    pub(super) is_inside: bool,
    pub(super) is_handler: bool,
}

pub(super) const OUTSIDE: Doer = Doer {
    me: None,
    back: None,
    is_inside: false,
    is_handler: false,
};

fn told<T>(result: Result<T, &'static str>, fine: impl FnOnce(T) -> String) -> String {
    result.map_or_else(str::to_owned, fine)
}

fn done(_: ()) -> String {
    "done".into()
}

fn around(length: usize, number: usize) -> Option<usize> {
    (length > 0).then(|| number % length)
}

impl World {
    pub(super) fn who(&self, number: usize) -> Option<Id> {
        around(self.messagees.len(), number)
    }

    /// Returns a messagee that is not a proxy.
    fn near(&self, number: usize) -> Option<Id> {
        self.who(number).filter(|&id| !self.messagees[id].is_far)
    }

    fn hook_named(&self, number: usize) -> Option<usize> {
        around(self.hooks.len(), number).map(|at| self.hooks[at])
    }

    /// Returns the recipient with its numbers resolved.
    pub(super) fn named(&self, to: To, back: Option<Id>) -> Option<To> {
        Some(match to {
            To::Id(number) => To::Id(self.who(number)?),
            To::UpFrom(number) => To::UpFrom(self.who(number)?),
            To::DownFrom(number) => To::DownFrom(self.who(number)?),
            To::Part(number) => To::Part(self.hook_named(number)?),
            To::Back => To::Id(back?),
            other => other,
        })
    }

    /// Does a line, from outside, for a handler or for a subscriber.
    pub(super) fn line(&mut self, line: &Line, fuel: u32, doer: Doer) -> String {
        self.try_line(line, fuel, doer)
            .unwrap_or_else(|| NOTHING.into())
    }

    fn try_line(&mut self, line: &Line, fuel: u32, doer: Doer) -> Option<String> {
        let Doer { me, back, .. } = doer;
        Some(match line.clone() {
            Line::Send(to, what) => {
                let to = self.named(to, back)?;
                let message = self.message(what, fuel);
                self.call(doer);
                let sent = self.send(message, me, to);
                format!(
                    "{}: {}",
                    message.number,
                    told(sent, |receipt| receipt.to_string())
                )
            }
            Line::Tour(to) => {
                let to = self.named(to, back)?;
                self.call(doer);
                let (receipt, seen) = self.tour(me, to);
                format!("{} {seen:?}", told(receipt, |receipt| receipt.to_string()))
            }
            Line::Ask(to) => {
                let (to, number) = (self.named(to, back)?, self.number());
                self.call(doer);
                let asked = self.ask(number, me, to, false);
                format!(
                    "{number}: {}",
                    told(asked, |answers| format!("c{}", answers[0]))
                )
            }
            Line::AskAll(to) => {
                let (to, number) = (self.named(to, back)?, self.number());
                self.call(doer);
                let asked = self.ask(number, me, to, true);
                format!(
                    "{number}: {}",
                    told(asked, |answers| format!("{answers:?}"))
                )
            }
            Line::Post(head, to, what) => {
                let to = self.named(to, back)?;
                if matches!(to, To::Id(id) if self.messagees[id].is_far) {
                    return None;
                }
                let message = self.message(what, fuel);
                // A header that contradicts itself is refused before anything is done.
                if !contradicts_itself(head) {
                    self.call(doer);
                }
                let posted = self.post(message, me, to, head);
                if let Ok(posted) = posted {
                    let ticket = match posted {
                        Posted::Waits(number) => number,
                        // The ticket of a message that does not wait.
                        Posted::Sent(_) => 0,
                    };
                    self.makes(Made::Ticket(ticket), doer);
                }
                let posted = told(posted, |posted| match posted {
                    Posted::Waits(_) => "posted".into(),
                    Posted::Sent(receipt) => receipt.to_string(),
                });
                format!("{}: {posted}", message.number)
            }
            Line::Letter(head, to, what) => {
                let to = self.named(to, back)?;
                if matches!(to, To::Id(id) if self.messagees[id].is_far) {
                    return None;
                }
                let message = self.message(what, fuel);
                let posted = self.post_through_inlet(message, to, head);
                format!("{}: {}", message.number, told(posted, done))
            }
            Line::Cancel(number) => {
                let at = around(self.tickets.len(), number)?;
                let ticket = self.tickets[at];
                self.call(doer);
                format!("{} cancelled", self.cancel(|post| post.number == ticket))
            }
            Line::CancelKey => {
                self.call(doer);
                let keyed = self.cancel(|post| post.head.tie == Tie::Key && post.sender == me);
                format!("{keyed} cancelled")
            }
            Line::Forget(to, what) => {
                if doer.is_inside {
                    return None;
                }
                let to = self.named(to, back)?;
                self.call(doer);
                format!("forgotten: {}", self.forget(to, what))
            }
            Line::Publish(to) => {
                let (to, number) = (self.named(to, back)?, self.number());
                self.call(doer);
                format!("{number}: {}", told(self.publish(number, me, to), done))
            }
            Line::Read(number, reaching) => {
                let id = self.who(number)?;
                if doer.is_handler && self.window.is_some() {
                    self.read_in = self.passed;
                }
                format!("reads {:?}", self.read(id, reaching))
            }
            Line::Spawn(parts, name) => {
                let mut parts = parts.into_iter();
                let first = parts.next();
                let label = first.map(|_| self.label());
                self.call(doer);
                let place = self.take_place();
                self.messagees.push(Messagee {
                    place,
                    life: Life::Coming,
                    is_leaving: false,
                    name,
                    waiting: Vec::new(),
                    is_far: false,
                });
                let id = self.messagees.len() - 1;
                // The first comes with the messagee; the others are hooked.
                if let (Some((kind, script)), Some(label)) = (first, label) {
                    self.part(label, id, kind, script, true);
                }
                self.changes.push_back(Change::Spawn(id));
                for (kind, script) in parts {
                    let label = self.label();
                    self.part(label, id, kind, script, false);
                }
                format!("spawned m{id}")
            }
            Line::Despawn(number, reparents) => {
                let id = self.near(number)?;
                self.call(doer);
                told(self.despawn(id, reparents), done)
            }
            Line::Hook(number, kind, script) => {
                let (id, label) = (self.near(number)?, self.label());
                self.call(doer);
                told(self.stays(id), |()| {
                    self.part(label, id, kind, script, false);
                    format!("hooked c{label}")
                })
            }
            Line::Unhook(number) => {
                let part = self.hook_named(number)?;
                self.call(doer);
                told(self.unhook(part), done)
            }
            Line::Enable(number, on) => {
                let part = self.hook_named(number)?;
                self.call(doer);
                told(self.set_enabled(part, on), done)
            }
            Line::Parent(number, parent) => {
                let (id, parent) = (self.near(number)?, parent.and_then(|it| self.who(it)));
                self.call(doer);
                told(self.adopt(id, parent), done)
            }
            Line::Bind(mnemonic, number) => {
                let id = self.who(number)?;
                self.call(doer);
                told(self.bind(mnemonic, id), done)
            }
            Line::Unbind(mnemonic, number) => {
                let id = self.who(number)?;
                self.call(doer);
                told(self.unbind(mnemonic, id), done)
            }
            Line::Join(group, number) => {
                let id = self.who(number)?;
                self.call(doer);
                let joined = self.stays(id).map(|()| {
                    let is_new = !self.groups[group].contains(&id);
                    if is_new {
                        self.groups[group].push(id);
                    }
                    is_new
                });
                told(joined, |is_new| format!("joined: {is_new}"))
            }
            Line::Leave(group, number) => {
                let id = self.who(number)?;
                self.call(doer);
                let left = self.stays(id).map(|()| {
                    let was = self.groups[group].contains(&id);
                    self.groups[group].retain(|member| *member != id);
                    was
                });
                told(left, |was| format!("left: {was}"))
            }
            Line::Name(number, name) => {
                let id = self.near(number)?;
                self.call(doer);
                let named = self
                    .stays(id)
                    .map(|()| self.messagees[id].name = Some(name));
                told(named, done)
            }
            Line::Find(name) => {
                let found = self.find(name).into_iter();
                let found: Vec<String> = found.map(|id| format!("m{id}")).collect();
                format!("found {found:?}")
            }
            Line::Subscribe(hears) => {
                let (label, filter) = (self.label(), self.filter(hears, back));
                self.call(doer);
                self.subscribe(label, filter, Role::Hears, doer);
                format!("subscribed s{label}")
            }
            Line::Follow(hears, script, owner) => {
                let owner = owner.and_then(|it| self.who(it));
                if owner.is_some_and(|id| self.messagees[id].is_far) {
                    return None;
                }
                let (label, filter) = (self.label(), self.filter(hears, back));
                self.call(doer);
                let may = owner.map_or(Ok(()), |owner| self.may_listen_for(owner, doer));
                let made = may.map(|()| {
                    let at = self.subscribe(label, filter, Role::Follows { script }, doer);
                    self.subscriptions[at].owner = owner;
                });
                told(made, |()| format!("follows s{label}"))
            }
            Line::Intercept(hears, consumes) => {
                let hears = hears.of_an_interceptor();
                let (label, filter) = (self.label(), self.filter(hears, back));
                self.call(doer);
                self.subscribe(label, filter, Role::Intercepts { consumes }, doer);
                format!("subscribed s{label}")
            }
            Line::Overhear(number, hears) => {
                let (id, filter) = (self.near(number)?, self.filter(hears, back));
                self.call(doer);
                let may = self.may_listen_for(id, doer);
                let made = may.map(|()| {
                    self.subscribe(0, filter, Role::Overhears(id), doer);
                });
                told(made, |()| "overhears".into())
            }
            Line::Unsubscribe(number) => {
                let at = self.subscribed[around(self.subscribed.len(), number)?];
                self.call(doer);
                format!("ended: {}", self.subscriptions[at].end())
            }
            Line::Listen(number, on) => {
                let at = self.subscribed[around(self.subscribed.len(), number)?];
                self.call(doer);
                let is_there = self.set_listening(at, on);
                format!("switched: {is_there}")
            }
            Line::Wire(from, on, head, to, what) => {
                if doer.is_inside || self.program.far > 0 {
                    return None;
                }
                let from = self.who(from)?;
                self.wire(doer, from, on, head, to, what)
            }
            Line::Scale(percent) => {
                self.call(doer);
                self.scale = percent;
                done(())
            }
            Line::Pause(paused) => {
                self.call(doer);
                self.is_paused = paused;
                done(())
            }
        })
    }

    pub(super) fn message(&mut self, what: What, fuel: u32) -> Message {
        let number = self.number();
        let fuel = if what == What::Act { fuel } else { 0 };
        Message {
            what,
            number,
            fuel,
            activator: None,
        }
    }

    /// Adds a new component, which is alive once the outermost send returns.
    fn part(&mut self, label: u32, owner: Id, kind: Kind, script: usize, came_along: bool) {
        self.parts.push(Part {
            kind,
            label,
            script,
            owner,
            life: Life::Coming,
            is_leaving: false,
            has_panicked: false,
            is_enabled: true,
            came_along,
            running: 0,
            alone: false,
            kept: std::collections::VecDeque::new(),
            waiting: Vec::new(),
        });
        let part = self.parts.len() - 1;
        if !came_along {
            self.hooks.push(part);
            self.changes.push_back(Change::Hook(part));
        }
    }

    fn despawn(&mut self, id: Id, reparents: bool) -> Result<(), &'static str> {
        self.stays(id)?;
        let leaving = if reparents { vec![id] } else { self.down(id) };
        for id in leaving {
            self.messagees[id].is_leaving = true;
            for it in &mut self.subscriptions {
                if it.owner == Some(id) {
                    it.end();
                }
            }
        }
        self.changes.push_back(Change::Despawn { id, reparents });
        Ok(())
    }

    /// Fails unless a component is hooked, or will be, and is not leaving.
    pub(super) fn stays_hooked(&self, part: usize) -> Result<(), &'static str> {
        let it = &self.parts[part];
        if it.life == Life::Gone || it.is_leaving || self.messagees[it.owner].is_leaving {
            Err("NotHooked")
        } else {
            Ok(())
        }
    }

    fn unhook(&mut self, part: usize) -> Result<(), &'static str> {
        self.stays_hooked(part)?;
        self.parts[part].is_leaving = true;
        self.changes.push_back(Change::Unhook(part));
        Ok(())
    }

    fn set_enabled(&mut self, part: usize, on: bool) -> Result<(), &'static str> {
        self.stays_hooked(part)?;
        if self.parts[part].life == Life::Coming {
            // A change behind its hooking.
            self.changes.push_back(Change::Enable(part, on));
        } else if self.enable(part, on) {
            self.changes.push_back(Change::Switch(part));
        }
        Ok(())
    }

    /// Takes effect at once; the place in the storage follows. Returns `true` if it is a change.
    pub(super) fn enable(&mut self, part: usize, on: bool) -> bool {
        let changes = self.parts[part].is_enabled != on;
        self.parts[part].is_enabled = on;
        changes
    }

    fn adopt(&mut self, child: Id, parent: Option<Id>) -> Result<(), &'static str> {
        self.stays(child)?;
        if let Some(parent) = parent {
            self.stays(parent)?;
            if self.up(parent).contains(&child) {
                return Err("Cycle");
            }
        }
        self.set_parent(child, parent);
        Ok(())
    }

    fn bind(&mut self, at: usize, id: Id) -> Result<(), &'static str> {
        self.stays(id)?;
        if self.bound[at].is_some_and(|bound| !self.messagees[bound].is_leaving) {
            return Err("AlreadyBound");
        }
        self.bound[at] = Some(id);
        Ok(())
    }

    fn unbind(&mut self, at: usize, id: Id) -> Result<(), &'static str> {
        self.stays(id)?;
        if self.bound[at] != Some(id) {
            return Err("NotBound");
        }
        self.bound[at] = None;
        Ok(())
    }
}
