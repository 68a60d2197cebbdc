//! All of `message-core`, as one shared library for a program and its plugins.
//!
//! Depend on it under the name `message-core`, and use it exactly like message-core:
//!
//! ```toml
//! [dependencies]
//! message-core = { package = "message-dylib", version = "0.1" }
//! ```
#![forbid(unsafe_code)]

pub use message_core::*;
