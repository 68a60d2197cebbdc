//! The last message of each type and recipient whose header asked for that.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::address::{MessageeId, Recipient};
use crate::dispatch::Deliver;
use crate::message::MessageIndex;

/// A message that is shared by those who receive it later.
pub(crate) type Shared = Arc<Mutex<dyn Deliver>>;

#[derive(Default)]
pub(crate) struct Retained {
    messages: RefCell<HashMap<(MessageIndex, Recipient), (u64, Shared)>>,
    /// How many have been retained; numbers them.
    count: std::cell::Cell<u64>,
}

impl Retained {
    /// Retains a message. The one that it takes the place of is returned, to be dropped.
    pub(crate) fn put(&self, of: MessageIndex, to: Recipient, message: Shared) -> Option<Shared> {
        let number = self.count.replace(self.count.get() + 1);
        let mut messages = self.messages.borrow_mut();
        let replaced = messages.insert((of, to), (number, message));
        replaced.map(|(_, message)| message)
    }

    pub(crate) fn take(&self, of: MessageIndex, to: Recipient) -> Option<Shared> {
        let taken = self.messages.borrow_mut().remove(&(of, to));
        taken.map(|(_, message)| message)
    }

    /// The messages of a type, or of all types, in the order in which they were retained.
    pub(crate) fn all(&self, of: Option<MessageIndex>) -> Vec<Shared> {
        let messages = self.messages.borrow();
        let meant = messages
            .iter()
            .filter(|((index, _), _)| of.is_none_or(|of| of == *index));
        let mut meant: Vec<&(u64, Shared)> = meant.map(|(_, message)| message).collect();
        meant.sort_by_key(|(number, _)| *number);
        meant
            .into_iter()
            .map(|(_, message)| Arc::clone(message))
            .collect()
    }

    /// Takes out what was retained for a messagee that is gone; to be dropped by the caller.
    pub(crate) fn take_all_to(&mut self, id: MessageeId) -> Vec<Shared> {
        let messages = self.messages.get_mut();
        if messages.is_empty() {
            return Vec::new();
        }
        let gone = |to: &Recipient| match to {
            Recipient::Id(to) | Recipient::Up(to) | Recipient::Down(to) => *to == id,
            _ => false,
        };
        let taken = messages.extract_if(|(_, to), _| gone(to));
        taken.map(|(_, (_, message))| message).collect()
    }
}
