//! Where components and messagees are kept. Nothing in here knows of messages.

mod family;
mod hooks;
mod messagees;
mod pool;
mod sparse;

pub(crate) use family::Families;
pub(crate) use hooks::{Hook, Hooks};
pub(crate) use messagees::{HookRef, Messagees, Record};
pub(crate) use pool::{AnyPool, Meta, Pool, Store};
pub(crate) use sparse::narrow;
