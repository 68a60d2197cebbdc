//! Many managers that step together.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

mod asking;
mod carried;
mod common;
mod ends;
mod journal;
mod moving;
mod moving_posts;
mod panics;
mod passing;
#[path = "../net/simulated/random.rs"]
#[allow(dead_code, reason = "not all of it is needed here")]
mod random;
mod random_programs;
mod walker;
