//! Where components and messagees are kept. Nothing in here knows of messages.

mod family;
mod hooks;
mod messagees;
mod paged;
mod pool;
mod roster;
mod sparse;
mod values;

pub(crate) use family::Families;
pub(crate) use hooks::{Hook, Hooks};
pub(crate) use messagees::{HookRef, Messagees, Record};
pub(crate) use pool::Pool;
pub(crate) use roster::Meta;
pub(crate) use values::{AnyValues, Store, Values};

/// Slots, and positions in lists of components, are counted in 32 bits, as ids are; the highest number
/// stands for none of them.
#[inline]
pub(crate) fn narrow(count: usize) -> u32 {
    let count = u32::try_from(count).ok();
    let count = count.filter(|&count| count != u32::MAX);
    count.expect("fewer than 2^32 - 1 components are in use")
}
