//! The parts of errors: the chain of running handlers, with the cycle that led to a limit, and why a
//! posted message was not delivered. The errors themselves are in the [crate root](crate).

mod bulk;
mod carry;
mod chain;
mod header;
mod limit;
mod messagee;
mod send;
mod shared;
mod snapshot;
mod undelivered;
mod unhandled;

pub use bulk::Bulk;
pub use carry::CarryError;
pub use chain::{Chain, ChainLink, Receiver};
pub use header::HeaderError;
pub use limit::Limit;
pub use messagee::{Absence, MessageeError};
pub use send::{SendError, SendErrorKind};
pub(crate) use shared::write_with_sources;
pub use shared::{HandlerError, SharedError};
pub use snapshot::SnapshotError;
pub use undelivered::{Loss, LostReceiver, Undelivered};
pub use unhandled::Unhandled;
