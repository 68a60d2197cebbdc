//! Tests of the zenoh link with the real engine over loopback: `cargo test -p message-net --features tls`.
//!
//! Each test has its own router, port and world. Tests wait for the expected event for up to a minute, and
//! never for a fixed time: a busy machine makes them slower, but does not fail them.

mod child;
mod common;
mod cut;
mod faults;
mod frames;
mod hostile;
mod node;
mod presence;
#[cfg(feature = "tls")]
mod tls;
mod world;
mod worlds;
