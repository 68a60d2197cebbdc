//! The parts of headers and of what is pending. The types that most programs name are in the
//! [crate root](crate): [`Header`], [`Posts`], [`Ticket`].

mod builder;
mod error;
mod header;
mod into_header;
mod key;
mod select;
mod ticket;

pub use builder::HeaderBuilder;
pub use error::HeaderError;
pub(crate) use header::{Delay, Repeat};
pub use header::{Header, Interval};
pub use into_header::IntoHeader;
pub(crate) use into_header::header_of;
pub use key::PostKey;
pub(crate) use select::{Candidate, Named};
pub use select::{Due, PendingPost, Posts};
pub use ticket::Ticket;
