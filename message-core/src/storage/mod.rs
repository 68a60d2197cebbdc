//! Storage of components and messagees. Nothing here knows of messages.

mod access;
pub(crate) mod cloning;
mod family;
mod holders;
pub(crate) mod layouts;
pub(crate) mod messagees;
mod paged;
pub(crate) mod pool;
mod pools;
pub(crate) mod values;

pub use access::{Access, Exclusive, Shared};
pub(crate) use cloning::{Clones, Cloning};
pub(crate) use family::Families;
pub(crate) use holders::Holders;
pub(crate) use layouts::{LayoutId, Layouts, MOST};
pub(crate) use messagees::{FEW, Hook, HookRef, Messagees, Record};
pub(crate) use paged::Paged;
pub(crate) use pool::{Pool, SavedPool};
pub(crate) use pools::{ComponentType, Pools};
pub(crate) use values::{AnyValues, Removed, Store, Values};

/// Converts a slot to 32 bits, as in ids. The two highest numbers are never slots.
#[inline]
pub(crate) fn narrow(count: usize) -> u32 {
    let count = u32::try_from(count).ok();
    let count = count.filter(|&count| count < u32::MAX - 1);
    count.expect("fewer than 2^32 - 2 components are in use")
}

/// Converts the index of a pool to 16 bits.
#[inline]
pub(crate) fn narrow_component(component: u32) -> u16 {
    u16::try_from(component).expect("a pool has an index of 16 bits")
}

/// Reserves room in a large table for `len` entries, and for at least an eighth more than it has: that limits the unused
/// part.
fn make_room<T>(table: &mut Vec<T>, len: usize) {
    if len > table.capacity() {
        let more = (len - table.len()).max(table.len() / 8);
        table.reserve_exact(more.max(64));
    }
}
