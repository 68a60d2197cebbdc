//! The last message of each type and recipient whose header asked for that.
//!
//! The messages stand in the order in which they were retained. What is asked for has an index of its
//! own: a type with a recipient, a type, and a messagee.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use crate::address::{HookId, MessageeId, Recipient};
use crate::hash::HashedMap;
use crate::message::MessageIndex;
use crate::send::Deliver;
use crate::subscription::births::Births;

/// A message that is shared by those who receive it later.
pub(crate) type Shared = Arc<Mutex<dyn Deliver>>;

#[derive(Default)]
pub(crate) struct Retained(RefCell<Messages>);

/// Messages by number: how many were retained before.
#[derive(Default)]
struct Messages {
    in_order: BTreeMap<u64, Entry>,
    numbers: HashedMap<(MessageIndex, Recipient), u64>,
    of_type: HashedMap<MessageIndex, BTreeSet<u64>>,
    /// What was retained for one messagee alone, or for it and its kin.
    to_messagee: HashedMap<MessageeId, BTreeSet<u64>>,
    /// What was retained for one component.
    to_hook: HashedMap<HookId, BTreeSet<u64>>,
    count: u64,
    /// How many have reached everyone.
    to_everyone: usize,
    births: Births,
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
        self.0.borrow_mut().put(entry)
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
            Reached::Everyone => number >= messages.births.of(id),
            Reached::Messagees(ids) => ids.contains(&id),
        })
    }

    /// A messagee has come alive.
    #[inline]
    pub(crate) fn note_birth(&mut self, id: MessageeId) {
        let messages = self.0.get_mut();
        if messages.to_everyone > 0 {
            messages.births.note(id, messages.count);
        }
    }

    pub(crate) fn take(&self, of: MessageIndex, to: Recipient) -> Option<Shared> {
        self.0.borrow_mut().take(of, to)
    }

    /// The messages of a type, or of all types, from that number on, in the order in which they were
    /// retained.
    pub(crate) fn since(&self, from: u64, of: Option<MessageIndex>) -> Vec<(u64, Shared)> {
        let messages = self.0.borrow();
        let share = |(&number, entry): (&u64, &Entry)| (number, Arc::clone(&entry.message));
        let Some(of) = of else {
            return messages.in_order.range(from..).map(share).collect();
        };
        let numbers = messages
            .of_type
            .get(&of)
            .map(|numbers| numbers.range(from..));
        let meant = numbers.into_iter().flatten();
        let meant = meant.filter_map(|number| messages.in_order.get_key_value(number));
        meant.map(share).collect()
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
        messages.of_type.shrink_to_fit();
        messages.to_messagee.shrink_to_fit();
        messages.to_hook.shrink_to_fit();
        messages.births.shrink_to_fit();
    }

    /// Returns `true` if nothing is retained.
    #[inline]
    pub(crate) fn is_empty(&mut self) -> bool {
        self.0.get_mut().in_order.is_empty()
    }

    /// Takes out what was retained for a messagee that is gone, in the order in which it was retained;
    /// to be dropped by the caller.
    pub(crate) fn take_all_to(&mut self, id: MessageeId) -> Vec<Shared> {
        let messages = self.0.get_mut();
        if messages.to_messagee.is_empty() {
            return Vec::new();
        }
        let numbers = messages.to_messagee.remove(&id).unwrap_or_default();
        let taken = numbers.into_iter();
        taken.filter_map(|number| messages.remove(number)).collect()
    }

    /// Returns `true` if a message is retained for a component.
    #[inline]
    pub(crate) fn has_any_to_hooks(&mut self) -> bool {
        !self.0.get_mut().to_hook.is_empty()
    }

    /// As [`take_all_to`](Self::take_all_to), of a component that is gone.
    #[inline]
    pub(crate) fn take_all_to_hook(&mut self, hook: HookId) -> Vec<Shared> {
        let messages = self.0.get_mut();
        if messages.to_hook.is_empty() {
            return Vec::new();
        }
        let numbers = messages.to_hook.remove(&hook).unwrap_or_default();
        let taken = numbers.into_iter();
        taken.filter_map(|number| messages.remove(number)).collect()
    }
}

#[cfg(feature = "data")]
impl Retained {
    /// All of them with their numbers, in the order in which they were retained.
    pub(crate) fn saved(&self) -> Vec<(u64, Entry)> {
        let messages = self.0.borrow();
        let entries = messages.in_order.iter();
        entries
            .map(|(&number, entry)| (number, entry.clone()))
            .collect()
    }

    /// How many of the messages with these numbers had been retained when a messagee came alive.
    pub(crate) fn retained_before(&self, id: MessageeId, numbers: &[u64]) -> u64 {
        let born = self.0.borrow().births.of(id);
        numbers.partition_point(|number| *number < born) as u64
    }

    /// Retains a message again, or leaves its number out. Returns `false` if there is one of its type and
    /// recipient already.
    pub(crate) fn restore(&mut self, entry: Option<Entry>) -> bool {
        let messages = self.0.get_mut();
        match entry {
            None => messages.count += 1,
            Some(entry) => return messages.put(entry).1.is_none(),
        }
        true
    }

    /// Restores that a messagee came alive after `retained` messages had been retained.
    pub(crate) fn restore_birth(&mut self, id: MessageeId, retained: u64) {
        self.0.get_mut().births.note(id, retained);
    }
}

impl Messages {
    fn put(&mut self, entry: Entry) -> (u64, Option<Shared>) {
        let replaced = self.take(entry.of, entry.to);
        let number = self.count;
        self.count += 1;
        self.to_everyone += usize::from(entry.reached == Reached::Everyone);
        self.numbers.insert((entry.of, entry.to), number);
        self.of_type.entry(entry.of).or_default().insert(number);
        if let Some(id) = messagee(entry.to) {
            self.to_messagee.entry(id).or_default().insert(number);
        }
        if let Recipient::Hook(hook) = entry.to {
            self.to_hook.entry(hook).or_default().insert(number);
        }
        self.in_order.insert(number, entry);
        (number, replaced)
    }

    fn take(&mut self, of: MessageIndex, to: Recipient) -> Option<Shared> {
        let number = self.numbers.get(&(of, to)).copied()?;
        if let Some(id) = messagee(to) {
            remove_from(&mut self.to_messagee, &id, number);
        }
        if let Recipient::Hook(hook) = to {
            remove_from(&mut self.to_hook, &hook, number);
        }
        self.remove(number)
    }

    /// Removes a message from all but the indices by messagee and by hook.
    fn remove(&mut self, number: u64) -> Option<Shared> {
        let Entry {
            of,
            to,
            reached,
            message,
        } = self.in_order.remove(&number)?;
        if reached == Reached::Everyone {
            self.to_everyone -= 1;
            if self.to_everyone == 0 {
                self.births.clear();
            }
        }
        self.numbers.remove(&(of, to));
        remove_from(&mut self.of_type, &of, number);
        Some(message)
    }
}

/// The messagee with which the message is forgotten.
fn messagee(to: Recipient) -> Option<MessageeId> {
    match to {
        Recipient::Id(id) | Recipient::Up(id) | Recipient::Down(id) => Some(id),
        _ => None,
    }
}

fn remove_from<K: Eq + Hash>(index: &mut HashedMap<K, BTreeSet<u64>>, key: &K, number: u64) {
    if let Some(numbers) = index.get_mut(key) {
        numbers.remove(&number);
        if numbers.is_empty() {
            index.remove(key);
        }
    }
}
