//! Wires, in the order in which they were made.

use std::sync::Arc;

use message_core::{MessageId, Stage, registry};
use message_format::Packer;
use serde::{Deserialize, Serialize};

use crate::save::Restoring;
use crate::save::catalog::Catalog;
use crate::save::chunks::{Body, put, put_message};
use crate::save::error::{RestoreError, SaveError};
use crate::wire::{Action, WireRow, Wires};

/// The header before the messages that the wires post.
#[derive(Serialize, Deserialize)]
struct Head {
    /// The number of wires made.
    made: u64,
    live: Vec<WireRow>,
}

pub(super) fn write(
    wires: &Wires,
    catalog: &mut Catalog<'_>,
    packer: &mut Packer,
) -> Result<(), SaveError> {
    let (mut live, mut messages) = (Vec::new(), Vec::new());
    wires.each(|id, wire| {
        let mut of = None;
        if let Some(message) = &wire.message {
            let known = message.with(|it| catalog.message(it, |unsaved| unsaved.posts += 1));
            let Some((number, data)) = known else {
                return;
            };
            of = Some(number);
            messages.push((data, Arc::clone(message)));
        }
        live.push(wire.row(id, of));
    });
    let made = wires.made();
    put(packer, "a wire", &Head { made, live })?;
    for (data, message) in messages {
        message.with(|message| put_message(packer, data, message))?;
    }
    Ok(())
}

impl Restoring {
    pub(super) fn read_wires(&mut self, body: &mut Body<'_>) -> Result<(), RestoreError> {
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
                Some(of) => types
                    .read_message(of, body)?
                    .map(|(_, message)| Some(message)),
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
        Ok(())
    }
}
