//! Storage of components and messagees. Nothing here knows of messages.

mod family;
mod layouts;
mod messagees;
mod paged;
mod pool;
mod pools;
mod roster;
#[cfg(feature = "data")]
mod saved;
mod values;

pub(crate) use family::Families;
pub(crate) use layouts::{LayoutId, Layouts, MOST};
pub(crate) use messagees::{FEW, Hook, HookRef, Messagees, Record};
pub(crate) use paged::Paged;
pub(crate) use pool::Pool;
pub(crate) use pools::ComponentType;
pub(crate) use pools::Pools;
pub(crate) use roster::Roster;
pub(crate) use values::{AnyValues, Removed, Store, Values};

/// Converts a slot to 32 bits, as in ids. The two highest numbers are never slots.
#[inline]
pub(crate) fn narrow(count: usize) -> u32 {
    let count = u32::try_from(count).ok();
    let count = count.filter(|&count| count < u32::MAX - 1);
    count.expect("fewer than 2^32 - 2 components are in use")
}
