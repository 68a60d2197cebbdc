//! Wires, in the order in which they were made.

use std::sync::Arc;

use message_core::{MessageId, Stage, registry};
use message_format::Packer;
use serde::{Deserialize, Serialize};

use crate::save::Restoring;
use crate::save::catalog::Catalog;
use crate::save::chunks::{Body, put};
use crate::save::error::{RestoreError, SaveError};
use crate::save::retained::write_message;
use crate::wire::{Action, MessageCell, WireRow, Wires};

/// The header before the messages that the wires post.
#[derive(Serialize, Deserialize)]
struct Head {
    /// The number of wires made.
    made: u64,
    live: Vec<WireRow>,
}

/// The wires that are saved, with the messages that they post.
pub(super) type Saved = Vec<(WireRow, Option<Arc<MessageCell>>)>;

pub(super) fn survey(wires: &Wires, catalog: &mut Catalog<'_>) -> Saved {
    wires.saved(|message| {
        let known = catalog.message(message, |unsaved| unsaved.posts += 1);
        known.map(|(of, _)| of)
    })
}

pub(super) fn write(
    wires: &Wires,
    saved: Saved,
    catalog: &mut Catalog<'_>,
    packer: &mut Packer,
) -> Result<(), SaveError> {
    let (live, messages): (Vec<_>, Vec<_>) = saved.into_iter().unzip();
    let made = wires.made();
    put(packer, "a wire", &Head { made, live })?;
    for message in messages.into_iter().flatten() {
        message.with(|message| write_message(message, catalog, packer))?;
    }
    Ok(())
}

impl Restoring {
    pub(super) fn read_wires(&mut self, mut body: Body<'_>) -> Result<(), RestoreError> {
        let Self { world, types, .. } = self;
        let Head { made, live } = body.read()?;
        if !live.is_sorted_by(|a, b| a.id < b.id) || live.last().is_some_and(|last| last.id >= made)
        {
            return Err(body.wrong("the wires are out of order"));
        }
        if made > u64::MAX / 2 {
            return Err(body.wrong("the number of wires is impossible"));
        }
        for wire in live {
            if !world.structure.is_alive(wire.from) {
                return Err(body.wrong("a wire belongs to a messagee that does not exist"));
            }
            let terms = &wire.terms;
            if wire.left == Some(0) || terms.header.stage() == Stage::Immediate {
                return Err(body.wrong("a wire fires zero times, or posts at once"));
            }
            if wire.of.is_some() != (terms.action == Action::Post) {
                return Err(
                    body.wrong("a wire has no message to post, or one that it does not post")
                );
            }
            let message = match wire.of {
                Some(of) => types.message(of, &body)?.read_message(&mut body)?.map(Some),
                None => Some(None),
            };
            // A wire that waits for a message type which is not there would never fire.
            let on = registry().message(MessageId::from_bits(wire.on));
            if let (Some(on), Some(message)) = (on, message) {
                let wires = Wires::of_mut(&mut world.outside.wires);
                let subscriptions = &mut world.listen.subscriptions;
                wires.restore(wire, on, message, self.place, subscriptions);
            }
        }
        let wires = Wires::of_mut(&mut world.outside.wires);
        wires.end_restoring(made, &mut world.listen.subscriptions);
        body.finish()
    }
}
