//! Sending: who is meant, in which order, and what comes of it.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::lines::Doer;
use super::settle::Change;
use super::world::{Id, Kept, Life, Message, Part, Role, Sent, Waiting, World};
use crate::program::{End, Kind, To, What};

/// Who is meant by a recipient when a message is sent.
#[derive(Clone, Debug)]
pub(super) enum Reach {
    Part(usize),
    Several(Vec<Id>),
    All { but: Option<Id> },
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Receipt {
    pub(super) received: usize,
    pub(super) pending: usize,
    pub(super) is_consumed: bool,
}

impl std::fmt::Display for Receipt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let consumed = if self.is_consumed { ", consumed" } else { "" };
        write!(
            f,
            "{} received, {} pending{consumed}",
            self.received, self.pending
        )
    }
}

/// What is asked of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    Message(What),
    Tour,
    Ask,
}

/// The priority of its handler, if it has one.
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

/// Its handler takes `&self`.
fn shares(kind: Kind, asks: Asks) -> bool {
    kind == Kind::Calm && asks != Asks::Message(What::Note)
}

/// What was sent first is handed over first, also where a later one was kept before.
fn keep(waiting: &mut VecDeque<Kept>, kept: Kept) {
    let mut others = waiting.iter();
    let behind = others.position(|other| other.sent.at > kept.sent.at);
    waiting.insert(behind.unwrap_or(waiting.len()), kept);
}

/// The same, of what waits for one who is to come.
fn wait(all: &mut Vec<Waiting>, waiting: Waiting) {
    let mut others = all.iter();
    let behind = others.position(|other| other.sent().at > waiting.sent().at);
    all.insert(behind.unwrap_or(all.len()), waiting);
}

