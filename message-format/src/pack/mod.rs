//! `MessagePack` with field names: reads it onto a tape, and writes it.
//!
//! This is the form of the crate `rmp-serde` with named fields: a struct is a map from field names to values, a
//! variant without fields is its name, and any other variant is a map from its name to its content. So other programs
//! can read it, and fields can be added, removed and moved. `MessagePack` has no form for these values:
//! | value | form |
//! |---|---|
//! | an integer of more than 64 bits | 16 bytes, the most significant first |
//! | `Some` around nothing, such as `Some(())` | an extension of type 1 with one byte: how many `Some` |

mod read;
mod write;

pub use read::{read, read_all, read_within};
pub(crate) use write::Pack;

/// The type of the extension for `Some` around nothing.
const SOME_OF_NOTHING: u8 = 1;
