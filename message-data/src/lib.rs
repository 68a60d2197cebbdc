//! Components and messages of [`message_core`] as data: written and read by name, in world files, saves and logs.
//!
//! [`#[derive(Data)]`](macro@crate::Data), in addition to serde's derives, makes a component or a message known by
//! its name. There is nothing to register: linking the crate is enough.
//!
//! ```
//! use message_core::prelude::*;
//! use message_data::{self as data, Data};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Data, Serialize, Deserialize, Debug, Default, PartialEq)]
//! #[serde(default)]
//! struct Health { hp: u32, max: u32 }
//!
//! #[derive(Message, Data, Serialize, Deserialize)]
//! #[data(exact)] // A file has to give all fields.
//! struct Damage { amount: u32 }
//!
//! let health: Health = data::from_text("Health(hp: 8)")?;
//! assert_eq!(health, Health { hp: 8, max: 0 });
//! assert_eq!(data::to_text(&health)?, "(hp: 8, max: 0)");
//! assert!(data::find("Damage")?.is_message());
//! # Ok::<(), data::DataError>(())
//! ```
//!
//! # Forms
//!
//! Text uses the syntax of [RON](https://docs.rs/ron), Rusty Object Notation; see [`text_format`]. The text of a
//! component or a message begins with the name of its type, which selects the type to read. The same holds for each
//! component and message in a [world file](WorldFile). The binary form is `MessagePack` with field names, as the crate
//! `rmp-serde` writes it with named fields, so that other programs can read it; see [`to_bytes`]. Fields can be added
//! and moved in both forms. A field that no longer exists is ignored in bytes, and is an error in a text.
//!
//! Both forms are in the crate `message-format`, which this module re-exports.
//!
//! # Maps and sets
//!
//! Equal values are written alike, so that saves, digests and replays do not depend on the seed of a hasher.
//! Maps are written sorted by their keys, except `BTreeMap` and the maps of `indexmap`, which are written in their
//! own order. The hash sets of the standard library and of `hashbrown` are sorted, too, also within other types. Any
//! other set is a list to serde; use `#[serde(serialize_with = "data::sorted")]` to write it sorted. See [`sorted`].
//!
//! # How little is compiled for each type
//!
//! A derive of serde is generic, and is compiled for each format that a type is read from. Here it meets
//! one reader and one writer: all forms are read into a list of tokens first, and written through one
//! small `dyn` interface.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `derive` | yes | the macro `#[derive(Data)]` |
//! | `files` | no | `journal`, from which a killed process goes on; `save_to` and `restore_from` |

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod abroad;
#[cfg(feature = "ask")]
extern crate self as message_data;

mod actor;
#[cfg(feature = "ask")]
pub mod ask;
mod buffer;
#[cfg(feature = "files")]
mod compatible;
mod components;
mod data_type;
mod declared;
pub mod guide;
#[cfg(feature = "files")]
pub mod journal;
mod log;
pub mod log_format;
mod messages;
mod number;
mod save;
pub mod save_format;
mod scope;
mod types;
mod wire;
mod world_file;

pub use abroad::{
    AnyComponent, component_to_bytes, from_bytes_with_ids, from_bytes_within, message_to_bytes,
    pack_message, to_bytes_with_ids,
};
pub use actor::Actor;
pub use buffer::MessageBuffer;
#[cfg(feature = "files")]
pub use compatible::{assert_compatible, assert_compatible_where};
pub use components::{
    change_field_from_text, change_from_text, component_fields, component_to_text, component_type,
    hook_from_text, unhook_any,
};
#[doc(hidden)]
pub use data_type::{
    ComponentData, DataFacts, DataKind, KindOf, MessageData, OfComponent, Serde, UpgradeFn,
};
pub use data_type::{Data, DataType};
#[doc(hidden)]
pub use declared::{declared_groups, declared_mnemonics};
#[doc(hidden)]
pub use log::InputRow;
pub use log::{
    Change, Difference, Digest, FlightRecorder, Impurity, Log, LogError, LogOptions, LogReport,
    Logged, LoggedInput, LoggedMessage, Replay, ReplayError, Replayed, SyncTest,
    assert_deterministic, tell_undelivered,
};
pub(crate) use log::{DataInput, LogInput, WireInput};
pub use message_format::{
    DataError, Packer, Reader, Shape, ShapeDifference, TextExtension, TextOptions, Upgrade, Writer,
    from_bytes, from_text, sorted, text_format, to_bytes, to_text,
};
pub use messages::{message_to_text, parse_message, type_of};
pub use number::MessageeNumber;
#[doc(hidden)]
pub use save::CarrierRow;
#[cfg(feature = "files")]
pub use save::{FileError, restore_from, save_to};
pub use save::{
    RestoreError, RestoreNote, RestoredManager, SaveError, SaveOptions, SavedCarrier, Unsaved,
    restore, save,
};
pub use types::{find, types};
pub(crate) use wire::Wires;
pub use wire::{
    Wire, WireId, WireInfo, WireTarget, WireTest, add_wire, remove_wire, set_wire_enabled, wires,
};
pub(crate) use world_file::Instancing;
pub use world_file::{Instance, Selection, WorldError, WorldFile, WorldOptions, write_world};

/// Makes a type a component or a message [with data](trait@Data).
///
/// ```
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[serde(default)]
/// #[data(name = "zoo.Heron")]
/// struct Heron { height: u32 }
///
/// assert_eq!(data::find("Heron")?.name(), "zoo.Heron");
/// # Ok::<(), data::DataError>(())
/// ```
#[cfg_attr(not(feature = "derive"), doc(hidden))]
pub use message_derive::Data;

message_core::shared!();

/// Items that the expansion of the derive uses. Not part of the public interface.
#[doc(hidden)]
#[allow(missing_docs, reason = "not part of the public interface")]
pub mod __private {
    pub use message_core::__private::*;
    pub use message_core::registry::Place;
    pub use message_core::registry_row;
}

/// The README's code, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
