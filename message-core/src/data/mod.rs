//! Components and messages as data: written and read by name. Needs the feature `data`.
//!
//! [`#[derive(Data)]`](macro@crate::data::Data), in addition to serde's derives, makes a component or a message known by
//! its name. There is nothing to register: linking the crate is enough.
//!
//! ```
//! use message_core::data::{self, Data};
//! use message_core::prelude::*;
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
//! Text uses the syntax of [RON](https://docs.rs/ron), Rusty Object Notation; see [`text_format`]. The binary form
//! is `MessagePack` with field names, as the crate `rmp-serde` writes it with named fields, so that other
//! programs can read it; see [`to_bytes`]. Fields can be added and moved in both forms. A field that no longer
//! exists is ignored in bytes, and is an error in a text.
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

mod abroad;
mod bytes;
mod data_type;
mod declared;
mod error;
mod field;
mod forms;
pub(crate) mod linked;
mod log;
pub mod log_format;
mod messages;
mod nearest;
mod pack;
mod reader;
mod recorder;
pub(crate) mod save;
pub mod save_format;
mod scope;
mod shape;
mod sink;
mod steps;
mod tape;
mod text;
pub mod text_format;
mod types;
mod unordered;
mod upgrade;
mod wire;
mod world_file;
mod writer;

pub use abroad::{from_bytes_with_ids, message_to_bytes, to_bytes_with_ids};
pub(crate) use abroad::{pack_by_position, pack_message};
#[doc(hidden)]
pub use data_type::{ComponentData, DataFacts, DataKind, KindOf, MessageData, OfComponent};
pub use data_type::{Data, DataType};
#[doc(hidden)]
pub use declared::DeclaredName;
pub use declared::{declared_groups, declared_mnemonics};
pub use error::DataError;
pub use log::{
    Difference, Digest, Impurity, LogError, LogOptions, LogReport, Replay, ReplayError, Replayed,
    SyncTest, assert_deterministic,
};
pub(crate) use log::{How, Input, InputLog};
pub(crate) use messages::type_of;
pub use messages::{message_to_text, parse_message};
pub use reader::Reader;
pub use save::{RestoreError, RestoreNote, RestoredManager, SaveError, SaveOptions, Unsaved};
pub(crate) use scope::Scope;
use serde::de::DeserializeOwned;
use serde::ser::Serialize;
pub use shape::{Shape, ShapeDifference};
pub use text::{TextExtension, TextOptions};
pub(crate) use types::check_names;
pub use types::{find, types};
pub use unordered::sorted;
pub use upgrade::Upgrade;
pub(crate) use wire::Wires;
pub use wire::{Wire, WireId, WireInfo, WireTarget};
pub(crate) use world_file::Instancing;
pub use world_file::{Instanced, Selection, WorldError, WorldFile, WorldOptions};
pub use writer::Writer;

pub(crate) use self::pack::Packer;
use self::reader::Unknown;
use self::recorder::Recorder;
use self::tape::Tape;

/// Makes a type a component or a message [with data](trait@Data).
///
/// ```
/// use message_core::data::{self, Data};
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

/// Writes a value as text.
///
/// # Errors
///
/// Returns the error of the type's `Serialize`, or an error if the value contains an id or is nested more than 128
/// levels deep. An id is meaningful only in a world file, a save or a log.
///
/// ```
/// use message_core::data;
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Point { x: f32, y: f32 }
///
/// assert_eq!(data::to_text(&Point { x: 0.1, y: 2.0 })?, "(x: 0.1, y: 2.0)");
/// # Ok::<(), data::DataError>(())
/// ```
pub fn to_text<T: Serialize + ?Sized>(value: &T) -> Result<String, DataError> {
    let mut recorder = Recorder::new();
    value.serialize(&mut Writer::new(&mut recorder))?;
    Ok(text::print(&recorder.tape, 0))
}

/// Reads a value from a text. A field that a struct does not have is an error.
///
/// # Errors
///
/// Returns an error if the text cannot be read as this type. The error contains the place, and what was expected
/// there.
///
/// ```
/// use message_core::data;
///
/// let numbers: Vec<u8> = data::from_text("[1, 2, /* and */ 3]")?;
/// assert_eq!(numbers, [1, 2, 3]);
/// let error = data::from_text::<Vec<u8>>("[1, 2, 300]").expect_err("it is too large");
/// assert_eq!(error.to_string(), "1:8: invalid value: integer `300`, expected u8");
/// # Ok::<(), data::DataError>(())
/// ```
pub fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, DataError> {
    TextOptions::new().from_text(text)
}

/// Writes a value as `MessagePack` with field names.
///
/// A struct is a map from field names to values, a variant without fields is its name, and any other variant is a map
/// from its name to its content. An integer of more than 64 bits is written as 16 bytes, the most significant first.
/// `Some` around nothing, such as `Some(())`, is written as an extension of type 1 with one byte, the number of
/// `Some`.
///
/// # Errors
///
/// Returns the errors of [`to_text`].
///
/// ```
/// use message_core::data;
///
/// assert_eq!(data::to_bytes(&(1, "a"))?, [0x92, 1, 0xa1, b'a']);
/// # Ok::<(), data::DataError>(())
/// ```
pub fn to_bytes<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, DataError> {
    let mut packer = Packer::default();
    value.serialize(&mut Writer::new(&mut packer))?;
    Ok(packer.bytes)
}

/// Reads a value from `MessagePack`. Fields that a struct does not have are passed over.
///
/// # Errors
///
/// Returns an error with the place if the bytes end too early, go on after the value, or do not fit the type.
///
/// ```
/// use message_core::data;
///
/// let pair: (u32, String) = data::from_bytes(&[0x92, 1, 0xa1, b'a'])?;
/// assert_eq!(pair, (1, "a".to_owned()));
/// let error = data::from_bytes::<(u32, String)>(&[0x92, 1]).expect_err("it ends too early");
/// assert_eq!(error.to_string(), "byte 0: a list of 2 entries begins here, and only 1 bytes follow");
/// # Ok::<(), data::DataError>(())
/// ```
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DataError> {
    let mut reader = Reader::over(bytes, Unknown::Passed);
    let read = reader.read();
    reader.finish(read)
}

/// Returns the addresses of the rows of all types and declared names.
pub(crate) fn addresses() -> impl Iterator<Item = usize> {
    let types = linked::data_types().map(|ty| std::ptr::from_ref(ty).addr());
    types.chain(linked::declared_names().map(|name| std::ptr::from_ref(name).addr()))
}

/// Collects types and names again, after some were loaded.
pub(crate) fn renew() {
    types::renew();
    declared::renew();
}

/// Prints the value on a tape as text.
pub(crate) fn print_tape(tape: &Tape) -> String {
    text::print(tape, 0)
}
