//! Wires: how they are made, fire and end.

use super::lines::Doer;
use super::settle::Change;
use super::subscribing::Filter;
use super::world::{Id, Life, Message, Role, Sent, Wire, World};
use crate::program::{After, Every, Head, Hears, IMMEDIATE, Tie, To, What};

impl World {
    pub(super) fn wire(
        &mut self,
        doer: Doer,
        from: Id,
        on: What,
        head: Head,
        to: To,
        what: What,
    ) -> String {
        let to = match to {
            To::Bound(at) | To::UpFromBound(at) => To::Bound(at),
            To::Group(at) => To::Group(at),
            To::Back | To::Part(_) => to,
            To::Id(number) => To::Id(number % 3),
            _ => To::Myself,
        };
        let message = self.message(what, 1);
        self.call(doer);
        if self.stays(from).is_err() {
            return format!("{}: refused", message.number);
        }
        let times = match head.every {
            Every::Once => None,
            Every::Milliseconds(_, times) | Every::Frames(_, times) => Some(times),
        };
        let after = match head.after {
            After::Milliseconds(delay) => After::Milliseconds(delay),
            _ => After::Now,
        };
        let head = Head {
            stage: head.stage % IMMEDIATE,
            after,
            every: Every::Once,
            unscaled: false,
            tie: Tie::No,
            tags: 0,
            retains: false,
        };
        if !self
            .subscriptions
            .iter()
            .any(|it| it.role == Role::Wires && it.hears.what == on && it.life == Life::There)
        {
            let hears = Hears {
                what: on,
                from: None,
                to: None,
                tags: 0,
                once: false,
                hidden: true,
                stage: None,
                retained: false,
            };
            let filter = Filter {
                hears,
                from: None,
                to: None,
            };
            self.enter(0, filter, Role::Wires, Life::There);
        }
        self.wires.push(Wire {
            made: message.number as usize,
            from,
            on,
            head,
            to,
            message,
            times,
        });
        format!("{}: wired", message.number)
    }

    /// Ends the subscriptions for wires that no longer exist.
    pub(super) fn end_unused_wires(&mut self) {
        for it in &mut self.subscriptions {
            let is_used = self.wires.iter().any(|wire| wire.on == it.hears.what);
            if it.role == Role::Wires && !is_used {
                it.life = Life::Gone;
            }
        }
    }

    /// Fires the wires of the messagees that a message has reached.
    pub(super) fn fire(&mut self, sent: &Sent) {
        let wires: Vec<usize> = self.wires.iter().map(|wire| wire.made).collect();
        for made in wires {
            let Some(at) = self.wires.iter().position(|wire| wire.made == made) else {
                continue;
            };
            let wire = &self.wires[at];
            let from = wire.from;
            if wire.on != sent.message.what
                || self.messagees[from].is_leaving
                || !sent.reached.contains(&from)
            {
                continue;
            }
            let (to, head, mut message) = (wire.to, wire.head, wire.message);
            let activator = sent.message.activator.unwrap_or(sent.sender);
            message.activator = Some(activator);
            if let Some(times) = &mut self.wires[at].times {
                *times -= 1;
                if *times == 0 {
                    self.wires.remove(at);
                    self.changes.push_back(Change::Unwire);
                }
            }
            match to {
                To::Id(name) => {
                    let mut named = self.find(name);
                    named.retain(|&id| !self.messagees[id].is_leaving);
                    if named.is_empty() {
                        self.dead(message, "Unwired");
                    }
                    for id in named {
                        self.post_by_wire(message, from, To::Id(id), head);
                    }
                }
                To::Back | To::Part(_) => match if to == To::Back {
                    sent.sender
                } else {
                    activator
                } {
                    Some(id) => self.post_by_wire(message, from, To::Id(id), head),
                    None => self.refused(message),
                },
                to => self.post_by_wire(message, from, to, head),
            }
        }
    }

    fn post_by_wire(&mut self, message: Message, from: Id, to: To, head: Head) {
        if self.post(message, Some(from), to, head).is_err() {
            self.refused(message);
        }
    }

    fn refused(&mut self, message: Message) {
        self.dead(message, "Refused");
    }
}
