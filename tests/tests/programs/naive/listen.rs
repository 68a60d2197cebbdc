//! Listeners: interceptors, subscribers, and messagees that overhear.

use super::reach::Asks;
use super::send::{Receipt, keep};
use super::world::{Id, Life, OpenTo, Role, Sent, World};
use crate::program::{End, TAG_OF_NOTES, To, What};

impl World {
    /// Returns whether a message passes a filter, ignoring anything that happens meanwhile.
    pub(super) fn passes(&self, at: usize, sent: &Sent) -> bool {
        let to = match self.subscriptions[at].to {
            None => return self.passes_but_for_to(at, sent),
            Some(To::Bound(name)) => sent.bound[name].map(To::Id),
            Some(To::UpFromBound(name)) => sent.bound[name].map(To::UpFrom),
            Some(To::Myself) => sent.sender.map(To::Id),
            to => to,
        };
        to == Some(sent.to) && self.passes_but_for_to(at, sent)
    }

    pub(super) fn passes_but_for_to(&self, at: usize, sent: &Sent) -> bool {
        let it = &self.subscriptions[at];
        it.life == Life::There
            && !it.is_promised
            && it.hears.what == sent.message.what
            && (it.from.is_none() || it.from == sent.sender)
            && (it.hears.tags == 0 || it.hears.tags & sent.tags != 0)
    }

    pub(super) fn listens(&self, at: usize, began: u64) -> bool {
        let it = &self.subscriptions[at];
        it.life == Life::There && !it.is_paused && !it.is_promised && it.switched_at < began
    }

    /// Returns whether a messagee may overhear: it is neither sender nor receiver, nor caused it by overhearing.
    pub(super) fn may_overhear(&self, id: Id, sent: &Sent) -> bool {
        !sent.reached.contains(&id) && sent.sender != Some(id) && !sent.overheard_by.contains(&id)
    }

    /// Returns how many receive a message through a subscription it passes: one, or those components of its messagee
    /// that overhear it.
    pub(super) fn hearing_by(&self, at: usize, sent: &Sent) -> usize {
        match self.subscriptions[at].role {
            Role::Overhears(id) if self.may_overhear(id, sent) => {
                let parts = self.in_order(id, Asks::Message(sent.message.what));
                parts.iter().filter(|part| self.receives(**part)).count()
            }
            Role::Overhears(_) => 0,
            _ => 1,
        }
    }

    /// Interceptors come first. True if one has consumed the message.
    pub(super) fn intercept(
        &mut self,
        sent: &Sent,
        listeners: &[usize],
        receipt: &mut Receipt,
    ) -> bool {
        for &at in listeners {
            let Role::Intercepts { consumes } = self.subscriptions[at].role else {
                continue;
            };
            if !self.listens(at, sent.at) {
                continue;
            }
            let (label, hears) = (self.subscriptions[at].label, self.subscriptions[at].hears);
            if hears.once {
                self.subscriptions[at].life = Life::Gone;
            }
            self.say(format!("s{label} intercepts {}", sent.message.number));
            if consumes {
                receipt.received += usize::from(!hears.hidden);
                receipt.is_consumed = true;
                return true;
            }
        }
        false
    }

    /// Calls subscribers, and messagees that overhear, in the order subscribed; only components that were able to
    /// receive a message when the send began. Those with a stage wait for it from the end of the send on.
    pub(super) fn tell_listeners(
        &mut self,
        sent: &Sent,
        listeners: &[usize],
        able: &[usize],
        receipt: &mut Receipt,
    ) {
        let mut staged = Vec::new();
        for &at in listeners {
            if !self.listens(at, sent.at) {
                continue;
            }
            let it = &mut self.subscriptions[at];
            it.had.push(sent.at);
            match (it.role, it.hears.stage) {
                (Role::Intercepts { .. }, _) => {}
                (Role::Wires, _) => self.fire(sent),
                (_, Some(stage)) => staged.push((at, stage, self.hearing_by(at, sent))),
                (_, None) => {
                    let may_hear = self.hearing_by(at, sent) > 0;
                    if may_hear && self.hear(at, sent, able, receipt) {
                        receipt.is_consumed = true;
                        return;
                    }
                }
            }
        }
        for (at, stage, hearing) in staged {
            if hearing > 0 && self.wait_for_stage(at, stage, sent) {
                let counts = !self.subscriptions[at].hears.hidden;
                receipt.pending += if counts { hearing } else { 0 };
            }
        }
    }

    /// Delivers a message to a subscriber, or to those components of a messagee that overhear it and are `able` to.
    /// Returns whether it is consumed.
    pub(super) fn hear(
        &mut self,
        at: usize,
        sent: &Sent,
        able: &[usize],
        receipt: &mut Receipt,
    ) -> bool {
        let it = &self.subscriptions[at];
        let (label, hears) = (it.label, it.hears);
        let counts = usize::from(!hears.hidden);
        match it.role {
            Role::Intercepts { .. } | Role::Wires => unreachable!("it is asked apart"),
            Role::Follows { .. } if it.is_running => {
                receipt.pending += counts;
                let kept = self.kept(sent, None);
                keep(&mut self.subscriptions[at].kept, kept);
                false
            }
            Role::Follows { .. } => {
                let end = self.follow(at, sent);
                receipt.received += if end == End::Fails { 0 } else { counts };
                let is_consumed = end == End::Consumes;
                if is_consumed {
                    receipt.pending = 0;
                }
                is_consumed
            }
            Role::Hears => {
                if hears.once {
                    self.subscriptions[at].life = Life::Gone;
                }
                let to = self.addressee(sent);
                self.say(format!("s{label} has {}{to}", sent.message.number));
                receipt.received += counts;
                false
            }
            Role::Overhears(id) => {
                let asks = Asks::Message(sent.message.what);
                let mut parts = self.in_order(id, asks);
                parts.retain(|part| able.contains(part));
                let (mut is_consumed, mut pending) = (false, 0);
                for part in parts {
                    if !self.receives(part) || sent.open_to.get() == OpenTo::Nobody {
                        continue;
                    }
                    if self.is_busy(part, asks) {
                        pending += counts;
                        let kept = self.kept(sent, Some(at));
                        keep(&mut self.parts[part].kept, kept);
                        continue;
                    }
                    receipt.received += counts;
                    self.subscriptions[at].overheard(sent);
                    is_consumed |= self.handle_overheard(part, sent, at);
                }
                if is_consumed {
                    receipt.pending = 0;
                }
                if sent.open_to.get() != OpenTo::Nobody {
                    receipt.pending += pending;
                }
                is_consumed
            }
        }
    }
}

/// Returns the tags that a message has by its type.
pub(super) fn own_tags(what: What) -> u8 {
    match what {
        What::Act => 0,
        What::Note => TAG_OF_NOTES,
    }
}
