//! Retained messages: the last one of each type and recipient, for those who subscribe later.

use std::cell::Cell;
use std::rc::Rc;

use super::send::Receipt;
use super::settle::Change;
use super::world::{Id, Life, Sent, World};
use crate::program::{To, What};

#[derive(Clone, Debug)]
pub(super) struct Retained {
    /// It is the so-manyth that was retained.
    number: u64,
    pub(super) sent: Sent,
}

impl World {
    /// After its delivery.
    pub(super) fn retain(&mut self, sent: &Sent) {
        self.forget(sent.written, sent.message.what);
        self.retentions += 1;
        self.retained.push(Retained {
            number: self.retentions,
            sent: sent.clone(),
        });
    }

    pub(super) fn forget(&mut self, to: To, what: What) -> bool {
        let before = self.retained.len();
        self.retained
            .retain(|it| it.sent.written != to || it.sent.message.what != what);
        self.retained.len() < before
    }

    /// What was retained for a messagee goes with it.
    pub(super) fn forget_messagee(&mut self, id: Id) {
        let goes = [To::Id(id), To::UpFrom(id), To::DownFrom(id)];
        self.retained.retain(|it| !goes.contains(&it.sent.written));
    }

    /// What was retained for a component goes with it.
    pub(super) fn forget_part(&mut self, part: usize) {
        self.retained.retain(|it| it.sent.written != To::Part(part));
    }

    /// Offers a subscription what was retained since then, as it passes its filter now. That comes before any
    /// later change.
    pub(super) fn offer_retained(&mut self, subscription: usize, since: u64) {
        let it = &self.subscriptions[subscription];
        if !it.hears.retained || it.life != Life::There || it.is_paused {
            return;
        }
        let mut offered = Vec::new();
        for Retained { number, sent } in &self.retained {
            if *number > since && self.passes_retained(subscription, sent) {
                let sent = sent.clone();
                offered.push(Change::Offer { subscription, sent });
            }
        }
        for change in offered.into_iter().rev() {
            self.changes.push_front(change);
        }
    }

    /// As a filter asks for what is sent, but that mnemonics stand for whom they are bound to now.
    fn passes_retained(&self, subscription: usize, sent: &Sent) -> bool {
        let bound = self.bound;
        let to = match sent.written {
            To::Bound(at) => bound[at].map(To::Id),
            To::UpFromBound(at) => bound[at].map(To::UpFrom),
            _ => Some(sent.to),
        };
        let asked_by_name = self.subscriptions[subscription].to == Some(sent.written);
        let now = to.map(|to| Sent {
            to,
            bound,
            ..sent.clone()
        });
        match now {
            Some(now) => self.passes(subscription, &now),
            // Nobody bears the name: it is for those who ask for the name itself.
            None => asked_by_name && self.passes_but_for_to(subscription, sent),
        }
    }

    /// A subscription receives a retained message.
    pub(super) fn hear_retained(&mut self, subscription: usize, sent: &Sent) {
        let it = &self.subscriptions[subscription];
        if it.life != Life::There || it.is_paused || it.is_promised {
            return;
        }
        self.sends += 1;
        // What its overhearing has led to is not overheard in the same dispatch.
        let overheard_by = if sent.dispatch == self.dispatches {
            sent.overheard_by.clone()
        } else {
            Vec::new()
        };
        let sent = Sent {
            at: self.sends,
            is_consumed: Rc::new(Cell::new(false)),
            overheard_by,
            ..sent.clone()
        };
        let before = std::mem::replace(&mut self.overhearing, sent.overheard_by.clone());
        if self.hearing_by(subscription, &sent) > 0 {
            let able = self.able();
            self.hear(subscription, &sent, &able, &mut Receipt::default());
        }
        self.overhearing = before;
    }
}
