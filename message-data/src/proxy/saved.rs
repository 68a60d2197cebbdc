//! Proxies and outboxes in a save.

use std::collections::BTreeMap;
use std::panic::Location;

use message_core::carrier::Carrying;
use message_core::internals::{Messagees, Proxies};
use message_core::{Header, MessageeId, Sender};
use serde::{Deserialize, Serialize};

use crate::DataType;
use crate::proxy::{Letter, Outbox, Outboxes};

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

impl SavedProxies {
    /// Returns the outboxes and proxies of a manager; `None` if it has never opened an outbox.
    pub(crate) fn of(proxies: &Proxies, messagees: &Messagees) -> Option<Self> {
        let outboxes: &Outboxes = proxies.carrier()?;
        let destination_of = |id| Some((id, messagees.get(id)?.destination()?));
        let open = outboxes.open.borrow();
        let saved = Self {
            made: outboxes.made,
            proxies: messagees.iter().filter_map(destination_of).collect(),
            outboxes: open.iter().map(|(&id, it)| saved_outbox(id, it)).collect(),
        };
        (saved.made > 0).then_some(saved)
    }

    /// Restores proxies and outboxes. Returns an error if there is a mistake in them. `find` finds a
    /// message type by its name; messages of types that are not known are left out.
    pub(crate) fn restore(
        &self,
        proxies: &mut Proxies,
        messagees: &mut Messagees,
        find: impl Fn(&str) -> Option<&'static DataType>,
        place: &'static Location<'static>,
    ) -> Result<(), String> {
        let last = self.outboxes.last();
        if !self.outboxes.is_sorted_by(|a, b| a.id < b.id)
            || last.is_some_and(|last| last.id >= self.made)
        {
            return Err("the outboxes are out of order".to_owned());
        }
        if self.made == u32::MAX {
            return Err("there are more outboxes than can be opened".to_owned());
        }
        for &(id, outbox) in &self.proxies {
            if outbox >= self.made {
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
        let mut open = BTreeMap::new();
        for outbox in &self.outboxes {
            let capacity = usize::try_from(outbox.capacity).unwrap_or(usize::MAX);
            let mut restored = Outbox::new(capacity, outbox.by_position);
            restored.is_blocked = outbox.is_blocked;
            for letter in &outbox.letters {
                push(&mut restored, letter, &find, place);
            }
            open.insert(outbox.id, restored);
        }
        let outboxes: &mut Outboxes = proxies.install();
        (outboxes.open, outboxes.made) = (open.into(), self.made);
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
