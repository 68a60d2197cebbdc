//! Linking: from the linked entries to the published registry.
//!
//! Each derive and each `#[handlers]` block leaves one [`Entry`] in the program: a row of constants for a
//! message type, or for each of a block's handlers. A declared mnemonic, group or tag leaves its name. The
//! `backend` gathers the entries. On first use all entries are read, sorted, checked and numbered, and the
//! registry is published. An extension publishes a longer one. A message type finds its routes there when it is
//! first sent.

pub(crate) mod backend;
mod builder;
mod collector;
mod extension;
mod order;
mod refused;
mod rows;
mod tags;

pub use backend::entries;
pub use builder::RegistryBuilder;
pub use extension::extend_registry;
pub use rows::registry_rows;
pub(crate) use rows::stated;

use crate::group::Group;
use crate::handler::HandlerRow;
use crate::mnemonic::Mnemonic;
use crate::registry::{Collect, Linker, MessageRow, Registry, RegistryError, RegistryRow};
use crate::storage::Cloning;
use crate::tag::Tag;

/// An entry that a macro leaves in the program for the collector.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    Message(MessageRow),
    /// `None` marks a handler whose mistake has already been reported. With how their component is cloned, if it is
    /// `Clone`.
    Handlers(
        &'static [Option<&'static HandlerRow>],
        Option<&'static Cloning>,
    ),
    /// A component type that is `Clone`.
    Cloned(&'static Cloning),
    Mnemonic(Mnemonic),
    Group(Group),
    Tag(Tag),
    /// The statement of a plugin or a shared crate.
    Statement(&'static [u8]),
    /// A row of another crate.
    Row(&'static dyn RegistryRow),
}

impl Collect for Linker {
    fn publish() -> Result<Registry, RegistryError> {
        extension::publish_first(Vec::new())
    }
}
