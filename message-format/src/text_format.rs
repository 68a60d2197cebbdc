//! The text format: how values are written, and what is accepted when they are read.
//!
//! A text uses the syntax of [RON](https://docs.rs/ron), Rusty Object Notation, as read by version 0.12 of the
//! crate `ron`. [`to_text`](super::to_text) writes a value, and [`from_text`](super::from_text) reads one.
//!
//! # Writing
//!
//! | value | text |
//! |---|---|
//! | a struct, a variant with fields | `(hp: 8, max: 9)`, `Move(x: 1, y: 2)` |
//! | a newtype, a variant with one value | `(8)`, `Wait(8)` |
//! | a tuple, a tuple struct, a variant with several values | `(8, 9)`, `Hit(8, 9)` |
//! | a tuple with one value | `(8,)`, `Hit(8,)` |
//! | a unit, a unit struct | `()` |
//! | a struct that leaves out all fields | `( )`, `Move( )` |
//! | a tuple without values | `(/**/)` |
//! | a unit variant | `Nothing` |
//! | an option | `None`, `Some(8)` |
//! | a list, a map | `[8, 9]`, `{"a": 8}` |
//! | bytes | `b"a\xff"` |
//!
//! Within a value, structs are written without their names. The value can therefore be read back whatever serde
//! representation its type uses, including `untagged`, `tag` and `flatten`, for which serde first reads into a
//! buffer. There the parentheses distinguish a newtype from a tuple and a struct.
//!
//! A name with characters that are not allowed in an identifier, or that is a keyword of the format (`true`,
//! `false`, `Some`, `None`, and `inf` and `NaN` with or without a suffix), is written as a raw identifier:
//! `r#max-hp`, `r#None`. Some names, such as `max hp`, cannot be written that way either. A struct with such a field
//! is written as a map, `{"max hp": 8}`. A unit variant with such a name is written as a string, and any other
//! variant as a map with one entry, from its name to its content.
//!
//! ```
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
//! assert_eq!(message_format::to_text(&at)?, r#"(x: (2.0), type: "camp")"#);
//! assert_eq!(message_format::from_text::<Place>("(2.5)")?, Place::Above(Meters(2.5)));
//! # Ok::<(), message_format::DataError>(())
//! ```
//!
//! # Reading
//!
//! Everything that the crate `ron` reads is accepted: struct names in front of parentheses, trailing commas,
//! comments, number suffixes (`8u8`, `0.5f32`), integers for floats, raw strings, byte strings (`b"…"`, `br"…"`),
//! lists for bytes, ranges (`0..5`), and the following attributes in front of the value.
//!
//! | attribute | meaning |
//! |---|---|
//! | `#![enable(…)]` | enables [extensions](super::TextExtension); [`TextOptions`](super::TextOptions) enables them for all texts |
//! | `#![type = "…"]`, `#![schema = "…"]` | ignored; they are meant for other programs |
//!
//! # Differences from the crate `ron`
//!
//! - An unknown field of a struct is an error.
//! - A type that accepts anything gets the same as from JSON: `Name` is a string, `Name(…)` is a map from the name to
//!   its content, `(8)` is the number 8, and `(8,)` is a list. In `ron`, `Name` is a unit, `Name(…)` is its
//!   content, and both `(8)` and `(8,)` are lists. As a consequence, a text from `ron` is rejected if it contains a
//!   tuple with one value for a type that serde buffers. A type that expects a struct there gets its fields,
//!   with or without a name in front of them.
//! - For a type that accepts anything, `( )` is an empty map. In `ron` it is a list.
//! - A suffix is checked against the number in front of it, not against the type: `8u8` can be read as a `u16`.
//! - `unwrap_variant_newtypes` also accepts the name of a struct in the parentheses of its variant.
//! - An identifier can contain any visible non-ASCII character. Any white space separates tokens, and so does a
//!   byte order mark.
//! - A list is accepted for a tuple that is read as a list, and a struct with fields for a map.
//! - Values can be nested up to 128 levels deep, counted in brackets.
