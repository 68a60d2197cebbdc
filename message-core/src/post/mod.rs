//! The parts of headers and of what is pending. The types that most programs name are in the
//! [crate root](crate): [`Header`], [`Posts`], [`Ticket`].

mod error;
mod letters;
pub(crate) mod pass;
pub(crate) mod posting;
pub(crate) mod schedule;
mod select;
mod staged;
pub(crate) mod taken;
pub(crate) mod ticket;
mod walk;

pub use error::PostEachError;
pub(crate) use letters::bury_bound;
pub(crate) use pass::Pass;
pub(crate) use posting::{PostCall, Posting, check_recipient};
pub(crate) use schedule::{Held, Schedule};
pub(crate) use select::Named;
pub use select::{Due, PendingPost, Posts};
pub(crate) use staged::Staged;
pub use taken::TakenPost;
pub(crate) use taken::{cancel, take_posts};

pub use ticket::Ticket;
pub(crate) use ticket::{Fate, Waiting};
pub(crate) use walk::OneByOne;

pub use crate::error::HeaderError;
pub use crate::header::{Header, HeaderBuilder, Interval, IntoHeader, PostKey};
