//! What a message costs, beside the same work by hand and beside peers.
//!
//! - [`work`] is what a message does, the same for all;
//! - [`contenders`] are the ways in which it can come there;
//! - [`compare`] runs them in turns and tells what each has taken;
//! - `picture` (feature `svg`) draws what was found.

pub mod compare;
pub mod contenders;
#[cfg(feature = "svg")]
pub mod picture;
pub mod work;
