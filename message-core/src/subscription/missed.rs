//! Retained messages that a subscription has not received yet: all of them when it is new, and later those
//! that were retained while it was paused.

use std::collections::VecDeque;

use crate::address::SubscriptionId;
use crate::subscription::{Subscription, Subscriptions};

/// Retained messages, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Missed {
    /// The messages to deliver to it, one after the other.
    pub wanted: VecDeque<u64>,
    /// Messages from this number on may be for it: they were retained since it was paused, or it is new.
    pub from: Option<u64>,
    /// Exceptions among those: it received them when they were sent, or was not paused then.
    pub had: Vec<u64>,
}

impl Subscriptions {
    /// Notes that a subscription that may ask for retained messages is new, or was paused after `retained` of them.
    pub(crate) fn begin_missing(&self, id: SubscriptionId, retained: u64) {
        if self.find(id).is_some_and(|it| it.terms.with_retained) {
            let mut missed = self.missed.borrow_mut();
            let missed = missed.entry(id).or_default();
            missed.from.get_or_insert(retained);
        }
    }

    /// Notes that a message was retained as `number`. The subscriptions in `told` have received it, or will.
    /// Those that were resumed before it was sent, by one of the first `switches` switches, were there to hear it.
    pub(crate) fn note_retained(&self, number: u64, told: &[SubscriptionId], switches: u64) {
        for (id, missed) in &mut *self.missed.borrow_mut() {
            let it = self.find(*id);
            let was_there = it.is_some_and(|it| it.was_resumed(switches));
            if missed.from.is_some() && (was_there || told.contains(id)) {
                missed.had.push(number);
            }
        }
    }

    /// Takes the messages that may be for a subscription that is new or was resumed, when its dispatch has ended: all
    /// from the returned number on, except those in the list. Returns `None` if it is paused.
    pub(crate) fn take_missed(&self, id: SubscriptionId) -> Option<(&Subscription, u64, Vec<u64>)> {
        let it = self.find(id).filter(|it| it.is_listening())?;
        let mut missed = self.missed.borrow_mut();
        let missed = missed.get_mut(&id)?;
        let from = missed.from.take()?;
        Some((it, from, std::mem::take(&mut missed.had)))
    }

    /// Queues messages for a subscription.
    pub(crate) fn want(&self, id: SubscriptionId, numbers: impl Iterator<Item = u64>) {
        if let Some(missed) = self.missed.borrow_mut().get_mut(&id) {
            missed.wanted.extend(numbers);
        }
    }

    /// Takes the next message for a subscription, unless it is paused.
    pub(crate) fn next_missed(&self, id: SubscriptionId) -> Option<u64> {
        if !self.is_listening(id) {
            return None;
        }
        let mut all = self.missed.borrow_mut();
        let missed = all.get_mut(&id)?;
        let next = missed.wanted.pop_front();
        if missed.wanted.is_empty() && missed.from.is_none() {
            all.remove(&id);
        }
        next
    }
}
