//! Sending: the outcome of a message, and the receivers it waits for.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::listen::own_tags;
use super::reach::{Asks, Reach, priority};
use super::world::{Id, Kept, Life, Message, OpenTo, Part, Role, Sent, Waiting, World};
use crate::program::{Head, Tie, To};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Receipt {
    /// The number of the send.
    pub(super) at: u64,
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

/// The recipient of a message: as it was written, and with mnemonics replaced by their messagees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    written: To,
    meant: To,
}

/// The options that a header gives to a send.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Terms {
    tags: u8,
    retains: bool,
    requires: bool,
}

impl Terms {
    pub(super) fn of(head: Head) -> Self {
        Self {
            tags: head.tags,
            retains: head.retains,
            requires: head.tie == Tie::Require,
        }
    }
}

/// Keeps a message in the order sent, even if a later one was kept before.
pub(super) fn keep(waiting: &mut VecDeque<Kept>, kept: Kept) {
    let mut others = waiting.iter();
    let behind = others.position(|other| other.sent.at > kept.sent.at);
    waiting.insert(behind.unwrap_or(waiting.len()), kept);
}

/// Like [`keep`], for a message that waits for a newborn.
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
        self.hand_over_to_freed();
        let to = self.address(to, sender)?;
        Ok(self.deliver(message, sender, to, Terms::default()))
    }

    pub(super) fn kept(&mut self, sent: &Sent, overheard: Option<usize>) -> Kept {
        self.keepings += 1;
        Kept {
            sent: sent.clone(),
            overheard,
            number: self.keepings,
        }
    }

    pub(super) fn address(&self, to: To, sender: Option<Id>) -> Result<Address, &'static str> {
        let meant = self.resolve(to, sender)?;
        let written = match to {
            To::Bound(_) | To::UpFromBound(_) => to,
            _ => meant,
        };
        Ok(Address { written, meant })
    }

    /// Delivers a message to its receivers, then to its listeners.
    pub(super) fn deliver(
        &mut self,
        message: Message,
        sender: Option<Id>,
        to: Address,
        terms: Terms,
    ) -> Receipt {
        self.sends += 1;
        let reach = self.reach(to.meant, sender);
        let sent = Sent {
            at: self.sends,
            message,
            sender,
            written: to.written,
            to: to.meant,
            bound: self.bound,
            reached: self.reached(&reach),
            tags: own_tags(message.what) | terms.tags,
            retains: terms.retains,
            requires: terms.requires,
            open_to: Rc::new(Cell::new(OpenTo::Everyone)),
            lost: Rc::default(),
            overheard_by: self.overhearing.clone(),
        };
        match self.wait_whole(&sent, &reach) {
            Some(receipt) => receipt,
            None => self.deliver_now(&sent, &reach),
        }
    }

    /// Holds back a message for a single newborn receiver, unless it requires receivers and there will be none.
    /// Returns a receipt with the number of receivers that it waits for.
    fn wait_whole(&mut self, sent: &Sent, reach: &Reach) -> Option<Receipt> {
        let asks = Asks::Message(sent.message.what);
        let handles = |part: &Part| priority(part.kind, asks).is_some();
        let components = match reach {
            Reach::Several(ids)
                if ids.len() == 1
                    && self.messagees[ids[0]].life == Life::Coming
                    && !self.messagees[ids[0]].is_leaving =>
            {
                self.came_along(ids[0], asks)
            }
            Reach::Part(part) if self.parts[*part].life == Life::Coming => {
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
                Role::Intercepts { .. } | Role::Wires => 0,
                _ => self.hearing_by(at, sent),
            }
        });
        let pending = components + listeners.sum::<usize>();
        if pending > 0 || !sent.requires {
            let waiting = Waiting::Whole(sent.clone());
            match reach {
                Reach::Part(part) => self.parts[*part].waiting.push(waiting),
                Reach::Several(ids) => wait(&mut self.messagees[ids[0]].waiting, waiting),
                Reach::All { .. } => unreachable!("it is for one alone"),
            }
        }
        Some(Receipt {
            at: sent.at,
            pending,
            ..Receipt::default()
        })
    }

    /// Returns how many components that were spawned with a newborn handle a message.
    pub(super) fn came_along(&self, id: Id, asks: Asks) -> usize {
        let along = self.parts.iter().enumerate().filter(|(at, part)| {
            let handles = priority(part.kind, asks).is_some();
            part.owner == id && part.came_along && handles && self.receives(*at)
        });
        along.count()
    }

    /// Delivers a message to local receivers, and writes it for the proxies it has reached, before a
    /// subscriber hears it.
    pub(super) fn deliver_now(&mut self, sent: &Sent, reach: &Reach) -> Receipt {
        self.under_way.push(sent.at);
        let mut receipt = Receipt {
            at: sent.at,
            ..Receipt::default()
        };
        let everyone = 0..self.subscriptions.len();
        let listeners: Vec<usize> = everyone.filter(|&at| self.passes(at, sent)).collect();
        let able = self.able();
        let mut receivers = self.receivers(reach, Asks::Message(sent.message.what));
        receivers.retain(|part| able.contains(part));
        if !self.intercept(sent, &listeners, &mut receipt) {
            let mut carried = Vec::new();
            self.deliver_here(sent, reach, &receivers, &mut carried, &mut receipt);
            self.write(sent, &mut carried, &mut receipt);
            if !receipt.is_consumed {
                receipt.pending += self.wait_for_newborns(sent, reach);
                self.tell_listeners(sent, &listeners, &able, &mut receipt);
            }
            if sent.retains {
                self.retain(sent);
            }
        }
        self.under_way.pop();
        self.ended.push(sent.at);
        receipt
    }

    /// Writes a message for proxies.
    fn write(&mut self, sent: &Sent, carried: &mut Vec<Id>, receipt: &mut Receipt) {
        receipt.received += carried.len();
        for id in carried.drain(..) {
            self.outbox.push((id, sent.message, sent.sender));
        }
    }

    /// Returns the proxies that a message reaches, each with the number of receivers before it.
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

    /// Delivers a message to components, in this order, and records which proxies it reaches.
    fn deliver_here(
        &mut self,
        sent: &Sent,
        reach: &Reach,
        receivers: &[usize],
        carried: &mut Vec<Id>,
        receipt: &mut Receipt,
    ) {
        let asks = Asks::Message(sent.message.what);
        let mut proxies = self.proxies(reach, asks).into_iter().peekable();
        let mut waiting = Vec::new();
        for (at, &part) in receivers.iter().enumerate() {
            let open_to = sent.open_to.get();
            while open_to == OpenTo::Everyone
                && let Some((_, id)) = proxies.next_if(|(before, _)| *before <= at)
            {
                carried.push(id);
            }
            let owner = self.parts[part].owner;
            if !open_to.admits(owner) || !self.receives(part) {
                continue;
            }
            if self.is_busy(part, asks) {
                waiting.push(owner);
                let kept = self.kept(sent, None);
                keep(&mut self.parts[part].kept, kept);
            } else {
                receipt.received += 1;
                receipt.is_consumed |= self.handle(part, sent, false);
            }
        }
        let open_to = sent.open_to.get();
        waiting.retain(|&owner| open_to.admits(owner));
        receipt.pending += waiting.len();
        if open_to == OpenTo::Everyone {
            carried.extend(proxies.map(|(_, id)| id));
        }
    }

    /// Holds back a message to several receivers for those that are still newborn. Returns the number of
    /// components that will receive it.
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
}
