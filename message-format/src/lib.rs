//! Values as text and as bytes, through serde: [RON](https://docs.rs/ron) text with errors that name the place, and
//! `MessagePack`.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, Debug, Default, PartialEq)]
//! #[serde(default)]
//! struct Health { hp: u32, max: u32 }
//!
//! let health: Health = message_format::from_text("Health(hp: 8)")?;
//! assert_eq!(health, Health { hp: 8, max: 0 });
//! assert_eq!(message_format::to_text(&health)?, "(hp: 8, max: 0)");
//!
//! let bytes = message_format::to_bytes(&health)?;
//! assert_eq!(message_format::from_bytes::<Health>(&bytes)?, health);
//! # Ok::<(), message_format::DataError>(())
//! ```
//!
//! It is the format of `message_data`, and depends on nothing of that crate.
//!
//! # Forms
//!
//! Text uses the syntax of RON, Rusty Object Notation; see [`text_format`]. The binary form is `MessagePack` with
//! field names, as the crate `rmp-serde` writes it with named fields, so that other programs can read it; see
//! [`to_bytes`]. Fields can be added and moved in both forms. A field that no longer exists is ignored in bytes, and is
//! an error in a text.
//!
//! # Maps and sets
//!
//! Equal values are written alike. Maps are written sorted by their keys, except `BTreeMap` and the maps of
//! `indexmap`, which are written in their own order. The hash sets of the standard library and of `hashbrown` are
//! sorted, too. Any other set is a list to serde: see [`sorted`].
//!
//! # How little is compiled for each type
//!
//! A derive of serde is generic, and is compiled for each format that a type is read from. Here it meets one
//! [`Reader`] and one [`Writer`]. A reader goes from token to token over a [`Tape`](tape::Tape) that any form is read
//! onto. A writer writes onto a tape, which is then [printed](text::print), or packs each part for a [`Packer`].
//!
//! # Types that change
//!
//! A [`Shape`] says what a type reads, so that two programs can find out whether one reads what the other writes.
//! [`Upgrade`] converts the fields that an earlier version of a type has written.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod bytes;
mod content;
mod error;
mod field;
pub mod ids;
mod memory;
pub mod names;
mod nearest;
mod options;
pub mod pack;
mod packer;
mod reader;
mod shape;
pub mod steps;
pub mod tape;
pub mod text;
pub mod text_format;
mod unordered;
mod upgrade;
mod writer;

use serde::de::DeserializeOwned;
use serde::ser::Serialize;

pub use bytes::Bytes;
pub use error::{DataError, Lines};
pub use field::{in_value, part_of};
pub use options::{TextExtension, TextOptions};
pub use packer::Packer;
pub use reader::{Notes, Reader, Unknown};
pub use shape::{Shape, ShapeDifference};
pub use unordered::sorted;
pub use upgrade::Upgrade;
pub use writer::{Writer, Written};

/// Writes a value as text.
///
/// # Errors
///
/// Returns the error of the type's `Serialize`, or an error if the value contains an id or is nested more than 128
/// levels deep. An id is meaningful only in a world file, a save or a log.
///
/// ```
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Point { x: f32, y: f32 }
///
/// assert_eq!(message_format::to_text(&Point { x: 0.1, y: 2.0 })?, "(x: 0.1, y: 2.0)");
/// # Ok::<(), message_format::DataError>(())
/// ```
pub fn to_text<T: Serialize + ?Sized>(value: &T) -> Result<String, DataError> {
    let mut writer = Writer::new();
    value.serialize(&mut writer)?;
    Ok(text::print(&writer.tape, 0))
}

/// Reads a value from a text. A field that a struct does not have is an error.
///
/// # Errors
///
/// Returns an error if the text cannot be read as this type. The error contains the place, and what was expected
/// there.
///
/// ```
/// let numbers: Vec<u8> = message_format::from_text("[1, 2, /* and */ 3]")?;
/// assert_eq!(numbers, [1, 2, 3]);
/// let error = message_format::from_text::<Vec<u8>>("[1, 2, 300]").expect_err("it is too large");
/// assert_eq!(error.to_string(), "1:8: invalid value: integer `300`, expected u8");
/// # Ok::<(), message_format::DataError>(())
/// ```
pub fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, DataError> {
    TextOptions::new().from_text(text)
}

impl TextOptions {
    /// Reads a value from a text, like [`from_text`](crate::from_text).
    ///
    /// # Errors
    ///
    /// Returns an error if the text cannot be read as a `T`. It says where, what was found and what was expected.
    ///
    /// ```
    /// use message_format::TextOptions;
    ///
    /// assert_eq!(TextOptions::new().from_text::<Vec<u8>>("[1, 2]")?, [1, 2]);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[allow(
        clippy::wrong_self_convention,
        reason = "it is called like the function"
    )]
    pub fn from_text<T: DeserializeOwned>(&self, text: &str) -> Result<T, DataError> {
        let tape = text::read(text, *self)?;
        let value = Reader::new(&tape, 0, Unknown::Refused).read();
        value.map_err(|error| error.in_text(text))
    }
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
/// assert_eq!(message_format::to_bytes(&(1, "a"))?, [0x92, 1, 0xa1, b'a']);
/// # Ok::<(), message_format::DataError>(())
/// ```
pub fn to_bytes<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, DataError> {
    let mut packer = Packer::default();
    packer.write(|writer| value.serialize(writer))?;
    Ok(packer.into_bytes())
}

/// Reads a value from `MessagePack`. Fields that a struct does not have are passed over.
///
/// # Errors
///
/// Returns an error with the place if the bytes end too early, go on after the value, or do not fit the type.
///
/// ```
/// let pair: (u32, String) = message_format::from_bytes(&[0x92, 1, 0xa1, b'a'])?;
/// assert_eq!(pair, (1, "a".to_owned()));
/// let error = message_format::from_bytes::<(u32, String)>(&[0x92, 1]).expect_err("it ends too early");
/// assert_eq!(error.to_string(), "byte 0: a list of 2 entries begins here, and only 1 bytes follow");
/// # Ok::<(), message_format::DataError>(())
/// ```
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DataError> {
    let tape = pack::read_all(bytes)?;
    Reader::new(&tape, 0, Unknown::Passed).read()
}

/// The README's code, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