impl World {
    /// Whom a recipient means now: with the messagee in the place of a mnemonic, or of oneself.
    pub(super) fn resolve(&self, to: To, me: Option<Id>) -> Result<To, &'static str> {
        let there = |id: Id| match self.messagees[id].life {
            Life::Gone => Err("Gone"),
            _ => Ok(id),
        };
        Ok(match to {
            To::Id(id) => To::Id(there(id)?),
            To::Back => unreachable!("an id stands in its place"),
            To::Myself => To::Id(there(me.ok_or("NoSender")?)?),
            To::AllButMe => {
                me.ok_or("NoSender")?;
                to
            }
            To::All | To::Group(_) => to,
            To::UpFrom(id) => To::UpFrom(there(id)?),
            To::DownFrom(id) => To::DownFrom(there(id)?),
            To::UpFromBound(at) => To::UpFrom(self.bound[at].ok_or("Unbound")?),
            To::Bound(at) => To::Id(self.bound[at].ok_or("Unbound")?),
            To::Part(part) => match self.parts[part].life {
                Life::Gone => return Err("HookGone"),
                _ => to,
            },
        })
    }

    /// The messagees that are meant, or a component, or all.
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
                unreachable!("an id stands in its place")
            }
        }
    }

    /// The components that are meant and there, in the order of delivery.
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
                // By priority, then by the name of the type.
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

    /// The components of a messagee, higher priority first, then in the order of hooking.
    fn in_order(&self, id: Id, asks: Asks) -> Vec<usize> {
        let mut parts = self.parts_of(id);
        parts.retain(|part| priority(self.parts[*part].kind, asks).is_some());
        parts.sort_by_key(|part| -priority(self.parts[*part].kind, asks).expect("it has one"));
        parts
    }

    /// Those who are meant and still to come: messagees, and a component that is hooked in this dispatch.
    fn newborns(&self, reach: &Reach) -> Vec<Id> {
        let ids = match reach {
            Reach::Several(ids) => ids.clone(),
            Reach::Part(_) | Reach::All { .. } => Vec::new(),
        };
        let ids = ids.into_iter();
        ids.filter(|id| self.messagees[*id].life == Life::Coming && !self.messagees[*id].is_leaving)
            .collect()
    }

    /// Sends a message.
    pub(super) fn send(
        &mut self,
        message: Message,
        sender: Option<Id>,
        to: To,
    ) -> Result<Receipt, &'static str> {
        let to = self.resolve(to, sender)?;
        Ok(self.deliver(message, sender, to))
    }

    /// Delivers a message to whom it reaches, then to those who listen.
    pub(super) fn deliver(&mut self, message: Message, sender: Option<Id>, to: To) -> Receipt {
        self.sends += 1;
        let sent = Sent {
            at: self.sends,
            message,
            sender,
            to,
            is_consumed: Rc::new(Cell::new(false)),
            overheard_by: self.overhearing.clone(),
        };
        let reach = self.reach(to, sender);
        match self.wait_whole(&sent, &reach) {
            Some(receipt) => receipt,
            None => self.deliver_now(&sent, &reach),
        }
    }

    /// What is for one alone who is to come waits for it. Returns for how many.
    fn wait_whole(&mut self, sent: &Sent, reach: &Reach) -> Option<Receipt> {
        let asks = Asks::Message(sent.message.what);
        let handles = |part: &Part| priority(part.kind, asks).is_some();
        let waiting = Waiting::Whole(sent.clone());
        let components = match reach {
            Reach::Several(ids)
                if ids.len() == 1 && self.messagees[ids[0]].life == Life::Coming =>
            {
                wait(&mut self.messagees[ids[0]].waiting, waiting);
                self.came_along(ids[0], asks)
            }
            Reach::Part(part) if self.parts[*part].life == Life::Coming => {
                self.parts[*part].waiting.push(waiting);
                usize::from(self.receives(*part) && handles(&self.parts[*part]))
            }
            _ => return None,
        };
        let listeners = (0..self.subscriptions.len()).map(|at| {
            let it = &self.subscriptions[at];
            if !self.passes(at, sent) || it.is_paused || it.hears.hidden {
                return 0;
            }
            match it.role {
                Role::Hears | Role::Follows { .. } => 1,
                Role::Overhears(id) if self.may_overhear(id, sent) => {
                    let parts = self.in_order(id, asks).into_iter();
                    parts.filter(|part| self.receives(*part)).count()
                }
                _ => 0,
            }
        });
        Some(Receipt {
            pending: components + listeners.sum::<usize>(),
            ..Receipt::default()
        })
    }

    /// How many components of a newborn that handle a message came along with it.
    fn came_along(&self, id: Id, asks: Asks) -> usize {
        let along = self.parts.iter().enumerate().filter(|(at, part)| {
            let handles = priority(part.kind, asks).is_some();
            part.owner == id && part.came_along && handles && self.receives(*at)
        });
        along.count()
    }

    /// Delivers a message to those who are here, then writes it for the proxies that it has come to.
    pub(super) fn deliver_now(&mut self, sent: &Sent, reach: &Reach) -> Receipt {
        let mut carried = Vec::new();
        let mut receipt = self.deliver_here(sent, reach, &mut carried);
        receipt.received += carried.len();
        for id in carried {
            self.outbox.push((id, sent.message, sent.sender));
        }
        receipt
    }

    pub(super) fn reaches_far(&self, reach: &Reach) -> bool {
        let Reach::Several(ids) = reach else {
            return false;
        };
        ids.iter().any(|id| self.messagees[*id].is_far)
    }

    /// Before which of the receivers the message comes to proxies.
    fn proxies(&self, reach: &Reach, asks: Asks) -> Vec<(usize, Id)> {
        let Reach::Several(ids) = reach else {
            return Vec::new();
        };
        let (mut before, mut proxies) = (0, Vec::new());
        for &id in ids {
            if self.messagees[id].is_far {
                proxies.push((before, id));
            }
            let parts = self.in_order(id, asks).into_iter();
            before += parts.filter(|part| self.receives(*part)).count();
        }
        proxies
    }

    fn deliver_here(&mut self, sent: &Sent, reach: &Reach, carried: &mut Vec<Id>) -> Receipt {
        let message = sent.message;
        let began = sent.at;
        let asks = Asks::Message(message.what);
        let mut receipt = Receipt::default();
        let listeners: Vec<usize> = (0..self.subscriptions.len())
            .filter(|&at| self.passes(at, sent))
            .collect();
        let receivers: Vec<usize> = self
            .receivers(reach, asks)
            .into_iter()
            .filter(|&part| self.receives(part))
            .collect();

        for &at in &listeners {
            let Role::Intercepts { consumes } = self.subscriptions[at].role else {
                continue;
            };
            if !self.listens(at, began) {
                continue;
            }
            let (label, hears) = (self.subscriptions[at].label, self.subscriptions[at].hears);
            if hears.once {
                self.subscriptions[at].life = Life::Gone;
            }
            self.say(format!("s{label} intercepts {}", message.number));
            if consumes {
                receipt.received += usize::from(!hears.hidden);
                receipt.is_consumed = true;
                return receipt;
            }
        }

        let mut proxies = self.proxies(reach, asks).into_iter().peekable();
        for (at, part) in receivers.into_iter().enumerate() {
            while let Some((_, id)) = proxies.next_if(|(before, _)| *before <= at) {
                carried.push(id);
            }
            if !self.receives(part) || self.parts[part].enabled_at >= began {
                continue;
            }
            if self.is_busy(part, asks) {
                receipt.pending += 1;
                let kept = Kept {
                    sent: sent.clone(),
                    overheard: None,
                };
                keep(&mut self.parts[part].kept, kept);
            } else {
                receipt.received += 1;
                if self.handle(part, sent, false) {
                    receipt.is_consumed = true;
                    receipt.pending = 0;
                    return receipt;
                }
            }
        }
        carried.extend(proxies.map(|(_, id)| id));
        receipt.pending += self.wait_for_newborns(sent, reach);
        self.tell_listeners(sent, began, &listeners, &mut receipt);
        receipt
    }

    /// What is sent to several of whom some are still to come waits for these. Returns for how many
    /// components.
    fn wait_for_newborns(&mut self, sent: &Sent, reach: &Reach) -> usize {
        let mut pending = 0;
        for id in self.newborns(reach) {
            pending += self.came_along(id, Asks::Message(sent.message.what));
            wait(
                &mut self.messagees[id].waiting,
                Waiting::Share(sent.clone()),
            );
        }
        pending
    }

    /// Subscribers, and messagees that overhear, in the order subscribed.
    fn tell_listeners(
        &mut self,
        sent: &Sent,
        began: u64,
        listeners: &[usize],
        receipt: &mut Receipt,
    ) {
        let asks = Asks::Message(sent.message.what);
        for &at in listeners {
            if !self.listens(at, began) {
                continue;
            }
            let (label, hears) = (self.subscriptions[at].label, self.subscriptions[at].hears);
            match self.subscriptions[at].role {
                Role::Intercepts { .. } => {}
                Role::Wires => self.fire(sent),
                Role::Follows { .. } if self.subscriptions[at].is_running => {
                    receipt.pending += usize::from(!hears.hidden);
                    let kept = Kept {
                        sent: sent.clone(),
                        overheard: None,
                    };
                    keep(&mut self.subscriptions[at].kept, kept);
                }
                Role::Follows { .. } => match self.follow(at, sent) {
                    End::Fails => {}
                    end => {
                        receipt.received += usize::from(!hears.hidden);
                        if end == End::Consumes {
                            receipt.is_consumed = true;
                            receipt.pending = 0;
                            return;
                        }
                    }
                },
                Role::Hears => {
                    if hears.once {
                        self.subscriptions[at].life = Life::Gone;
                    }
                    self.say(format!("s{label} has {}", sent.message.number));
                    receipt.received += usize::from(!hears.hidden);
                }
                Role::Overhears(id) => {
                    if !self.may_overhear(id, sent) {
                        continue;
                    }
                    let parts = self.in_order(id, asks);
                    let parts: Vec<usize> = parts
                        .into_iter()
                        .filter(|&part| self.receives(part))
                        .collect();
                    for part in parts {
                        if !self.receives(part) || self.parts[part].enabled_at >= began {
                            continue;
                        }
                        let counts = usize::from(!hears.hidden);
                        if self.is_busy(part, asks) {
                            receipt.pending += counts;
                            let kept = Kept {
                                sent: sent.clone(),
                                overheard: Some(at),
                            };
                            keep(&mut self.parts[part].kept, kept);
                            continue;
                        }
                        receipt.received += counts;
                        self.subscriptions[at].overheard(sent);
                        if self.handle_overheard(part, sent, at) {
                            receipt.is_consumed = true;
                            receipt.pending = 0;
                            return;
                        }
                    }
                }
            }
        }
    }

    /// Neither meant, nor the sender, nor has its own overhearing led to the message.
    fn may_overhear(&self, id: Id, sent: &Sent) -> bool {
        !self.is_meant(id, sent) && sent.sender != Some(id) && !sent.overheard_by.contains(&id)
    }

    /// The messagee is among those who are meant.
    pub(super) fn is_meant(&self, id: Id, sent: &Sent) -> bool {
        match self.reach(sent.to, sent.sender) {
            Reach::Part(part) => self.parts[part].owner == id,
            Reach::Several(ids) => ids.contains(&id),
            Reach::All { but } => but != Some(id),
        }
    }

    /// What a filter says of a message, but for what happens meanwhile.
    fn passes(&self, at: usize, sent: &Sent) -> bool {
        let it = &self.subscriptions[at];
        it.life == Life::There
            && it.hears.what == sent.message.what
            && (it.from.is_none() || it.from == sent.sender)
            && (it.to.is_none() || it.to.map(To::Id) == Some(sent.to))
    }

    fn listens(&self, at: usize, began: u64) -> bool {
        let it = &self.subscriptions[at];
        it.life == Life::There && !it.is_paused && it.switched_at < began
    }

    /// The component cannot take this now, or others wait before it.
    pub(super) fn is_busy(&self, part: usize, asks: Asks) -> bool {
        // Those who were busy do not receive what somebody has consumed.
        let waits = |kept: &Kept| !kept.sent.is_consumed.get();
        self.is_running(part, asks) || self.parts[part].kept.iter().any(waits)
    }

    /// As `is_busy`, for what waits for nothing.
    pub(super) fn is_running(&self, part: usize, asks: Asks) -> bool {
        let part = &self.parts[part];
        part.alone || (part.running > 0 && !shares(part.kind, asks))
    }

    fn handle_overheard(&mut self, part: usize, sent: &Sent, at: usize) -> bool {
        let Role::Overhears(id) = self.subscriptions[at].role else {
            unreachable!("it overhears")
        };
        let before = self.overhearing.clone();
        self.overhearing.push(id);
        let is_consumed = self.handle(part, sent, true);
        self.overhearing = before;
        is_consumed
    }

    /// A component handles a message, and then what was kept for it meanwhile. True if it consumes.
    pub(super) fn handle(&mut self, part: usize, sent: &Sent, is_overheard: bool) -> bool {
        let asks = Asks::Message(sent.message.what);
        let (label, kind) = (self.parts[part].label, self.parts[part].kind);
        let number = sent.message.number;
        let from = sent.sender.map_or("outside".into(), |id| format!("m{id}"));
        let how = if is_overheard { " overheard" } else { "" };
        if kind == Kind::Quick {
            self.say(format!("c{label} has {number}"));
            return false;
        }
        self.say(format!("c{label} has {number} from {from}{how}"));
        if sent.message.what == What::Note {
            return false;
        }
        self.parts[part].running += 1;
        let was_alone = std::mem::replace(&mut self.parts[part].alone, !shares(kind, asks));
        let doer = Doer {
            me: Some(self.parts[part].owner),
            back: sent.sender,
            is_inside: true,
        };
        let end = self.run_script(self.parts[part].script, sent.message.fuel, doer);
        self.say(format!("c{label} is done with {number}"));
        let consumes = end == End::Consumes;
        match end {
            End::Returns => {}
            End::Consumes => sent.is_consumed.set(true),
            End::Fails => self.aside.push(format!("c{label} fails at {number}")),
            End::Panics => self.panics(part, number),
        }
        self.parts[part].running -= 1;
        self.parts[part].alone = was_alone;
        self.hand_over_kept(part);
        consumes
    }

    fn run_script(&mut self, script: usize, fuel: u32, doer: Doer) -> End {
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

    /// A panic ends with the component: it is unhooked, and its messagee is told.
    fn panics(&mut self, part: usize, number: u32) {
        self.parts[part].is_leaving = true;
        let text = format!("c{} panics at {number}", self.parts[part].label);
        self.changes.push_back(Change::Panicked(part, text));
    }

    /// A subscriber receives a message, and then what was kept for it meanwhile. Returns how its script has
    /// ended.
    fn follow(&mut self, at: usize, sent: &Sent) -> End {
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
        self.say(format!("s{label} has {number} from {from}"));
        let fuel = match sent.message.what {
            What::Act => sent.message.fuel,
            What::Note => 1,
        };
        let doer = Doer {
            me: owner,
            back: sent.sender,
            is_inside: true,
        };
        let end = self.run_script(script, fuel, doer);
        self.say(format!("s{label} is done with {number}"));
        let it = &mut self.subscriptions[at];
        it.is_running = false;
        let may_go_on = std::mem::take(&mut it.may_go_on);
        match end {
            End::Consumes => sent.is_consumed.set(true),
            End::Fails if may_go_on => it.life = Life::There,
            End::Panics => {
                it.end();
                let text = format!("s{label} panics at {number}");
                self.changes.push_back(Change::Unsubscribed(owner, text));
            }
            End::Returns | End::Fails => {}
        }
        self.hand_over_to_subscriber(at);
        end
    }

    /// Delivers what was kept for a subscriber, unless it is handing that over already.
    fn hand_over_to_subscriber(&mut self, at: usize) {
        if std::mem::replace(&mut self.subscriptions[at].hands_over, true) {
            return;
        }
        while let Some(next) = self.subscriptions[at].kept.pop_front() {
            let it = &self.subscriptions[at];
            if next.sent.is_consumed.get() || it.life != Life::There || it.is_paused {
                continue;
            }
            let before = std::mem::replace(&mut self.overhearing, next.sent.overheard_by.clone());
            self.follow(at, &next.sent);
            self.overhearing = before;
        }
        self.subscriptions[at].hands_over = false;
    }

    /// Delivers what was kept for a component, as long as it is free.
    fn hand_over_kept(&mut self, part: usize) {
        while self.parts[part].running == 0
            && let Some(kept) = self.parts[part].kept.pop_front()
        {
            if kept.sent.is_consumed.get() || !self.receives(part) {
                continue;
            }
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
        }
    }

    /// What cannot wait: an error if a receiver is busy or still to come.
    fn at_once(&self, reach: &Reach, asks: Asks) -> Result<Vec<usize>, &'static str> {
        if let Reach::Several(ids) = reach
            && self.reaches_far(reach)
        {
            // The first of them that cannot take it now is named.
            let stops = |id: &Id| {
                let parts = self.in_order(*id, asks).into_iter();
                let mut parts = parts.filter(|&part| self.receives(part));
                self.messagees[*id].is_far || parts.any(|part| self.is_running(part, asks))
            };
            let first = ids.iter().find(|id| stops(id));
            if first.is_some_and(|&id| self.messagees[id].is_far) {
                return Err("Elsewhere");
            }
            return Err("Busy");
        }
        let is_coming = |id: &Id| self.messagees[*id].life == Life::Coming;
        if let Reach::Several(ids) = reach
            && ids.iter().any(is_coming)
        {
            return Err("NotYetSpawned");
        }
        if let Reach::Part(part) = reach
            && self.parts[*part].life == Life::Coming
        {
            return Err("NotYetHooked");
        }
        let receivers = self.receivers(reach, asks);
        let receivers: Vec<usize> = receivers
            .into_iter()
            .filter(|&part| self.receives(part))
            .collect();
        if receivers.iter().any(|&part| self.is_running(part, asks)) {
            return Err("Busy");
        }
        Ok(receivers)
    }

    /// Its script does; a quick one runs none.
    fn ends_in_panic(&self, part: usize) -> bool {
        let part = &self.parts[part];
        part.kind != Kind::Quick && self.program.scripts[part.script].end == End::Panics
    }

    /// In–out: what each receiver writes.
    pub(super) fn tour(
        &mut self,
        me: Option<Id>,
        to: To,
    ) -> (Result<Receipt, &'static str>, Vec<u32>) {
        let receivers = self
            .resolve(to, me)
            .and_then(|to| self.at_once(&self.reach(to, me), Asks::Tour));
        match receivers {
            Err(error) => (Err(error), Vec::new()),
            Ok(parts) => {
                let receipt = Receipt {
                    received: parts.len(),
                    ..Receipt::default()
                };
                let mut seen = Vec::new();
                for part in parts {
                    if self.ends_in_panic(part) {
                        self.panics(part, 0);
                    } else {
                        seen.push(self.parts[part].label);
                    }
                }
                (Ok(receipt), seen)
            }
        }
    }

    /// The answers, the first alone or all.
    pub(super) fn ask(
        &mut self,
        number: u32,
        me: Option<Id>,
        to: To,
        all: bool,
    ) -> Result<Vec<u32>, &'static str> {
        let to = self.resolve(to, me)?;
        let receivers = self.at_once(&self.reach(to, me), Asks::Ask)?;
        let mut answers = Vec::new();
        for part in receivers {
            let (label, kind) = (self.parts[part].label, self.parts[part].kind);
            self.say(format!("c{label} is asked {number}"));
            if self.ends_in_panic(part) {
                self.panics(part, number);
                continue;
            }
            if kind == Kind::Calm || label % 2 == 1 {
                answers.push(label);
                if !all {
                    return Ok(answers);
                }
            }
        }
        if all || !answers.is_empty() {
            Ok(answers)
        } else {
            Err("NoAnswer")
        }
    }
}
