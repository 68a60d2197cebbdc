//! What is said about a message before it is posted, and about one that is pending: headers,
//! keys, tickets, and the selection of pending messages.

mod builder;
mod header;
mod key;
mod select;
mod ticket;

pub use builder::{HeaderBuilder, HeaderError};
pub(crate) use header::{Delay, Repeat, header_of};
pub use header::{Header, Interval, IntoHeader};
pub use key::PostKey;
pub(crate) use select::{Candidate, Named};
pub use select::{Due, PendingPost, Posts};
pub use ticket::Ticket;
