//! The registry of this process. [`link`](crate::link), a module above, collects it on first use.
//!
//! Component types without handlers are numbered by each manager, behind those of the registry. `HIGHEST`
//! remembers how far any of them came, so that no new type is given an index that means another type
//! in some manager.

use std::sync::{Mutex, PoisonError};

use crate::registry::{Latest, Registry, RegistryError};

pub(crate) static PUBLISHED: Latest<Result<Registry, RegistryError>> = Latest::new();

/// The collector of the registry. [`link`](crate::link) implements [`Collect`] for it.
pub(crate) enum Linker {}

pub(crate) trait Collect {
    /// Collects the registry and publishes the routes.
    fn publish() -> Result<Registry, RegistryError>;
}

impl Registry {
    /// Returns the newest registry, if one is published.
    pub(crate) fn published() -> Option<&'static Self> {
        PUBLISHED.get()?.as_ref().ok()
    }
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
    PUBLISHED.get_or_init(Linker::publish).as_ref()
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
/// assert_eq!(ping.map(|info| info.name), Some("radio.ping"));
/// ```
#[must_use]
pub fn registry() -> &'static Registry {
    try_registry().unwrap_or_else(|error| panic!("{error}"))
}

/// The index behind the highest that a manager has given to a component type without handlers. Locked
/// while the registry is extended, and while such a type is numbered.
pub(crate) static HIGHEST: Mutex<u32> = Mutex::new(0);

/// Returns an index for a component type without handlers. In a manager with `pools` pools, no other
/// type has that index.
pub(crate) fn index_without_handlers(pools: usize) -> u32 {
    let mut highest = HIGHEST.lock().unwrap_or_else(PoisonError::into_inner);
    let end = Registry::published().map_or(0, Registry::end_of_components);
    let index = pools.max(end as usize);
    // Checked before anything has changed: the table of hooks has 16 bits for it.
    let index = u16::try_from(index).expect("more than 2^16 component types");
    *highest = (*highest).max(u32::from(index) + 1);
    index.into()
}
