//! Retained messages, in the order in which they were retained.

use std::panic::Location;

use serde::{Deserialize, Serialize};

use crate::address::{MessageeId, Recipient, Sender};
use crate::data::pack::Packer;
use crate::data::save::catalog::{Catalog, Types};
use crate::data::save::chunks::{Body, put};
use crate::data::save::error::{RestoreError, SaveError};
use crate::data::save::posts::MetaRow;
use crate::data::writer::Writer;
use crate::message::MessageIndex;
use crate::send::deferred::{SavedSend, restored_send, with_saved_send};
use crate::subscription::Shared;
use crate::world::World;

/// What stands before the content of each.
#[derive(Serialize, Deserialize)]
struct Row {
    /// The number of the type.
    of: u32,
    /// For whom it is retained, and to whom it was sent.
    kept_for: Recipient,
    to: Recipient,
    resolved: Recipient,
    sender: Sender,
    meta: MetaRow,
    due: u64,
    since: u64,
    reports: [bool; 2],
    overhearers: Vec<MessageeId>,
}

/// A retained message that is saved, with the number of its type.
pub(super) type Saved = (u32, Recipient, Shared);

pub(super) fn survey(world: &World, catalog: &mut Catalog<'_>) -> Vec<Saved> {
    let all = world.retained.saved().into_iter();
    let saved = all.filter_map(|(_, to, shared)| {
        let of = with_saved_send(&shared, |_, message| {
            let known = catalog.message(message, |unsaved| unsaved.retained += 1);
            known.map(|(of, _)| of)
        });
        Some((of??, to, shared))
    });
    saved.collect()
}

pub(super) fn write(
    messages: &[Saved],
    catalog: &mut Catalog<'_>,
    packer: &mut Packer,
) -> Result<(), SaveError> {
    let len = messages.len() as u64;
    put(packer, &len).map_err(|error| unnamed("a retained message", error))?;
    for (of, kept_for, shared) in messages {
        let written = with_saved_send(shared, |saved, message| {
            let row = Row {
                of: *of,
                kept_for: *kept_for,
                to: saved.to,
                resolved: saved.resolved,
                sender: saved.sender,
                meta: MetaRow::of(&saved.meta),
                due: saved.due,
                since: saved.since,
                reports: saved.reports,
                overhearers: saved.overhearers,
            };
            let name = message.name();
            put(packer, &row).map_err(|error| unnamed(name, error))?;
            let Some((_, data)) = catalog.message(message, |_| {}) else {
                return Ok(());
            };
            (data.write)(message, &mut Writer::new(packer)).map_err(|error| unnamed(name, error))
        });
        written.unwrap_or(Ok(()))?;
    }
    Ok(())
}

fn unnamed(name: &str, error: crate::data::DataError) -> SaveError {
    SaveError::Value {
        name: name.to_owned(),
        error,
    }
}

pub(super) fn read(
    mut body: Body<'_>,
    types: &mut Types,
    world: &mut World,
    place: &'static Location<'static>,
) -> Result<(), RestoreError> {
    let len: u64 = body.read()?;
    for _ in 0..len {
        let row: Row = body.read()?;
        let known = types.message(row.of, &body)?;
        let of: Option<MessageIndex> = known
            .message_data()
            .and_then(|data| Some(data.facts.table()?.index));
        let message = known.read_message(&mut body)?;
        let (Some(of), Some(message)) = (of, message) else {
            continue;
        };
        if let Recipient::Hook(hook) = row.kept_for
            && world.find_hook(hook).is_none()
        {
            // The component is of a type that is not known.
            continue;
        }
        let saved = SavedSend {
            sender: row.sender,
            to: row.to,
            resolved: row.resolved,
            meta: row.meta.restored(place),
            due: row.due,
            since: row.since,
            reports: row.reports,
            overhearers: row.overhearers,
        };
        let shared = restored_send(saved, message);
        if world.retained.put(of, row.kept_for, shared).is_some() {
            let what = format!("two messages of a type are retained for {:#}", row.kept_for);
            return Err(body.wrong(what));
        }
    }
    body.finish()
}
