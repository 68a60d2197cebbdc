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

impl Registry {
    /// Begins a registry with all that was linked in, to add by hand what could not be listed. It
    /// takes effect with [`RegistryBuilder::publish`], which has to come before the first manager.
    ///
    /// ```
    /// use message_core::{NoReply, Registry};
    /// use message_core::prelude::*;
    ///
    /// struct Sample<const BITS: u32>;
    ///
    /// impl<const BITS: u32> Message for Sample<BITS> {
    ///     type Reply = NoReply;
    ///     const NAME: &'static str = if BITS == 8 { "sample.8" } else { "sample.16" };
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().message::<Sample<8>>().publish()?;
    /// assert!(registry.message_named("sample.8").is_some());
    /// assert!(registry.message_named("sample.16").is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder(Vec::new())
    }
}
