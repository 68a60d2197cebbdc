//! The last message of each type and recipient whose header asked for that.
//!
//! A message to everyone reaches all messagees that are alive. Listing them with each such message would cost time
//! proportional to their number. Instead, the messagees that come alive later are noted, as long as a message to
//! everyone is retained.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::address::{HookId, MessageeId, Recipient};
use crate::hash::HashedMap;
use crate::message::MessageIndex;
use crate::send::Shared;

#[derive(Default)]
pub(crate) struct Retained(RefCell<Messages>);

/// Messages by number: how many were retained before.
#[derive(Default)]
struct Messages {
    in_order: BTreeMap<u64, Entry>,
    numbers: HashedMap<(MessageIndex, Recipient), u64>,
    /// The numbers of the messages that are forgotten with a messagee or a component.
    index: BTreeSet<(Holder, u64)>,
    count: u64,
    /// The number of messages that have reached everyone.
    to_everyone: usize,
    /// For each messagee's place, how many messages had been retained when the messagee came alive. Zero or absent if it
    /// came alive before all messages to everyone.
    births: Vec<u64>,
}

/// What a message was retained for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    /// Retained for one messagee alone, or for it and its kin.
    Messagee(MessageeId),
    /// Retained for one component. The last of the variants, so that it can be seen whether there is any.
    Hook(HookId),
}

/// A message that is retained.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) of: MessageIndex,
    pub(crate) to: Recipient,
    pub(crate) reached: Reached,
    pub(crate) message: Shared,
}

/// The messagees that a message was addressed to when it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "data", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Reached {
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
    pub(crate) fn put(&self, entry: Entry) -> (u64, Option<Shared>) {
        let messages = &mut *self.0.borrow_mut();
        let replaced = messages.take(entry.of, entry.to);
        let number = messages.count;
        messages.count += 1;
        messages.to_everyone += usize::from(entry.reached == Reached::Everyone);
        messages.numbers.insert((entry.of, entry.to), number);
        let holder = entry.holder().map(|holder| (holder, number));
        messages.index.extend(holder);
        messages.in_order.insert(number, entry);
        (number, replaced)
    }

    /// Returns how many messages have been retained so far, which is the number of the next one.
    pub(crate) fn count(&self) -> u64 {
        self.0.borrow().count
    }

    /// Returns the message with this number, if it is still retained.
    pub(crate) fn get(&self, number: u64) -> Option<Shared> {
        let messages = self.0.borrow();
        let entry = messages.in_order.get(&number)?;
        Some(Arc::clone(&entry.message))
    }

    /// Returns `true` if the message with this number was addressed to a messagee when it was sent. The messagee
    /// must be alive.
    pub(crate) fn reached(&self, number: u64, id: MessageeId) -> bool {
        let messages = self.0.borrow();
        let entry = messages.in_order.get(&number);
        entry.is_some_and(|entry| match &entry.reached {
            Reached::Everyone => number >= messages.born(id),
            Reached::Messagees(ids) => ids.contains(&id),
        })
    }

    /// Notes that a messagee has come alive.
    #[inline]
    pub(crate) fn note_birth(&mut self, id: MessageeId) {
        let messages = self.0.get_mut();
        if messages.to_everyone > 0 {
            messages.note_birth(id, messages.count);
        }
    }

    pub(crate) fn take(&self, of: MessageIndex, to: Recipient) -> Option<Shared> {
        self.0.borrow_mut().take(of, to)
    }

    /// Returns the messages of a type, or of all types, from a number on, in the order in which they were retained.
    pub(crate) fn since(&self, from: u64, of: Option<MessageIndex>) -> Vec<(u64, Shared)> {
        let messages = self.0.borrow();
        let since = messages.in_order.range(from..);
        let wanted = since.filter(|(_, entry)| of.is_none_or(|of| of == entry.of));
        let shared = wanted.map(|(&number, entry)| (number, Arc::clone(&entry.message)));
        shared.collect()
    }

    /// Forgets all. They are returned in the order in which they were retained, to be dropped.
    pub(crate) fn take_all(&mut self) -> Vec<Shared> {
        let messages = std::mem::take(self.0.get_mut());
        let entries = messages.in_order.into_values();
        entries.map(|entry| entry.message).collect()
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        let messages = self.0.get_mut();
        messages.numbers.shrink_to_fit();
        messages.births.shrink_to_fit();
    }

    /// Returns `true` if nothing is retained.
    #[inline]
    pub(crate) fn is_empty(&mut self) -> bool {
        self.0.get_mut().in_order.is_empty()
    }

    /// Takes out the messages that were retained for a messagee that is gone, in the order in which they were
    /// retained; to be dropped by the caller.
    pub(crate) fn take_all_to(&mut self, id: MessageeId) -> Vec<Shared> {
        self.0.get_mut().take_all_of(Holder::Messagee(id))
    }

    /// Returns `true` if a message is retained for a component.
    #[inline]
    pub(crate) fn has_any_to_hooks(&mut self) -> bool {
        matches!(self.0.get_mut().index.last(), Some((Holder::Hook(_), _)))
    }

    /// Like [`take_all_to`](Self::take_all_to), for a component that is gone.
    #[inline]
    pub(crate) fn take_all_to_hook(&mut self, hook: HookId) -> Vec<Shared> {
        self.0.get_mut().take_all_of(Holder::Hook(hook))
    }
}

