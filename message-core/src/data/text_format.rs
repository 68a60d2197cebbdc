//! The format of texts: what is written, and what is read.
//!
//! A text is in the syntax of [RON](https://docs.rs/ron), Rusty Object Notation, as version 0.12 of the crate
//! `ron` reads it. [`to_text`](super::to_text) and [`from_text`](super::from_text) write and read a value. The
//! text of a component or a message, and each part of a [world file](super::WorldFile), begins with the name of
//! a type, by which the type is found.
//!
//! # What is written
//!
//! | value | text |
//! |---|---|
//! | a struct, a variant with fields | `(hp: 8, max: 9)`, `Move(x: 1, y: 2)` |
//! | a newtype, a variant with one value | `(8)`, `Wait(8)` |
//! | a tuple, a tuple struct, a variant with values | `(8, 9)`, `Hit(8, 9)` |
//! | a tuple with one value | `(8,)`, `Hit(8,)` |
//! | unit, a unit struct | `()` |
//! | a struct that leaves out all fields | `( )`, `Move( )` |
//! | a tuple without values | `(/**/)` |
//! | a variant without content | `Nothing` |
//! | an option | `None`, `Some(8)` |
//! | a list, a map | `[8, 9]`, `{"a": 8}` |
//! | bytes | `b"a\xff"` |
//!
//! Structs have no names inside a value, so that it is read back whatever representation its type has: also
//! one that serde first reads into a buffer, as it does for `untagged`, `tag` and `flatten`. There the
//! parentheses tell a newtype from a tuple and a struct.
//!
//! A name with other signs, or one that is a word of the format (`true`, `false`, `Some`, `None`, `inf`, `NaN`
//! and these with a suffix), is written behind `r#`: `r#max-hp`, `r#None`. If a name cannot be written so, as
//! `max hp`, the variant is a string, its content the value of a map with one entry, and the struct a map:
//! `{"max hp": 8}`.
//!
//! ```
//! use message_core::data;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Meters(f32);
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! #[serde(untagged)]
//! enum Place { Above(Meters), At { x: Meters, r#type: String } }
//!
//! let at = Place::At { x: Meters(2.0), r#type: "camp".to_owned() };
//! assert_eq!(data::to_text(&at)?, r#"(x: (2.0), type: "camp")"#);
//! assert_eq!(data::from_text::<Place>("(2.5)")?, Place::Above(Meters(2.5)));
//! # Ok::<(), data::DataError>(())
//! ```
//!
//! # What is read
//!
//! All that the crate `ron` reads: names of structs in front of their parentheses, trailing commas, comments,
//! suffixes of numbers (`8u8`, `0.5f32`), integers for floats, raw strings, byte strings (`b"…"`, `br"…"`), lists
//! for bytes, ranges (`0..5`), and these attributes in front of the value:
//!
//! | attribute | meaning |
//! |---|---|
//! | `#![enable(…)]` | enables [extensions](super::TextExtension); [`TextOptions`](super::TextOptions) enables them for all texts |
//! | `#![type = "…"]`, `#![schema = "…"]` | nothing: other programs read them |
//!
//! # What differs from the crate `ron`
//!
//! - A field that a struct does not have is an error.
//! - Where a type does not say what it wants, it is given what JSON would have: `Name` is a string, `Name(…)` a map of
//!   the name to its content, `(8)` is 8 and `(8,)` a list. `ron` gives nothing, the content, and a list for both.
//!   So a text in which `ron` has written a tuple with one value for a type that serde buffers is refused.
//!   A type that wants a struct there is given its fields, with a name in front of them or not.
//! - There, too, `( )` is a map without entries. For `ron` it is a list.
//! - A suffix is checked against the number in front of it, and not against the type: `8u8` can be a `u16`.
//! - `unwrap_variant_newtypes` also takes the name of a struct in the parentheses of its variant.
//! - A word can have any visible character beyond ASCII, a blank can be any white space, and a byte order mark
//!   is a blank.
//! - A list can be written for a tuple that is read as a list, and a struct with fields for a map.
//! - Values are nested 128 levels deep, counted in brackets.
