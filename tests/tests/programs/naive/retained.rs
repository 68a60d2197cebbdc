//! Retained messages: the last one of each type and recipient, for those who subscribe later.

use std::cell::Cell;
use std::rc::Rc;

use super::send::Receipt;
use super::settle::Change;
use super::world::{Id, Life, OpenTo, Sent, World};
use crate::program::{To, What};

#[derive(Clone, Debug)]
pub(super) struct Retained {
    /// It is the so-manyth that was retained.
    number: u64,
    pub(super) sent: Sent,
}

impl World {
    /// Retains a message after its delivery. Those that listened for it have already had it.
    pub(super) fn retain(&mut self, sent: &Sent) {
        self.forget(sent.written, sent.message.what);
        self.retentions += 1;
        self.retained.push(Retained {
            number: self.retentions,
            sent: sent.clone(),
        });
        for at in 0..self.subscriptions.len() {
            if self.listens(at, sent.at) {
                self.subscriptions[at].had.push(sent.at);
            }
        }
    }

    pub(super) fn forget(&mut self, to: To, what: What) -> bool {
        let before = self.retained.len();
        self.retained
            .retain(|it| it.sent.written != to || it.sent.message.what != what);
        self.retained.len() < before
    }

    /// Forgets the messages retained for a messagee that goes.
    pub(super) fn forget_messagee(&mut self, id: Id) {
        let goes = [To::Id(id), To::UpFrom(id), To::DownFrom(id)];
        self.retained.retain(|it| !goes.contains(&it.sent.written));
    }

    /// Forgets the messages retained for a component that goes.
    pub(super) fn forget_part(&mut self, part: usize) {
        self.retained.retain(|it| it.sent.written != To::Part(part));
    }

    /// Gives a subscription the retained messages that pass its filter now and were retained since it began to miss
    /// messages, if it asks for them. This happens before any later change.
    pub(super) fn catch_up(&mut self, at: usize) {
        let it = &self.subscriptions[at];
        if !it.hears.retained || it.life != Life::There || it.is_paused {
            return;
        }
        let Some(since) = self.subscriptions[at].misses_since.take() else {
            return;
        };
        let it = &self.subscriptions[at];
        let missed = self.retained.iter().filter(|retained| {
            let is_new = retained.number > since && !it.had.contains(&retained.sent.at);
            is_new && self.passes_retained(at, &retained.sent)
        });
        let missed: Vec<u64> = missed.map(|retained| retained.number).collect();
        self.subscriptions[at].missed.extend(missed);
        self.changes.push_front(Change::Missed(at));
    }

    /// Delivers the missed messages one after the other, as long as the subscription is not paused.
    pub(super) fn hear_missed(&mut self, at: usize) {
        let it = &mut self.subscriptions[at];
        if it.is_paused || it.life != Life::There {
            return;
        }
        let Some(number) = it.missed.pop_front() else {
            return;
        };
        self.changes.push_front(Change::Missed(at));
        // Another may have taken its place.
        let mut retained = self.retained.iter();
        let retained = retained.find(|retained| retained.number == number);
        if let Some(sent) = retained.map(|retained| retained.sent.clone()) {
            self.hear_retained(at, &sent);
        }
    }

    /// Applies a filter to a retained message: like `passes`, but mnemonics mean their current binding.
    fn passes_retained(&self, subscription: usize, sent: &Sent) -> bool {
        let bound = self.bound;
        let to = match sent.written {
            To::Bound(at) => bound[at].map(To::Id),
            To::UpFromBound(at) => bound[at].map(To::UpFrom),
            _ => Some(sent.to),
        };
        let Some(to) = to else {
            // Nobody bears the name: it is for those who ask for the name itself.
            let asked = self.subscriptions[subscription].to;
            let is_for_it = asked.is_none_or(|asked| asked == sent.written);
            return is_for_it && self.passes_but_for_to(subscription, sent);
        };
        let now = Sent {
            to,
            bound,
            ..sent.clone()
        };
        self.passes(subscription, &now)
    }

    /// Delivers a retained message to a subscription.
    pub(super) fn hear_retained(&mut self, subscription: usize, sent: &Sent) {
        let it = &self.subscriptions[subscription];
        if it.life != Life::There || it.is_paused || it.is_promised {
            return;
        }
        self.sends += 1;
        // It is received anew: nobody's overhearing has led to it.
        let sent = Sent {
            at: self.sends,
            open_to: Rc::new(Cell::new(OpenTo::Everyone)),
            overheard_by: Vec::new(),
            ..sent.clone()
        };
        if self.hearing_by(subscription, &sent) > 0 {
            let able = self.able();
            self.hear(subscription, &sent, &able, &mut Receipt::default());
        }
    }
}
