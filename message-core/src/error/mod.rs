//! What can go wrong, the chain of handlers in which it did, and what led to a limit.

mod bulk;
mod chain;
mod cycle;
mod messagee;
mod send;
mod shared;

pub use bulk::Bulk;
pub use chain::{Chain, ChainLink, Receiver};
pub(crate) use cycle::Closing;
pub use cycle::Cycle;
pub use messagee::MessageeError;
pub use send::{SendError, Undelivered};
pub use shared::SharedError;
pub(crate) use shared::write_with_sources;
