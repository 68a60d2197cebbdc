//! From what was linked in to the published registry.
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
#[cfg(all(feature = "data", not(feature = "linkme")))]
pub use backend::Row;
pub(crate) use backend::statement_rows;
#[cfg(all(feature = "data", feature = "linkme"))]
pub use backend::{DATA_TYPES, DECLARED_NAMES};
#[cfg(feature = "data")]
pub(crate) use backend::{data_types, declared_names};
pub use builder::RegistryBuilder;
pub use extension::extend_registry;

use crate::handler::HandlerRow;
use crate::link::collector::Collector;
use crate::registry::{MessageRow, PUBLISHED, Registry, RegistryError};

/// What a macro leaves in the program for the collector.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    Message(&'static MessageRow),
    /// Of those that are `None` a mistake has been reported.
    Handlers(&'static [Option<&'static HandlerRow>]),
}

/// Returns the registry of this process, collected and published on first use.
///
/// # Errors
///
/// [`RegistryError::DuplicateIds`] when two message types have one id,
/// [`RegistryError::ContradictoryOrder`] when `before`, `after` and `priority` of handlers contradict each other,
/// [`RegistryError::DuplicateNames`] when two types with data have one name. It is the same error each time.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// match message_core::try_registry() {
///     Ok(registry) => assert!(registry.message(Ping::ID).is_some()),
///     Err(error) => eprintln!("{error}"),
/// }
/// ```
pub fn try_registry() -> Result<&'static Registry, &'static RegistryError> {
    PUBLISHED
        .get_or_init(|| Collector::linked().publish())
        .as_ref()
}

/// Returns the registry of this process, collected and published on first use.
///
/// # Panics
///
/// When the registry is not valid: with the text of the error that [`try_registry`] returns.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// #[message(name = "radio.ping")]
/// struct Ping;
///
/// let ping = message_core::registry().message(Ping::ID);
/// assert_eq!(ping.map(|info| info.name()), Some("radio.ping"));
/// ```
#[must_use]
pub fn registry() -> &'static Registry {
    match try_registry() {
        Ok(registry) => registry,
        Err(error) => panic!("{error}"),
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
        RegistryBuilder::linked()
    }
}
