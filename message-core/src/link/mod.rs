//! Linking: from the linked entries to the published registry.
//!
//! Each derive and each `#[handlers]` block leaves one [`Entry`] in the program: a row of constants for a
//! message type, or for each of a block's handlers. The backend that gathers the entries is chosen here
//! and nowhere else. On first use all entries are read, sorted, checked and numbered, and the registry is
//! published. An extension publishes a longer one. A message type finds its routes there when it is first sent.

mod backend;
mod builder;
mod collector;
mod extension;
mod order;

#[cfg(feature = "linkme")]
pub use backend::ENTRIES;
pub use builder::RegistryBuilder;
pub use extension::extend_registry;

use crate::handler::HandlerRow;
use crate::registry::{Collect, Linker, MessageRow, Registry, RegistryError};

/// An entry that a macro leaves in the program for the collector.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    Message(MessageRow),
    /// `None` marks a handler whose mistake has already been reported.
    Handlers(&'static [Option<&'static HandlerRow>]),
}

impl Collect for Linker {
    fn publish() -> Result<Registry, RegistryError> {
        extension::publish_first(Vec::new())
    }
}
