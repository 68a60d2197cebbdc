//! The last message of each type and recipient whose header asked for that.
//!
//! A message to everyone reaches all messagees that are alive. Listing them with each such message would cost time
//! proportional to their number. Instead, the messagees that come alive later are noted, as long as a message to
//! everyone is retained.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::address::{MessageeId, Recipient};
use crate::hash::HashedMap;
use crate::message::MessageIndex;
use crate::send::Shared;

/// The retained messages by number: how many were retained before.
#[derive(Clone, Default)]
pub struct Retained {
    pub in_order: BTreeMap<u64, Entry>,
    numbers: HashedMap<(MessageIndex, Recipient), u64>,
    /// The numbers of the messages that are forgotten with a messagee or a component, and of all others.
    by_holder: HashedMap<Recipient, Vec<u64>>,
    /// How many messages have been retained so far, which is the number of the next one.
    pub count: u64,
    /// The number of messages that have reached everyone.
    to_everyone: usize,
    /// For each messagee's place, how many messages had been retained when the messagee came alive. Zero or absent if it
    /// came alive before all messages to everyone.
    births: Vec<u64>,
}

/// Returns the recipient that is gone when a message is forgotten: a messagee also for its kin.
fn holder(to: Recipient) -> Recipient {
    match to {
        Recipient::Up(id) | Recipient::Down(id) => Recipient::Id(id),
        _ => to,
    }
}

/// A message that is retained.
#[derive(Clone)]
pub struct Entry {
    pub of: MessageIndex,
    pub to: Recipient,
    pub reached: Reached,
    pub message: Shared,
}

/// The messagees that a message was addressed to when it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reached {
    /// All messagees that were alive.
    Everyone,
    Messagees(Box<[MessageeId]>),
}

impl Default for Reached {
    fn default() -> Self {
        Self::Messagees(Box::default())
    }
}

impl Retained {
    /// Retains a message. Returns its number and the message that it replaces, for the caller to drop.
    pub fn put(&mut self, entry: Entry) -> (u64, Option<Shared>) {
        let replaced = self.take(entry.of, entry.to);
        let number = self.count;
        self.count += 1;
        self.to_everyone += usize::from(entry.reached == Reached::Everyone);
        self.numbers.insert((entry.of, entry.to), number);
        let numbers = self.by_holder.entry(holder(entry.to)).or_default();
        numbers.push(number);
        self.in_order.insert(number, entry);
        (number, replaced)
    }

    /// Returns the message with this number, if it is still retained.
    pub(crate) fn get(&self, number: u64) -> Option<Shared> {
        let entry = self.in_order.get(&number)?;
        Some(Arc::clone(&entry.message))
    }

    /// Returns `true` if the message with this number was addressed to a messagee when it was sent. The messagee
    /// must be alive.
    pub(crate) fn reached(&self, number: u64, id: MessageeId) -> bool {
        let entry = self.in_order.get(&number);
        entry.is_some_and(|entry| match &entry.reached {
            Reached::Everyone => number >= self.born(id),
            Reached::Messagees(ids) => ids.contains(&id),
        })
    }

    /// Notes that a messagee has come alive.
    #[inline]
    pub(crate) fn note_birth(&mut self, id: MessageeId) {
        if self.to_everyone > 0 {
            self.set_born(id, self.count);
        }
    }

    /// Notes that a messagee came alive after `retained` messages had been retained.
    pub fn set_born(&mut self, id: MessageeId, retained: u64) {
        let place = id.0.index();
        if place >= self.births.len() {
            self.births.resize(place + 1, 0);
        }
        self.births[place] = retained;
    }

    /// Returns how many messages had been retained when a living messagee came alive.
    pub fn born(&self, id: MessageeId) -> u64 {
        self.births.get(id.0.index()).copied().unwrap_or_default()
    }

    /// Returns the messages of a type, or of all types, from a number on, in the order in which they were retained.
    pub(crate) fn since(&self, from: u64, of: Option<MessageIndex>) -> Vec<(u64, Shared)> {
        let since = self.in_order.range(from..);
        let wanted = since.filter(|(_, entry)| of.is_none_or(|of| of == entry.of));
        let shared = wanted.map(|(&number, entry)| (number, Arc::clone(&entry.message)));
        shared.collect()
    }

    pub fn take(&mut self, of: MessageIndex, to: Recipient) -> Option<Shared> {
        let number = *self.numbers.get(&(of, to))?;
        self.remove(number)
    }

    /// Takes out the messages that were retained for a messagee or a component that is gone, in the order in which they
    /// were retained; to be dropped by the caller.
    pub(crate) fn take_all_to(&mut self, gone: Recipient) -> Vec<Shared> {
        let numbers = self.by_holder.get(&gone).cloned().unwrap_or_default();
        let taken = numbers.into_iter();
        taken.filter_map(|number| self.remove(number)).collect()
    }

    fn remove(&mut self, number: u64) -> Option<Shared> {
        let entry = self.in_order.remove(&number)?;
        self.numbers.remove(&(entry.of, entry.to));
        let holder = holder(entry.to);
        if let Some(numbers) = self.by_holder.get_mut(&holder) {
            numbers.retain(|other| *other != number);
            if numbers.is_empty() {
                self.by_holder.remove(&holder);
            }
        }
        if entry.reached == Reached::Everyone {
            self.to_everyone -= 1;
            if self.to_everyone == 0 {
                self.births.clear();
            }
        }
        Some(entry.message)
    }

    /// Returns every message that is retained.
    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = &mut Shared> {
        self.in_order.values_mut().map(|entry| &mut entry.message)
    }

    /// Forgets all. They are returned in the order in which they were retained, to be dropped.
    pub(crate) fn take_all(&mut self) -> impl Iterator<Item = Shared> {
        let entries = std::mem::take(self).in_order.into_values();
        entries.map(|entry| entry.message)
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.numbers.shrink_to_fit();
        self.by_holder.shrink_to_fit();
        self.births.shrink_to_fit();
    }

    /// Returns `true` if nothing is retained.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.in_order.is_empty()
    }
}
