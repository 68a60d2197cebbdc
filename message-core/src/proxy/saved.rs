//! Proxies and outboxes in a save.

use std::any::Any;
use std::panic::Location;

use serde::{Deserialize, Serialize};

use crate::address::{MessageeId, Sender};
use crate::data::DataType;
use crate::header::Header;
use crate::outbox::{Carrier, Carrying, Proxies};
use crate::proxy::{Letter, Outbox};
use crate::storage::Messagees;

/// The part of a save that describes proxies. Ids are numbers in it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct SavedProxies {
    made: u32,
    outboxes: Vec<SavedOutbox>,
    proxies: Vec<(MessageeId, u32)>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedOutbox {
    id: u32,
    capacity: u64,
    is_blocked: bool,
    #[serde(default)]
    by_position: bool,
    letters: Vec<SavedLetter>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedLetter {
    proxy: MessageeId,
    sender: Option<MessageeId>,
    header: Option<Header>,
    /// The full name of the type.
    of: String,
    bytes: Vec<u8>,
    ids: Vec<MessageeId>,
}

fn saved_outbox(id: u32, outbox: &Outbox) -> SavedOutbox {
    let letters = outbox.letters.letters();
    SavedOutbox {
        id,
        capacity: outbox.capacity as u64,
        is_blocked: outbox.is_blocked,
        by_position: outbox.by_position,
        letters: letters.map(saved_letter).collect(),
    }
}

fn saved_letter(letter: Letter<'_>) -> SavedLetter {
    // The program that reads them may be a later one.
    let bytes = letter.to_named_bytes();
    SavedLetter {
        proxy: letter.proxy(),
        sender: letter.sender().id(),
        header: letter.header().copied(),
        of: letter.message_type().name().to_owned(),
        bytes: bytes.unwrap_or_else(|_| letter.bytes().to_vec()),
        ids: letter.ids().to_vec(),
    }
}

impl Proxies {
    pub(crate) fn saved(&self, messagees: &Messagees) -> SavedProxies {
        let outboxes = self.outboxes.borrow();
        let outbox_of = |id| Some((id, messagees.get(id)?.outbox()?));
        let proxies = || messagees.iter().filter_map(outbox_of).collect();
        let proxies = self.any().then(proxies);
        let saved = outboxes.iter().filter_map(|(&id, outbox)| {
            let outbox: &dyn Any = &**outbox;
            Some(saved_outbox(id, outbox.downcast_ref()?))
        });
        SavedProxies {
            made: self.made.get(),
            proxies: proxies.unwrap_or_default(),
            outboxes: saved.collect(),
        }
    }

    /// Restores proxies and outboxes. Returns an error if there is a mistake in them. `find` finds a
    /// message type by its name; messages of types that are not known are left out.
    pub(crate) fn restore(
        &mut self,
        saved: &SavedProxies,
        messagees: &mut Messagees,
        find: impl Fn(&str) -> Option<&'static DataType>,
        place: &'static Location<'static>,
    ) -> Result<(), String> {
        let last = saved.outboxes.last();
        if !saved.outboxes.is_sorted_by(|a, b| a.id < b.id)
            || last.is_some_and(|last| last.id >= saved.made)
        {
            return Err("the outboxes are out of order".to_owned());
        }
        if saved.made == u32::MAX {
            return Err("there are more outboxes than can be opened".to_owned());
        }
        for &(id, outbox) in &saved.proxies {
            if outbox >= saved.made {
                return Err(format!("there is no outbox {outbox}"));
            }
            if !messagees.is_here(id) || messagees.components_of(id).next().is_some() {
                return Err(format!(
                    "messagee {id} is a proxy, and has components or is not there"
                ));
            }
            messagees.remove(id);
            messagees.insert_proxy(id, outbox);
        }
        let mut outboxes = std::collections::BTreeMap::new();
        for outbox in &saved.outboxes {
            let capacity = usize::try_from(outbox.capacity).unwrap_or(usize::MAX);
            let mut restored = Outbox::new(capacity, outbox.by_position);
            restored.is_blocked = outbox.is_blocked;
            for letter in &outbox.letters {
                push(&mut restored, letter, &find, place);
            }
            let restored: Box<dyn Carrier> = Box::new(restored);
            outboxes.insert(outbox.id, restored);
        }
        *self.outboxes.get_mut() = outboxes;
        self.made.set(saved.made);
        Ok(())
    }
}

fn push(
    outbox: &mut Outbox,
    letter: &SavedLetter,
    find: impl Fn(&str) -> Option<&'static DataType>,
    place: &'static Location<'static>,
) {
    let Some(of) = find(&letter.of) else {
        return;
    };
    // Written the same way as before: whether it fits depends on its length.
    let again = of.read_message(&letter.bytes, &letter.ids);
    let again = again.and_then(|message| outbox.begin(&*message));
    let by_position = matches!(again, Ok((_, true))) && outbox.letters.begun == letter.ids;
    let carrying = Carrying {
        proxy: letter.proxy,
        sender: letter.sender.map_or(Sender::Outside, Sender::Messagee),
        header: letter.header.as_ref(),
        place,
    };
    if !by_position {
        outbox.letters.begin_as(&letter.bytes, &letter.ids);
    }
    outbox.letters.end(carrying, of, by_position);
}
