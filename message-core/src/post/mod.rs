//! The parts of headers and of what is pending. The types that most programs name are in the
//! [crate root](crate): [`Header`], [`Posts`], [`Ticket`].

mod batch;
mod delivery;
mod error;
mod merge;
pub(crate) mod posting;
#[cfg_attr(
    not(feature = "trace"),
    allow(
        clippy::zero_sized_map_values,
        reason = "without the feature there are no numbers to keep"
    )
)]
pub(crate) mod queue;
mod select;
mod staged;
mod taken;
mod ticket;

pub use error::PostEachError;
pub(crate) use posting::{post, post_anew, post_anew_to, post_each, post_held};
pub(crate) use select::{Candidate, Named};
pub use select::{Due, PendingPost, Posts};
pub(crate) use staged::Staged;
pub use taken::TakenPost;
pub use ticket::Ticket;

pub use crate::error::HeaderError;
pub use crate::header::{Header, HeaderBuilder, Interval, IntoHeader, PostKey};
