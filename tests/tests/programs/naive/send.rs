//! Sending: what comes of a message, and for whom it waits.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::reach::{Asks, Reach, priority};
use super::world::{Id, Kept, Life, Message, Part, Role, Sent, Waiting, World};
use crate::program::{End, To};

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
            lost: Rc::default(),
            overheard_by: self.overhearing.clone(),
        };
        let reach = self.reach(to, sender);
        match self.wait_whole(&sent, &reach) {
            Some(receipt) => receipt,
            None => self.deliver_now(&sent, &reach),
        }
    }

    /// What is for one alone who is to come waits for it. Returns for how many.
    pub(super) fn wait_whole(&mut self, sent: &Sent, reach: &Reach) -> Option<Receipt> {
        let asks = Asks::Message(sent.message.what);
        let handles = |part: &Part| priority(part.kind, asks).is_some();
        let waiting = Waiting::Whole(sent.clone());
        let components = match reach {
            Reach::Several(ids)
                if ids.len() == 1
                    && self.messagees[ids[0]].life == Life::Coming
                    && !self.messagees[ids[0]].is_leaving =>
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
    pub(super) fn came_along(&self, id: Id, asks: Asks) -> usize {
        let along = self.parts.iter().enumerate().filter(|(at, part)| {
            let handles = priority(part.kind, asks).is_some();
            part.owner == id && part.came_along && handles && self.receives(*at)
        });
        along.count()
    }

    /// Delivers a message to those who are here, and writes it for the proxies that it has come to: before a
    /// subscriber hears it.
    pub(super) fn deliver_now(&mut self, sent: &Sent, reach: &Reach) -> Receipt {
        let mut carried = Vec::new();
        let mut receipt = self.deliver_here(sent, reach, &mut carried);
        self.write(sent, &mut carried, &mut receipt);
        receipt
    }

    /// Writes a message for proxies.
    fn write(&mut self, sent: &Sent, carried: &mut Vec<Id>, receipt: &mut Receipt) {
        receipt.received += carried.len();
        for id in carried.drain(..) {
            self.outbox.push((id, sent.message, sent.sender));
        }
    }

    /// Before which of the receivers the message comes to proxies.
    pub(super) fn proxies(&self, reach: &Reach, asks: Asks) -> Vec<(usize, Id)> {
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

    pub(super) fn deliver_here(
        &mut self,
        sent: &Sent,
        reach: &Reach,
        carried: &mut Vec<Id>,
    ) -> Receipt {
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
        self.write(sent, carried, &mut receipt);
        receipt.pending += self.wait_for_newborns(sent, reach);
        self.tell_listeners(sent, began, &listeners, &mut receipt);
        receipt
    }

    /// What is sent to several of whom some are still to come waits for these. Returns for how many
    /// components.
    pub(super) fn wait_for_newborns(&mut self, sent: &Sent, reach: &Reach) -> usize {
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
    pub(super) fn tell_listeners(
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
    pub(super) fn may_overhear(&self, id: Id, sent: &Sent) -> bool {
        !self.is_meant(id, sent) && sent.sender != Some(id) && !sent.overheard_by.contains(&id)
    }

    /// What a filter says of a message, but for what happens meanwhile.
    pub(super) fn passes(&self, at: usize, sent: &Sent) -> bool {
        let it = &self.subscriptions[at];
        it.life == Life::There
            && it.hears.what == sent.message.what
            && (it.from.is_none() || it.from == sent.sender)
            && (it.to.is_none() || it.to.map(To::Id) == Some(sent.to))
    }

    pub(super) fn listens(&self, at: usize, began: u64) -> bool {
        let it = &self.subscriptions[at];
        it.life == Life::There && !it.is_paused && it.switched_at < began
    }
}
