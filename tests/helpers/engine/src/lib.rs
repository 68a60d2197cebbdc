//! A crate that re-exports `message-core`, for games that depend on the engine alone.

pub use message_core;
