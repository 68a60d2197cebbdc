//! Wires, in the order in which they were made.

use std::panic::Location;

use serde::{Deserialize, Serialize};

use crate::data::messages::unpacked;
use crate::data::pack::Packer;
use crate::data::save::chunks::{Body, put};
use crate::data::save::error::{RestoreError, RestoreNote, SaveError};
use crate::data::types::find_message;
use crate::data::wire::SavedWire;
use crate::link::registry;
use crate::message::MessageId;
use crate::time::Stage;
use crate::world::World;

#[derive(Serialize, Deserialize)]
struct Wires {
    /// How many were made.
    made: u64,
    live: Vec<SavedWire>,
}

pub(super) fn write(world: &World, packer: &mut Packer) -> Result<(), SaveError> {
    let own = |error| SaveError::Value {
        name: "a wire".to_owned(),
        error,
    };
    let (made, live) = world.saved_wires().map_err(own)?;
    put(packer, &Wires { made, live }).map_err(own)
}

pub(super) fn read(
    mut body: Body<'_>,
    notes: &mut Vec<RestoreNote>,
    world: &mut World,
    place: &'static Location<'static>,
) -> Result<(), RestoreError> {
    let Wires { made, live } = body.read()?;
    if !live.is_sorted_by(|a, b| a.id < b.id) || live.last().is_some_and(|last| last.id >= made) {
        return Err(body.wrong("the wires are out of order"));
    }
    if made > u64::MAX / 2 {
        return Err(body.wrong("so many wires cannot have been made"));
    }
    for wire in live {
        if !world.messagees.is_alive(wire.from) {
            return Err(body.wrong("a wire is of a messagee that is not there"));
        }
        if wire.left == Some(0) || wire.stage == Stage::Immediate {
            return Err(body.wrong("a wire fires zero times, or posts at once"));
        }
        let on = registry().message(MessageId::from_bits(wire.on));
        let Some(on) = on.filter(|_| find_message(&wire.send).is_ok()) else {
            notes.push(RestoreNote::UnknownType {
                name: wire.send,
                components: 0,
                messages: 1,
            });
            continue;
        };
        let message = unpacked(&wire.send, &wire.fields);
        let message = message.map_err(|error| body.error(&error))?;
        world.restore_wire(wire, on, message, place);
    }
    world.end_restoring_wires(made);
    body.finish()
}
