//! `MessagePack` with field names, to a tape and from a writer.
//!
//! It is the form of the crate `rmp-serde` with named fields: a struct is a map of names, a variant
//! without fields its name, and another one a map of its name to what it holds. So other programs can
//! read it, and fields can be added, removed and moved. What `MessagePack` has no form for:
//!
//! | value | form |
//! |---|---|
//! | an integer of more than 64 bits | 16 bytes, the most significant first |
//! | `Some` around nothing, such as `Some(())` | an extension of type 1 with one byte: how many `Some` |

mod read;
mod token;
mod write;

pub(crate) use read::read;
pub(crate) use token::{part_of, text_of, token};
pub(crate) use write::{ByPosition, Packer};

/// The type of the extension that stands for `Some` around nothing.
const SOME_OF_NOTHING: i8 = 1;
