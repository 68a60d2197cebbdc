//! What can go wrong, and the chain of handlers in which it did.

mod chain;
mod messagee;
mod send;

pub use chain::{Chain, ChainLink, Receiver};
pub use messagee::MessageeError;
pub use send::{SendError, Undelivered};
