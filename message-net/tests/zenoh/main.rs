//! The link over zenoh, on the real engine over loopback: `cargo test -p message-net --features tls`.
//!
//! Each test has a router, a port and a world of its own. Tests wait for what is to happen, for a minute
//! at most, and never for a while: a busy machine makes them slower, and does not fail them.

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
