//! The cost of a message, compared with the same work by hand and with peers.
//!
//! - [`work`] is the work of a message, the same for all;
//! - [`contenders`] are the ways to deliver it;
//! - [`compare`] runs them in turns and reports the time that each has taken;
//! - `picture` (feature `svg`) draws the results.

pub mod compare;
pub mod contenders;
#[cfg(feature = "svg")]
pub mod picture;
pub mod work;
