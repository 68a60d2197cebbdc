//! The wires of a manager.

use std::panic::Location;

use message_core::input::Input;

use crate::actor::Actor;
use crate::wire::{connect, remove};
use crate::{DataError, DataInput, LogInput, Wire, WireId, WireInfo, WireInput, Wires};

/// Makes a wire: when its messagee receives a message of a type, it posts another.
///
/// The sender of what it posts is its messagee. It fires where a subscriber would hear the message, so it
/// does not fire for a consumed message. It does not count as a receiver, and ends with its messagee.
///
/// A wire that a handler makes fires for messages that are sent after the outermost send has returned.
///
/// # Errors
///
/// Returns an error, with the place of the call, if the messagee is gone, if the wire fires zero times or
/// posts at once, or if the message can neither be cloned nor written.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data, Wire};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// #[data(name = "docs.manager_wire_Knock")]
/// struct DocsManagerWireKnock;
///
/// let mut manager = MessageManager::new();
/// let door = manager.spawn(());
/// let wire = || Wire::on::<DocsManagerWireKnock>(door).send("dog", DocsManagerWireKnock);
/// assert!(data::add_wire(&mut manager, wire()).is_ok());
/// assert!(data::add_wire(&mut manager, wire().times(0)).is_err());
/// ```
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](message_core::MessageManager::settle), which is called first.
#[track_caller]
pub fn add_wire(actor: &mut impl Actor, wire: Wire) -> Result<WireId, DataError> {
    let place = Location::caller();
    let made = actor.act(
        WireInput(wire, place),
        |input| Input::Foreign(input),
        |world, WireInput(wire, place)| connect(world, wire, place),
    );
    made.map_err(|error| error.in_code(place))
}

/// Returns all wires, in the order in which they were made.
///
/// ```
/// use message_core::prelude::*;
/// use message_data as data;
///
/// assert!(data::wires(&MessageManager::new()).is_empty());
/// ```
#[must_use]
pub fn wires(actor: &impl Actor) -> Vec<WireInfo> {
    Wires::of(&actor.look().outside.wires).list()
}

/// Enables or disables a wire. Returns `false` if it has ended.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data, Wire};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// #[data(name = "docs.manager_wire_enabled_Knock")]
/// struct DocsManagerWireEnabledKnock;
///
/// let mut manager = MessageManager::new();
/// let door = manager.spawn_named("door", ());
/// let wire = Wire::on::<DocsManagerWireEnabledKnock>(door);
/// let id = data::add_wire(&mut manager, wire.send("door", DocsManagerWireEnabledKnock).times(1))?;
/// assert!(data::set_wire_enabled(&mut manager, id, false));
/// manager.send(door, DocsManagerWireEnabledKnock).expect("it is alive");
/// assert_eq!(data::wires(&manager)[0].left, Some(1), "it has not fired");
/// # Ok::<(), message_data::DataError>(())
/// ```
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](message_core::MessageManager::settle), which is called first.
pub fn set_wire_enabled(actor: &mut impl Actor, id: WireId, enabled: bool) -> bool {
    actor.act(
        DataInput::Plain(LogInput::EnableWire(id.number(), enabled)),
        |input| Input::Foreign(input),
        |world, _| Wires::of(&world.outside.wires).set_enabled(id, enabled),
    )
}

/// Ends a wire. Returns `false` if it has already ended. Messages that it has posted stay pending.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data, Wire};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// #[data(name = "docs.manager_wire_remove_Knock")]
/// struct DocsManagerWireRemoveKnock;
///
/// let mut manager = MessageManager::new();
/// let door = manager.spawn(());
/// let wire = Wire::on::<DocsManagerWireRemoveKnock>(door);
/// let id = data::add_wire(&mut manager, wire.send("dog", DocsManagerWireRemoveKnock))?;
/// assert!(data::remove_wire(&mut manager, id) && !data::remove_wire(&mut manager, id));
/// # Ok::<(), message_data::DataError>(())
/// ```
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](message_core::MessageManager::settle), which is called first.
pub fn remove_wire(actor: &mut impl Actor, id: WireId) -> bool {
    actor.act(
        DataInput::Plain(LogInput::RemoveWire(id.number())),
        |input| Input::Foreign(input),
        |world, _| remove(world, id),
    )
}
