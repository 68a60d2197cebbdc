//! All of `message-core` and, with the feature `data`, `message-data`, as one shared library for a program and its
//! plugins.
//!
//! Depend on it under the name `message-core`, and use it like message-core. `message-data` is its module `data`, where
//! the derive finds it by `crate`:
//!
//! ```toml
//! [dependencies]
//! message-core = { package = "message-dylib", version = "0.1", features = ["data"] }
//! ```
//!
//! ```rust,ignore
//! #[derive(message_core::data::Data, Serialize, Deserialize)]
//! #[data(crate = message_core::data)]
//! struct Health { hp: u32 }
//! ```
#![forbid(unsafe_code)]

pub use message_core::*;
#[cfg(feature = "data")]
pub use message_data as data;
