//! The parts of headers and of what is pending. The types that most programs name are in the
//! [crate root](crate): [`Header`], [`Posts`], [`Ticket`].

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
