//! All of `message-core`, as one shared library for a program and its plugins.
//!
//! Depend on it under the name of message-core, and write everything as with message-core:
//!
//! ```toml
//! [dependencies]
//! message-core = { package = "message-dylib", version = "0.1" }
//! ```
#![forbid(unsafe_code)]

pub use message_core::*;
