//! Component types without handlers are numbered by each manager, behind those of the registry. `HIGHEST`
//! remembers how far any of them came, so that no new type is given an index that means another type
//! in some manager.

use std::sync::{Mutex, PoisonError};

use crate::registry::Registry;

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
