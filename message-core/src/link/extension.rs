//! Extending the registry while managers run, by the types of libraries that were loaded.
//!
//! An extension is a registry of its own in front of the older one. Message types and component types
//! that were there keep their indices. The older tables of routes lead to the newer ones, and each
//! manager continues with the indices that it knows until it takes up the new ones.

use std::sync::{Mutex, PoisonError};

use crate::link::collector::Collector;
use crate::link::refused::{address, refuse};
use crate::link::rows::check_names;
use crate::link::{Entry, backend};
use crate::registry::row::collect_again;
use crate::registry::{HIGHEST, PUBLISHED, Registry, RegistryError};

/// Everything that the published registry was made from.
struct Known {
    /// Added again when the registry is extended.
    by_hand: Vec<Entry>,
    /// The addresses of everything that was linked in or loaded.
    addresses: Vec<usize>,
}

static KNOWN: Mutex<Known> = Mutex::new(Known {
    by_hand: Vec::new(),
    addresses: Vec::new(),
});

/// Adds everything that was loaded since the registry was published to the registry, and returns it.
/// Without a published registry this is [`try_registry`](crate::try_registry).
///
/// It is for libraries that are loaded while the program runs; the crate `message-plugin` calls it. The
/// entries of a library are there when it is loaded. So call
/// [`try_registry`](crate::try_registry) before, and this function behind that.
///
/// Indices that exist stay. New message types and component types are sorted by name, and come behind the
/// others; so indices depend on the order in which libraries are loaded. Ids do not. Broadcasts run in
/// the same order as if all had been linked in: by priority, then by name.
///
/// A manager that was made before takes up the new types when a component of a new type is first hooked
/// to it, or when its next frame begins.
///
/// It does nothing if there is nothing new.
///
/// # Errors
///
/// [`RegistryError::DuplicateIds`], [`RegistryError::ContradictoryOrder`] as for
/// [`try_registry`](crate::try_registry); [`RegistryError::DuplicateNames`] when a new type has the name
/// of another; [`RegistryError::ContextTooLate`] when a new handler takes a context, and the other handlers of its
/// component type take none; [`RegistryError::TooManyComponents`]. The registry stays as it is then, and what was
/// loaded is never asked for again.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let before = message_core::registry();
/// // A library would be loaded here.
/// let after = message_core::extend_registry()?;
/// let index = |registry: &message_core::Registry| registry.message(Ping::ID).map(|it| it.index);
/// assert_eq!(index(after), index(before));
/// # Ok::<(), message_core::RegistryError>(())
/// ```
pub fn extend_registry() -> Result<&'static Registry, RegistryError> {
    extend(&[])
}

/// Returns the first registry, which the caller publishes, and publishes the routes.
pub(super) fn publish_first(by_hand: Vec<Entry>) -> Result<Registry, RegistryError> {
    check_names(|_| true)?;
    let registry = Collector::collect(&by_hand).publish_behind(&Registry::default(), 0)?;
    *KNOWN.lock().unwrap_or_else(PoisonError::into_inner) = Known {
        by_hand,
        addresses: backend::entries().map(address).collect(),
    };
    Ok(registry.unwrap_or_default())
}

/// Publishes a registry with everything that was linked in, loaded, or added by hand.
pub(super) fn extend(by_hand: &[Entry]) -> Result<&'static Registry, RegistryError> {
    let highest = HIGHEST.lock().unwrap_or_else(PoisonError::into_inner);
    // Managers publish the registry without `HIGHEST`. If one does so at this moment, its registry lacks
    // what was added by hand, and is extended.
    let older = match PUBLISHED.make_first(|| publish_first(by_hand.to_vec())) {
        Err(Ok(older)) => older,
        Ok(published) | Err(published) => return published.as_ref().map_err(Clone::clone),
    };
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let by_hand = [&known.by_hand, by_hand].concat();
    let first_component = older.end_of_components().max(*highest);
    let extend = || {
        check_names(|address| known.addresses.contains(&address))?;
        Collector::collect(&by_hand).publish_behind(older, first_component)
    };
    let registry = match extend() {
        Ok(Some(new)) => {
            known.by_hand = by_hand;
            PUBLISHED.replace(Ok(new)).as_ref().map_err(Clone::clone)
        }
        Ok(None) => Ok(older),
        Err(error) => {
            let new = backend::entries().map(address);
            refuse(new.filter(|address| !known.addresses.contains(address)));
            Err(error)
        }
    };
    known.addresses = backend::entries().map(address).collect();
    collect_again();
    registry
}
