//! Outboxes in a save.

use std::collections::BTreeMap;
use std::panic::Location;

use message_core::carrier::Carrying;
use message_core::{Header, MessageeId, Sender};
use serde::{Deserialize, Serialize};

use crate::name::NodeName;
use crate::proxy::outbox::{Known, KnownTypes};
use crate::proxy::{Letter, Outbox, Outboxes};
use message_data::{self as data, SavedCarrier};

/// The outboxes that are open, and the number of those that were ever opened.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedOutboxes {
    made: u32,
    outboxes: Vec<SavedOutbox>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedOutbox {
    id: u32,
    capacity: u64,
    is_blocked: bool,
    #[serde(default)]
    by_position: bool,
    #[serde(default)]
    node: Option<String>,
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

fn saved_outbox(id: u32, outbox: &Outbox, node: Option<&NodeName>) -> SavedOutbox {
    let letters = outbox.letters.letters();
    SavedOutbox {
        id,
        capacity: outbox.capacity as u64,
        is_blocked: outbox.is_blocked,
        by_position: outbox.by_position,
        node: node.map(NodeName::to_string),
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

message_data::saved_carrier!(Outboxes);

impl SavedCarrier for Outboxes {
    const NAME: &'static str = "message_net.outboxes";

    type State = SavedOutboxes;

    fn state(&self) -> Option<SavedOutboxes> {
        let open = self.open.borrow();
        let outboxes = open.iter();
        let outboxes = outboxes.map(|(&id, it)| saved_outbox(id, it, self.node(id)));
        let saved = SavedOutboxes {
            made: self.made,
            outboxes: outboxes.collect(),
        };
        (saved.made > 0).then_some(saved)
    }

    fn restored(
        saved: SavedOutboxes,
        destinations: &[u32],
        place: &'static Location<'static>,
    ) -> Result<Self, String> {
        let SavedOutboxes { made, outboxes } = saved;
        let last = outboxes.last();
        if !outboxes.is_sorted_by(|a, b| a.id < b.id) || last.is_some_and(|last| last.id >= made) {
            return Err("the outboxes are out of order".to_owned());
        }
        if made == u32::MAX {
            return Err("there are more outboxes than can be opened".to_owned());
        }
        if let Some(outbox) = destinations.iter().find(|&&outbox| outbox >= made) {
            return Err(format!("there is no outbox {outbox}"));
        }
        let (mut open, mut nodes) = (BTreeMap::new(), BTreeMap::new());
        let mut known = KnownTypes::default();
        for outbox in &outboxes {
            let capacity = usize::try_from(outbox.capacity).unwrap_or(usize::MAX);
            let mut restored = Outbox::new(capacity, outbox.by_position);
            restored.is_blocked = outbox.is_blocked;
            for letter in &outbox.letters {
                push(&mut restored, &mut known, letter, place);
            }
            open.insert(outbox.id, restored);
            if let Some(node) = &outbox.node {
                let node = NodeName::new(node).map_err(|error| error.to_string())?;
                nodes.insert(outbox.id, node);
            }
        }
        Ok(Self {
            open: open.into(),
            nodes,
            made,
            ..Self::default()
        })
    }
}

/// Adds a letter again, unless the program does not know its type.
fn push(
    outbox: &mut Outbox,
    known: &mut KnownTypes,
    letter: &SavedLetter,
    place: &'static Location<'static>,
) {
    let Ok(of) = data::find(&letter.of) else {
        return;
    };
    // Written the same way as before: whether it fits depends on its length.
    let again = of.read_message(&letter.bytes, &letter.ids);
    let again = again.and_then(|message| outbox.begin(Known::of(&*message, known)?, &*message));
    let by_position = matches!(again, Ok(true)) && outbox.letters.begun == letter.ids;
    let carrying = Carrying {
        proxy: letter.proxy,
        sender: letter.sender.map_or(Sender::Outside, Sender::Messagee),
        header: letter.header.as_ref(),
        place,
        send: None,
        context: None,
    };
    if !by_position {
        outbox.letters.begin_as(&letter.bytes, &letter.ids);
    }
    outbox.letters.end(carrying, of, by_position);
}