#[cfg(feature = "data")]
impl Retained {
    /// Returns all of them with their numbers, in the order in which they were retained.
    pub(crate) fn saved(&self) -> Vec<(u64, Entry)> {
        let messages = self.0.borrow();
        let entries = messages.in_order.iter();
        entries
            .map(|(&number, entry)| (number, entry.clone()))
            .collect()
    }

    /// Returns how many of the messages with these numbers had been retained when a messagee came alive.
    pub(crate) fn retained_before(&self, id: MessageeId, numbers: &[u64]) -> u64 {
        let born = self.0.borrow().born(id);
        numbers.partition_point(|number| *number < born) as u64
    }

    /// Retains a message again, or leaves its number out. Returns `false` if there is one of its type and
    /// recipient already.
    pub(crate) fn restore(&mut self, entry: Option<Entry>) -> bool {
        match entry {
            None => self.0.get_mut().count += 1,
            Some(entry) => return self.put(entry).1.is_none(),
        }
        true
    }

    /// Restores that a messagee came alive after `retained` messages had been retained.
    pub(crate) fn restore_birth(&mut self, id: MessageeId, retained: u64) {
        self.0.get_mut().note_birth(id, retained);
    }
}

impl Messages {
    fn note_birth(&mut self, id: MessageeId, retained: u64) {
        let place = id.0.index();
        if place >= self.births.len() {
            self.births.resize(place + 1, 0);
        }
        self.births[place] = retained;
    }

    /// Returns how many messages had been retained when a living messagee came alive.
    fn born(&self, id: MessageeId) -> u64 {
        self.births.get(id.0.index()).copied().unwrap_or_default()
    }

    fn take(&mut self, of: MessageIndex, to: Recipient) -> Option<Shared> {
        let number = *self.numbers.get(&(of, to))?;
        self.remove(number)
    }

    fn take_all_of(&mut self, holder: Holder) -> Vec<Shared> {
        let range = self.index.range((holder, 0)..=(holder, u64::MAX));
        let numbers: Vec<u64> = range.map(|(_, number)| *number).collect();
        let taken = numbers.into_iter();
        taken.filter_map(|number| self.remove(number)).collect()
    }

    fn remove(&mut self, number: u64) -> Option<Shared> {
        let entry = self.in_order.remove(&number)?;
        self.numbers.remove(&(entry.of, entry.to));
        if let Some(holder) = entry.holder() {
            self.index.remove(&(holder, number));
        }
        if entry.reached == Reached::Everyone {
            self.to_everyone -= 1;
            if self.to_everyone == 0 {
                self.births.clear();
            }
        }
        Some(entry.message)
    }
}

impl Entry {
    fn holder(&self) -> Option<Holder> {
        match self.to {
            Recipient::Id(id) | Recipient::Up(id) | Recipient::Down(id) => {
                Some(Holder::Messagee(id))
            }
            Recipient::Hook(hook) => Some(Holder::Hook(hook)),
            _ => None,
        }
    }
}
