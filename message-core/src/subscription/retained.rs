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
use crate::room::Shrink;
use crate::send::Deliver;

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
}

struct Entry {
    of: MessageIndex,
    to: Recipient,
    message: Shared,
}

impl Retained {
    /// Retains a message. The one that it takes the place of is returned, to be dropped.
    pub(crate) fn put(&self, of: MessageIndex, to: Recipient, message: Shared) -> Option<Shared> {
        self.0.borrow_mut().put(Entry { of, to, message })
    }

    pub(crate) fn take(&self, of: MessageIndex, to: Recipient) -> Option<Shared> {
        self.0.borrow_mut().take(of, to)
    }

    /// The messages of a type, or of all types, in the order in which they were retained.
    pub(crate) fn all(&self, of: Option<MessageIndex>) -> Vec<Shared> {
        let messages = self.0.borrow();
        let share = |entry: &Entry| Arc::clone(&entry.message);
        let Some(of) = of else {
            return messages.in_order.values().map(share).collect();
        };
        let numbers = messages.of_type.get(&of).into_iter().flatten();
        let meant = numbers.filter_map(|number| messages.in_order.get(number));
        meant.map(share).collect()
    }

    /// All of them with type and recipient, in the order in which they were retained.
    #[cfg(feature = "data")]
    pub(crate) fn saved(&self) -> Vec<(MessageIndex, Recipient, Shared)> {
        let messages = self.0.borrow();
        let entries = messages.in_order.values();
        entries
            .map(|entry| (entry.of, entry.to, Arc::clone(&entry.message)))
            .collect()
    }

    /// Gives back memory.
    pub(crate) fn shrink(&mut self, how: Shrink) {
        let messages = self.0.get_mut();
        how.room(&mut messages.numbers, 0);
        how.room(&mut messages.of_type, 0);
        how.room(&mut messages.to_messagee, 0);
        how.room(&mut messages.to_hook, 0);
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

impl Messages {
    fn put(&mut self, entry: Entry) -> Option<Shared> {
        let replaced = self.take(entry.of, entry.to);
        let number = self.count;
        self.count += 1;
        self.numbers.insert((entry.of, entry.to), number);
        self.of_type.entry(entry.of).or_default().insert(number);
        if let Some(id) = messagee(entry.to) {
            self.to_messagee.entry(id).or_default().insert(number);
        }
        if let Recipient::Hook(hook) = entry.to {
            self.to_hook.entry(hook).or_default().insert(number);
        }
        self.in_order.insert(number, entry);
        replaced
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
        let Entry { of, to, message } = self.in_order.remove(&number)?;
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
