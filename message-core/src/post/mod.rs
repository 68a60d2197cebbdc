//! What is said about a message before it is posted, and about one that is pending: headers,
//! keys, tickets, and the selection of pending messages.

mod header;
mod key;
mod select;
mod ticket;

pub(crate) use header::Delay;
pub use header::{Header, HeaderBuilder, HeaderError};
pub use key::PostKey;
pub use select::{Due, PendingPost, Posts};
pub use ticket::Ticket;
